# One command each; every one of them sets itself up from a bare Python 3.11+ with pip.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
RUNS := $(VENV)/.runs

# Tests and examples start many processes; each would compile every module again where the variable forbids to keep what was compiled.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup demo test laws answers lint docs bench lock clean

setup: $(STAMP)

# An environment from a list of versions; the package itself is looked at where it lies. Modules are compiled when they are imported: compiling
# all of them in advance takes most of an installation.
define install
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "anholonomy needs Python 3.11 or newer; set PYTHON=... to one."; exit 1; }
$(PYTHON) -m venv $(VENV)
$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -r $(1)
$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
endef

# What the package needs to run is a third of what its tests need; the demonstration starts with that.
$(RUNS): requirements-run.lock pyproject.toml
	$(call install,requirements-run.lock)
	@touch $@

$(STAMP): requirements.lock requirements-run.lock pyproject.toml
	$(call install,requirements.lock)
	@touch $(RUNS) $@

demo: $(RUNS)
	$(BIN)/anholonomy study chaplygin-sleigh --output results/chaplygin-sleigh

test: setup
	$(BIN)/python -m pytest -m "not exhaustive"

laws: setup
	$(BIN)/python -m pytest -m exhaustive tests

# Every question that the catalogue was asked, asked again: ten minutes of a core.
answers: setup
	$(BIN)/python -m tests.answers compare --jobs 2

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: setup
	$(BIN)/python -m sphinx -W --keep-going -b html docs docs/_build/html

bench: setup
	$(BIN)/python -m benchmarks

# The newest versions that fit, frozen: all of them, and those that are needed to run.
FREEZE := .lock/bin/python -m pip freeze --exclude-editable | sed 's/^heyoka==.*/&; sys_platform == "linux"/'
lock:
	$(PYTHON) -m venv --clear .lock
	.lock/bin/python -m pip install --quiet --disable-pip-version-check -e ".[test,lint,docs]" hatchling editables
	$(FREEZE) > requirements.lock
	$(PYTHON) -m venv --clear .lock
	.lock/bin/python -m pip install --quiet --disable-pip-version-check -c requirements.lock -e . hatchling editables
	$(FREEZE) > requirements-run.lock
	rm -rf .lock

clean:
	rm -rf $(VENV) docs/_build results
