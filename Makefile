# Everything is done by lab.py or by a tool in .venv; these are short names for it. Without make, see README.md.

PYTHON ?= python3
ifeq ($(OS),Windows_NT)
BIN := .venv/Scripts/
else
BIN := .venv/bin/
endif
RUN := $(BIN)python -m

.PHONY: lab test environment style types unit notebooks browser constraints platforms wheelhouse

lab: ## open the workbook: make lab, or make lab ARGS=--no-browser
	$(PYTHON) lab.py $(ARGS)

test: style types unit notebooks browser ## everything that CI runs

environment: ## .venv with the tools of developers
	$(PYTHON) lab.py --only-environment --extra dev

style: environment ## how the code is written
	$(RUN) ruff check .
	$(RUN) ruff format --check .

types: environment ## types in the package
	$(RUN) mypy

unit: environment ## unit, property and doc tests
	$(RUN) pytest -n 2 --dist loadfile -m "not browser"

notebooks: export RECALL_LAB_PROGRESS = $(CURDIR)/.recall-lab-learner/progress.json
notebooks: environment ## run the worked notebooks and compare what they print
	rm -rf .recall-lab-learner
	mkdir .recall-lab-learner
	$(RUN) pytest --nbval -n 2 --dist loadfile notebooks/worked

browser: environment ## tests that press keys in a real Chromium
	$(RUN) pytest -m browser

constraints: environment ## pin the newest packages that fit, for every Python and system we support
	$(BIN)uv pip compile --universal --python-version 3.11 --all-extras --no-annotate --quiet \
		--custom-compile-command "make constraints" pyproject.toml > constraints.new
	mv constraints.new constraints.txt

platforms: environment ## would the pinned set install on every Python and system we support?
	$(RUN) authoring.platforms

wheelhouse: environment ## all wheels for a room without a network: make wheelhouse ARGS="--python 3.12 --system windows"
	$(RUN) authoring.wheelhouse $(ARGS)
