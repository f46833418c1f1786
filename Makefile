# The commands of Ask Small. `make` alone is what has to pass before a change goes in: check and test.
# Everything is installed into .venv; nothing outside this folder is touched, but by `make system`.

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000
QUESTION ?= somewhere quiet for a coffee near the lake?

# The certificates of the machine, so that a network with one of its own is trusted as the machine trusts it.
export UV_SYSTEM_CERTS ?= 1

BIN := .venv/bin
MANAGE := $(BIN)/python manage.py
READY := .venv/.ready
PACKAGES := python3-venv chromium nginx redis-server
PROGRAMS := chromium nginx redis-server

.DEFAULT_GOAL := all
.PHONY: all setup demo run check test long system port programs

all: check test

# The stamp is newer than both locks, so a second run has nothing to do.
setup: $(READY)

$(READY): requirements.lock requirements/uv.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv || { echo "Python 3.11 with its venv module is needed; as root, 'make system' installs it."; exit 1; }
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: PYTHON=/path/to/python make setup")'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/uv.txt
	$(BIN)/uv pip sync --quiet --python $(BIN)/python --require-hashes requirements.lock
	@touch $@

demo: setup port
	$(MANAGE) migrate --verbosity 0
	$(MANAGE) load_demo
	$(MANAGE) publish
	@echo
	@echo "A first question: $(QUESTION)"
	$(MANAGE) ask "$(QUESTION)"
	@echo
	@$(MANAGE) demo_login
	@$(MAKE) --no-print-directory run

run: setup port
	@echo "Ask Small is served at http://$(HOST):$(PORT)/ and its admin at http://$(HOST):$(PORT)/admin/; Ctrl-C ends it."
	@$(BIN)/uvicorn asksmall.asgi:application --host $(HOST) --port $(PORT) --log-level warning || test $$? -eq 130

port: setup
	@$(BIN)/python -c 'import socket; socket.create_server(("$(HOST)", $(PORT))).close()' 2>/dev/null \
	  || { echo "Port $(PORT) of $(HOST) is taken or not allowed; choose another one: make demo PORT=8001"; exit 1; }

# Its own data folder, so that a check leaves an install's data alone.
check: export ASKSMALL_DATA_DIR = var/check
check: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(MANAGE) makemigrations --check --dry-run --verbosity 0 || { echo "The models and the migrations differ: run makemigrations --name WORDS."; exit 1; }
	ASKSMALL_HTTPS=1 $(MANAGE) check --deploy --fail-level WARNING

# Both databases (docs/decisions/0040-sqlite-and-postgresql.md), and between them what the tests have proved.
test: setup programs
	$(BIN)/pytest
	$(MANAGE) rules
	ASKSMALL_TEST_DATABASE=postgres $(BIN)/pytest -m "both_databases and not long"

# What only root can install: said and done without here, a failure where the project is judged.
programs:
	@for program in $(PROGRAMS); do \
	  command -v $$program >/dev/null || { echo "$$program is not installed; the tests that need it are skipped ('make system' as root installs it)."; \
	    test "$$CI" != true || exit 1; }; \
	done

# What takes hours goes here: soak, many publishes, many kills, mutants (docs/mutation.md). So far: every test that is marked long.
long: setup
	$(BIN)/pytest -m long

system:
	@test "$$(id -u)" = 0 || { echo "make system installs Debian packages and needs root: sudo make system"; exit 1; }
	@dpkg-query --show --showformat='$${Status}\n' $(PACKAGES) 2>/dev/null | grep -c '^install ok installed' | grep -qx $(words $(PACKAGES)) \
	  || { apt-get update --quiet && DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet --no-install-recommends $(PACKAGES); }
