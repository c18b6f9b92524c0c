# Everything here works in .venv, which the first target that needs it makes.

PYTHON ?= python3
BIN := .venv/bin
SOURCES := setup.cfg pyproject.toml README.md LICENSE \
           $(shell find s2s frontends analyses emitters simulators benchmarks -type f \
                     ! -name '*.pyc')

# Modules are compiled once, and not by each of the many processes that tests start.
unexport PYTHONDONTWRITEBYTECODE

# Much of what tests need is never imported, so it is not compiled. Later versions of pip than
# Debian's take half the time.
PIP = $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check

# isl asks for memory all the time: with this library, where it is installed, tests take less.
MALLOC := $(firstword $(wildcard /usr/lib/*/libmimalloc.so.2))

.PHONY: demo test test-thorough renew-tests lint bench docs man clean

demo: .venv/installed
	@$(BIN)/python benchmarks/demo.py

test: .venv/installed-dev
	$(if $(MALLOC),LD_PRELOAD=$(MALLOC)) $(BIN)/python -m pytest -n 2 --dist worksteal --durations=40

# All of what is alike, and many more random inputs: hours.
test-thorough: .venv/installed-dev
	S2S_THOROUGH=1 $(if $(MALLOC),LD_PRELOAD=$(MALLOC)) $(BIN)/python -m pytest -n 2 --dist worksteal

# Write what s2s says now into the expected files of inputs under tests; read the difference then.
renew-tests: .venv/installed-dev
	S2S_RENEW=1 $(BIN)/python -m pytest -q -n 2

lint: .venv/installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy $(foreach package,s2s $(addprefix s2s.,frontends analyses emitters simulators),-p $(package))
	$(BIN)/mypy

bench: .venv/installed-dev
	@mkdir -p out
	$(BIN)/s2s bench --json out/bench.json --csv out/bench.csv --plot out/bench.png

# The site of docs/, in out/site/index.html; nothing is fetched.
docs: .venv/installed-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check '.[docs]'
	$(BIN)/python -m sphinx -q -W --keep-going -j 2 -b html docs out/site

# The manual page; man ./out/man/s2s.1 shows it.
man: .venv/installed
	@mkdir -p out/man
	$(BIN)/s2s man > out/man/s2s.1

clean:
	rm -rf .venv build out s2s.egg-info

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo 's2s needs Python 3.11 or newer; try: make PYTHON=python3.11' >&2; exit 1; }
	@$(PYTHON) -m venv .venv || { rm -rf .venv; \
	    echo 'On Debian and Ubuntu: sudo apt install python3-venv' >&2; exit 1; }

.venv/installed: .venv/bin/python $(SOURCES)
	@echo 'Installing s2s into .venv ...'
	@rm -rf build
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check .
	@touch $@

.venv/installed-dev: .venv/bin/python $(SOURCES)
	@echo 'Installing s2s and its tools into .venv ...'
	@rm -rf build
	@$(PIP) 'pip>=26' 2>/dev/null || true
	@$(PIP) '.[dev]'
	@touch $@ .venv/installed
