# A fresh machine has git, make and Python 3.11 or newer. Everything goes into .venv, and AWS ParallelCluster's
# own package into .venv-parallelcluster: its pins do not go with Pulumi's.
PYTHON ?= python3
BIN := .venv/bin

STACK ?= p5-odcr
JOB ?= nccl-tests
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header

.PHONY: demo rehearse binaries test setup bench fuzz verify lint types imports docs goldens lock clean

demo: setup ; $(BIN)/muster check p5-odcr && $(BIN)/muster plan p5-odcr && $(BIN)/muster job nccl-tests --stack p5-odcr && $(BIN)/muster rehearse p5-odcr --job nccl-tests --if-built
rehearse: setup ; $(BIN)/muster rehearse $(STACK) --job $(JOB)
binaries: setup ; $(BIN)/python -m tools.binaries
# Tests start hundreds of processes: these share compiled modules, whatever the shell forbids.
test: binaries ; PYTHONDONTWRITEBYTECODE= $(BIN)/pytest -n auto --durations=20 --durations-min=1
setup: .venv/.done .venv-parallelcluster/.done
.venv/.done: requirements.txt pyproject.toml tools/setup.py ; $(PYTHON) tools/setup.py
# Where AWS's package could not be installed nothing is touched: the next make tries again.
.venv-parallelcluster/.done: tools/parallelcluster/requirements.txt tools/setup.py ; $(PYTHON) tools/setup.py parallelcluster
bench: binaries ; $(BIN)/python -m tools.bench && $(BIN)/python -m tools.bench_rules && $(BIN)/python -m tools.bench_rehearsal
# Half an hour: ten thousand broken files for each reader. See docs/hostile-input.md.
fuzz: setup ; $(BIN)/python -m tools.fuzz
verify: lint types imports docs
lint: setup ; $(BIN)/ruff check . && $(BIN)/ruff format --check .
types: setup ; $(BIN)/mypy && $(BIN)/mypy examples/consumer-python/__main__.py && $(BIN)/deptry .
imports: setup ; $(BIN)/lint-imports
docs: setup ; $(BIN)/python -m tools.generate --check
goldens: setup ; $(BIN)/python -m tools.generate
lock: setup
	$(COMPILE) --group dev pyproject.toml --output-file requirements.txt
	$(COMPILE) tools/parallelcluster/requirements.in --output-file tools/parallelcluster/requirements.txt
clean: ; rm -rf .venv .venv-parallelcluster build *.egg-info
