# Two commands do everything: `make play` and `make test`. Both set up what they need first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SERVE ?=

.PHONY: play test quick check fix bench clean

play: $(VENV)/installed
	$(BIN)/zermelo play tictactoe --against perfect

test: $(VENV)/test-installed
	$(BIN)/python -m pytest --cov --cov-report=term

quick: $(VENV)/test-installed
	$(BIN)/python -m pytest -m "not slow and not e2e"

check: $(VENV)/test-installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

fix: $(VENV)/test-installed
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/test-installed
	$(BIN)/python -m benchmarks.engine

clean:
	rm -rf $(VENV) node_modules static/vendor

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Zermelo needs Python 3.11 or later: make PYTHON=/path/to/python3"; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable .
	@touch $@

$(VENV)/test-installed: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[test]'
	.ci/chromium $(BIN)/python
	@touch $@
