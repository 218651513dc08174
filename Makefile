# Everything to do with this checkout; `make` alone lists what there is.

SHELL := /bin/sh
VENV := .venv
TABLE := outputs/bench.md
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
PYTHONS = $(or $(foreach v,3.11 3.12 3.13 3.14,$(shell python$(v) -c '' 2>/dev/null && echo python$(v))),$(BIN)/python)
OLDEST = $(shell $(BIN)/python -c "import re, tomllib; print(*(re.sub('>=([^,]+).*', r'==\1', line) for line in tomllib.load(open('pyproject.toml', 'rb'))['project']['dependencies']))")
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# What an installation is tried with.
TRIED := bin/pigevo --version && bin/pigevo duel hold_at:20 optimal && bin/pigevo experiment=cube_random debug=fast

# The pip of a fresh machine may want a home for its cache and find none.
export PIP_NO_INPUT := 1

# Tests and commands start many processes: each would compile the modules of the package again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run test test-slow test-long test-bounds test-oldest test-ray test-slurm test-page test-docs test-wheel check coverage bench docs clean
.DEFAULT_GOAL := help

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(firstword $(MAKEFILE_LIST)) | while IFS='|' read -r name text; do printf '%-18s %s\n' "$$name" "$$text"; done

run: $(VENV)/.run ## the main job: evolve strategies by cubes, with a mutation of 0.005
	$(BIN)/python -m pigevo experiment=cube_random mutation=0.005

test: $(VENV)/.test ## the test suite, without what is marked slow
	$(BIN)/python -m pytest -n auto --dist worksteal

test-slow: $(VENV)/.test ## the tests that take more than a few seconds each
	$(BIN)/python -m pytest -n auto --dist worksteal -m slow

test-long: $(VENV)/.test ## the tests that take minutes, and what pages say was measured, measured again
	$(BIN)/python -m pytest -n auto --dist worksteal -m long

test-bounds: $(VENV)/.test ## the golden digests with all places in arrays checked
	$(BIN)/python -m pytest -m bounds

test-oldest: $(VENV)/.python ## the test suite with the oldest packages that pyproject.toml allows, for Python 3.11 and 3.12
	rm -rf build/oldest && $(BIN)/python -m venv build/oldest
	build/oldest/bin/python -m pip install --quiet --disable-pip-version-check -e '.[test]' $(OLDEST)
	build/oldest/bin/python -m pytest -n auto --dist worksteal

test-ray: $(VENV)/.ray ## a sweep on a Ray cluster of two nodes on this machine, one of which is killed
	$(BIN)/python -m pytest -m ray tests/sweeps/test_launchers.py

test-slurm: $(VENV)/.slurm ## a sweep on Slurm on this machine (Debian: apt-get install slurm-wlm munge; as root)
	@command -v sbatch >/dev/null || { echo "Slurm is not here: apt-get install slurm-wlm munge" >&2; exit 1; }
	$(BIN)/python -m pytest -m slurm tests/sweeps/test_launchers.py

test-page: $(VENV)/.page ## the page in a browser (Debian: apt-get install chromium chromium-driver)
	@command -v chromium >/dev/null && command -v chromedriver >/dev/null || { echo "Chromium is not here: apt-get install chromium chromium-driver" >&2; exit 1; }
	$(BIN)/python -m pytest -m page tests/web

check: $(VENV)/.check ## style, types, docstrings and workflow files
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy
	$(BIN)/python -m interrogate --quiet --fail-under 100 --ignore-init-method --ignore-magic --ignore-private --ignore-semiprivate --ignore-nested-functions --ignore-overloaded-functions --exclude 'experiments/*/tests' pigevo experiments
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/zizmor --offline --quiet .github

coverage: $(VENV)/.coverage ## which lines the tests reach, kernels included, and no fewer than before
	$(BIN)/python -m pytest -n auto --dist worksteal --cov --cov-report=term

bench: $(VENV)/.bench ## one table of time, memory and growth, with peers beside it (TABLE=file.md)
	$(BIN)/python -m tests.bench.table $(TABLE)

docs: $(VENV)/.docs ## the documentation, in docs/_build/html/index.html: some minutes
	$(BIN)/python -m sphinx -W --keep-going -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

test-docs: $(VENV)/.docs ## the documentation built and looked at: no warning, no other host, no link that leads nowhere
	$(BIN)/python -m pytest -m docs tests/docs

test-wheel: $(VENV)/.python ## the source archive and the wheel from it, in dist, each tried without the checkout by all of PYTHONS
	rm -rf dist build
	$(BIN)/python -m pip install --quiet --disable-pip-version-check build
	$(BIN)/python -m build --outdir dist .
	set -e; for python in $(PYTHONS); do for archive in dist/*.whl dist/*.tar.gz; do \
	  echo "$$archive with $$python"; rm -rf build/fresh; $$python -m venv build/fresh; \
	  build/fresh/bin/python -m pip install --quiet --disable-pip-version-check $$archive; \
	  (cd build/fresh && $(TRIED)); \
	done; done
	set -e; if $(BIN)/python -c 'import sys; sys.exit(sys.version_info >= (3, 13))'; then \
	  echo "the oldest packages"; rm -rf build/fresh; $(BIN)/python -m venv build/fresh; \
	  build/fresh/bin/python -m pip install --quiet --disable-pip-version-check dist/*.whl $(OLDEST); \
	  (cd build/fresh && $(TRIED)); \
	fi

clean: ## remove the environment and what tools have left, but no results
	rm -rf $(VENV) build dist docs/_build docs/reference/api *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find pigevo tests -name __pycache__ -type d -prune -exec rm -rf {} +

# A file in the environment says which extra it holds; it is older than pyproject.toml
# when the dependencies may have changed.
$(VENV)/.run: $(VENV)/.python pyproject.toml
	@echo "installing pigevo and what it needs into $(VENV): about a minute; then the first run also compiles for some ten seconds"
	$(PIP_INSTALL) -e .
	@touch $@

$(VENV)/.test $(VENV)/.check $(VENV)/.bench: $(VENV)/.%: $(VENV)/.python pyproject.toml
	$(PIP_INSTALL) -e '.[$*]'
	@touch $@

$(VENV)/.coverage $(VENV)/.ray $(VENV)/.slurm $(VENV)/.page $(VENV)/.docs: $(VENV)/.%: $(VENV)/.python pyproject.toml
	$(PIP_INSTALL) -e '.[test,$*]'
	@touch $@

# PYTHON=command is tried first.
$(VENV)/.python:
	@for python in $(PYTHON) python3.11 python3 python3.12 python3.13 python3.14; do \
	  if "$$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null; then \
	    echo "making $(VENV) with $$python"; \
	    "$$python" -m venv $(VENV) || { echo "$$python cannot make an environment: install its venv module (python3-venv)." >&2; rm -rf $(VENV); exit 1; }; \
	    touch $@; exit 0; \
	  fi; \
	done; \
	echo "pigevo needs Python 3.11, 3.12, 3.13 or 3.14, and neither python3 nor any python3.11 to python3.14 is one: install it from python.org or with your package manager." >&2; \
	exit 1
