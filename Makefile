# One command each; every one of them sets itself up from a bare Python 3.11+ with pip.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready

.PHONY: setup demo test laws lint docs bench clean

setup: $(STAMP)

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "anholonomy needs Python 3.11 or newer; set PYTHON=... to one."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $(STAMP)

demo: setup
	$(BIN)/anholonomy study chaplygin-sleigh --output results/chaplygin-sleigh

test: setup
	$(BIN)/python -m pytest -m "not exhaustive"

laws: setup
	$(BIN)/python -m pytest -m exhaustive tests

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: setup
	$(BIN)/python -m sphinx -W --keep-going -b html docs docs/_build/html

bench: setup
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) docs/_build results
