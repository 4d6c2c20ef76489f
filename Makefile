# Two commands for a newcomer: `make demo` and `make test`. Both set up everything first.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# What published benchmarks need beside Python packages, on Debian; `libdrift doctor` names it.
SYSTEM := libsndfile1 libspatialindex-c6 ffmpeg libfreetype-dev pkg-config libqhull-dev wordnet-base

.PHONY: demo test docs bench-wheel bench-hostile bench-execution bench-surface bench-mining bench-usage bench-check bench-migrate bench-metrics bench-eval bench-retrieval bench-mcp bench-soak bench-rust bench-jdk bench-explorer bench-scale system-pieces lint types contracts unit sandbox browser setup lock clean help

help:
	@echo "make demo    run the main job on shipped data"
	@echo "make test    lint, types, import contracts, tests"
	@echo "make docs    the site of docs/, into site/"
	@echo "make bench-hostile   the hostile corpus against many tests, beside honest answers"
	@echo "make bench-execution   the fork server against fresh processes, on GitChameleon"
	@echo "make bench-surface   surfaces against introspection of installed packages"
	@echo "make bench-mining   static extraction against griffe"
	@echo "make bench-usage    the reading of uses against jedi"
	@echo "make bench-check   what breaks on another version, on PCBench, beside type checkers"
	@echo "make bench-migrate   repairs of what breaks, on PCBench"
	@echo "make bench-metrics   metrics on text against their plain definitions"
	@echo "make bench-eval   what asking costs beside the model, killed and resumed"
	@echo "make bench-retrieval   whether the right document of the right version is found"
	@echo "make bench-mcp   the server for agents: start, latency, memory, many clients"
	@echo "make bench-soak   commands under faults for an hour: nothing lost, changed or left"
	@echo "make bench-rust   Rust verdicts against one plain compiler a candidate"
	@echo "make bench-jdk   surfaces of the JDK against javac --release"
	@echo "make bench-explorer   the explorer with 10,000 and 100,000 answers, in a browser"
	@echo "make bench-wheel   the wheel, installed by pip and run, on every Python it is for"
	@echo "make bench-scale   a Ray cluster of three nodes against this machine alone, with kills"
	@echo "make system-pieces   system libraries and data that published benchmarks need"
	@echo "make setup   only set up .venv and the sandbox"
	@echo "make clean   remove .venv, caches and ./runs"

# Soak: the hostile corpus against many tests, forked and fresh, beside honest answers; and once more
# as an ordinary user, where root runs it.
bench-hostile: setup
	$(BIN)/python benchmarks/forgers.py --rounds 4
	@if [ "$$(id -u)" = 0 ]; then $(BIN)/python benchmarks/forgers.py --rounds 2 --ordinary-user; fi

# Fork server against a fresh pytest process per answer, on GitChameleon.
bench-execution: setup
	$(BIN)/python benchmarks/execution.py

bench-surface: setup
	$(BIN)/python benchmarks/surface.py

bench-mining: setup
	$(BIN)/uv sync --frozen --quiet --group bench
	$(BIN)/python benchmarks/mining.py

bench-usage: setup
	$(BIN)/uv sync --frozen --quiet --group bench
	$(BIN)/python benchmarks/usage.py

bench-check: setup
	$(BIN)/python benchmarks/check.py

bench-migrate: setup
	$(BIN)/python benchmarks/migrate.py

bench-metrics: setup
	$(BIN)/python benchmarks/metrics.py

bench-eval: setup
	$(BIN)/python benchmarks/eval_overhead.py

bench-retrieval: setup
	$(BIN)/python benchmarks/retrieval.py

bench-mcp: setup
	$(BIN)/python benchmarks/mcp_server.py

bench-soak: setup
	$(BIN)/python -m benchmarks.soak --minutes 60 --beside 4

bench-rust: setup
	$(BIN)/python benchmarks/rust_execution.py

bench-jdk: setup
	$(BIN)/python benchmarks/jdk_surfaces.py

bench-explorer: setup browser
	$(BIN)/python benchmarks/explorer.py

bench-wheel: setup
	$(BIN)/python benchmarks/wheel.py

# A warning ends the build: links, anchors and names that lead nowhere, pages that are not in the navigation.
docs: setup
	$(BIN)/uv sync --frozen --quiet --group docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "site/index.html"

bench-scale: setup
	$(BIN)/python -m benchmarks.scale

system-pieces: setup
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && apt-get install -y -qq $(SYSTEM); \
		else echo "Install with: apt-get install $(SYSTEM)"; fi
	$(BIN)/python -m libdrift.environments.wordnet

demo: setup
	$(BIN)/libdrift demo

test: lint types contracts unit

lint: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: setup
	$(BIN)/mypy

contracts: setup
	$(BIN)/lint-imports

# One process more than cores, because many tests wait for guests. A process that has finished its
# own share takes over tests of another one.
unit: setup browser
	$(BIN)/python -m pytest --numprocesses $$(($$(nproc) + 1)) --dist worksteal --durations 20 --durations-min 5

setup: $(VENV)/.ready sandbox

# uv is one of libdrift's own dependencies: pip brings the first one, the lock file the exact one.
$(VENV)/.ready: pyproject.toml uv.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "libdrift needs Python 3.11 or newer: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 2; }
	@test -x $(BIN)/uv || { $(PYTHON) -m venv $(VENV) && $(BIN)/python -m pip install --quiet "uv>=0.9,<1"; }
	$(BIN)/uv sync --frozen --quiet --compile-bytecode
	@touch $@

# The bubblewrap that came with `uv sync` is used where it starts, else a system's. Only
# where neither starts is Debian's installed, if we may; else the line to install it is printed.
sandbox: $(VENV)/.ready
	@$(BIN)/python -m libdrift.sandbox 2>/dev/null || { \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			apt-get update -qq && apt-get install -y -qq bubblewrap; fi; \
		$(BIN)/python -m libdrift.sandbox; }

# Tests of the explorer run in a real browser: the system's, installed where we may. Where there is
# none they are skipped, and the line to install it is printed.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || \
		command -v google-chrome >/dev/null || { \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium || true; fi; \
		command -v chromium >/dev/null || \
			echo "No browser: tests of the explorer are skipped. Install with: apt-get install chromium"; }

lock:
	$(BIN)/uv lock

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis runs dist site
