# Each target sets up .venv by itself; a machine needs only python3 (3.11 to 3.15).
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo check test test-loaded soak docs bench-setup lock clean

demo: .venv/installed
	$(BIN)/flong demo

LINT = $(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy -p flong -p tests -p benchmarks
# Tests start hundreds of processes: each would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE
PYTEST := $(BIN)/pytest -q -n auto --dist loadfile --no-loadscope-reorder --durations=20 -rs

# Lint, types, doctests, unit and property tests: no browser, no PostgreSQL, no network.
UNITS := tree clustering patterns baselines search recipes demo test_architecture.py
check: .venv/installed
	$(LINT)
	$(PYTEST) flong $(addprefix tests/,$(UNITS)) $(filter-out %_package.py %_poet.py,$(wildcard tests/flong/test_*.py))

# Everything except long runs (`make soak`).
test: .venv/installed
	$(LINT)
	$(PYTEST)

# All tests beside four busy loops. The loops end with the run, and after an hour in any case.
test-loaded: .venv/installed
	@loops=; trap 'kill $$loops 2>/dev/null' EXIT; trap 'exit 130' INT TERM HUP; \
	for each in 1 2 3 4; do timeout 3600 sh -c 'while :; do :; done' & loops="$$loops $$!"; done; \
	$(PYTEST)

# Minutes that `make test` does not wait for: floors on real sites, other examples of properties,
# mutated pages, a site of 3,000 pages, and a night that is killed again and again.
soak: .venv/installed
	$(PYTEST) -m soak
	$(PYTEST) -m "hypothesis and not soak" --hypothesis-profile=random
	$(BIN)/python -m benchmarks.faults.fuzz --pages 5000
	$(BIN)/python -m benchmarks.faults.soak --pages 3000
	$(BIN)/python -m benchmarks.faults.kills 5

# Build the documentation site into build/docs; fail on a broken link.
docs: .venv/installed
	$(BIN)/zensical build --strict --clean

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
	$(addprefix --extra ,app docs fleet mcp parquet pdf poet postgres render test visual xlsx)
lock: .venv/installed
	$(BIN)/pip install -q uv
	$(COMPILE) --extra bench -o requirements-bench.txt
	$(COMPILE) -c requirements-bench.txt -o requirements.txt

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis
