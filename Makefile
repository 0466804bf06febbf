# Each target sets up .venv by itself; a machine needs only python3 (3.11 to 3.15).
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo check test docs bench-setup lock clean

demo: .venv/installed
	$(BIN)/flong demo

# Lint, types, doctests, unit and property tests: no browser, no PostgreSQL, no processes.
UNITS := tree clustering patterns baselines search recipes test_architecture.py
check: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy -p flong -p tests -p benchmarks
	$(BIN)/pytest -q -n auto flong $(addprefix tests/,$(UNITS))

# What fails beside other tests on a busy machine is run once more, alone; it is green only then.
test: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy -p flong -p tests -p benchmarks
	$(BIN)/pytest -q -n auto --dist loadfile --no-loadscope-reorder || $(BIN)/pytest -q --last-failed --last-failed-no-failures none

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
