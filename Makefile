# Each target sets up .venv by itself; a machine needs only python3 (3.11 to 3.15).
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo check test test-loaded soak docs bench-setup lock clean

demo: .venv/installed
	$(BIN)/flong demo

LINT = $(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy -p flong -p tests -p benchmarks
PYTEST := $(BIN)/pytest -q -n auto --dist loadfile --no-loadscope-reorder --durations=20 -rs

# Lint, types, doctests, unit and property tests: no browser, no PostgreSQL, no network.
UNITS := tree clustering patterns baselines search recipes demo test_architecture.py
check: .venv/installed
	$(LINT)
	$(PYTEST) flong $(addprefix tests/,$(UNITS))

# Everything except long runs (`make soak`).
test: .venv/installed
	$(LINT)
	$(PYTEST)

# All tests beside four busy loops. The loops end with the run, and after an hour in any case.
test-loaded: .venv/installed
	@loops=; trap 'kill $$loops 2>/dev/null' EXIT; trap 'exit 130' INT TERM HUP; \
	for each in 1 2 3 4; do timeout 3600 sh -c 'while :; do :; done' & loops="$$loops $$!"; done; \
	$(PYTEST)

# Long fuzz runs and floors on real sites: minutes, so that `make test` does not wait for them.
soak: .venv/installed
	$(PYTEST) -m soak

# The documentation as a site, in build/docs: no link is broken, nothing comes from another host.
docs: .venv/installed
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet --site-dir build/docs

# What only benchmarks need: the public extractors we compare with, plots, MinHash.
bench-setup: .venv/installed
	$(INSTALL) --require-hashes -r requirements-bench.txt

INSTALL := $(BIN)/python -m pip install -q --disable-pip-version-check --no-deps
.venv/installed: requirements.txt
	$(PYTHON) -m venv .venv
	$(INSTALL) --require-hashes -r $<
	$(INSTALL) --no-build-isolation --editable .
	@echo "Compiling, once per installation"
	$(BIN)/python -m flong.workers.warm
	touch $@

# After a change of dependencies in pyproject.toml: pin and hash everything anew.
COMPILE := $(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-header --no-annotate -q pyproject.toml \
	$(addprefix --extra ,app docs fleet mcp parquet pdf poet postgres render test visual)
lock: .venv/installed
	$(BIN)/pip install -q uv
	$(COMPILE) --extra bench -o requirements-bench.txt
	$(COMPILE) -c requirements-bench.txt -o requirements.txt

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis
