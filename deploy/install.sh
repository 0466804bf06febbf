#!/bin/sh
# Install flong from a checkout into its own folder: sh deploy/install.sh SOURCE TARGET
# The command is then TARGET/bin/flong. The image (deploy/Containerfile) uses the same steps.
# PYTHON: interpreter to use (default: python3).
# REQUIREMENTS: file to install first (default: SOURCE's pins); set it empty to use installed packages.
set -eu
if [ $# -ne 2 ] || [ ! -f "$1/pyproject.toml" ]; then
  echo "usage: sh deploy/install.sh SOURCE TARGET, where SOURCE is a checkout of flong" >&2
  exit 2
fi
source=$(cd "$1" && pwd)
target=$2
requirements=${REQUIREMENTS-$source/requirements.txt}
if [ -e "$target/pyvenv.cfg" ]; then
  echo "$target already contains an environment. Remove it or use another folder." >&2
  exit 1
fi

shared=
[ -n "$requirements" ] || shared=--system-site-packages
"${PYTHON:-python3}" -m venv $shared "$target"
pip="$target/bin/python -m pip --disable-pip-version-check -q"
[ -z "$requirements" ] || $pip install --no-deps --require-hashes -r "$requirements"

# Built from a copy: building leaves folders behind, and the checkout may be read-only.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$source" && tar -cf - --exclude=.venv --exclude=.git --exclude=tests .) | tar -xf - -C "$work"
$pip wheel --no-deps --no-build-isolation -w "$work/wheels" "$work"
$pip install --no-deps --no-index "$work"/wheels/flong-*.whl
