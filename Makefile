# Scrubjay: everything a newcomer needs is `make run` and `make test`.
SHELL  := /bin/bash
ifeq ($(OS),Windows_NT)
PYTHON ?= python
BIN    := .venv/Scripts
else
PYTHON ?= python3
BIN    := .venv/bin
endif
VAULT  ?=
PORT   ?=
LANGUAGES ?=
WIDTHS ?=
PROGRAM ?= $(CURDIR)/dist/bundle/scrubjay/scrubjay

# Each daemon that a test starts would compile our modules anew: half a second of processor time.
export PYTHONDONTWRITEBYTECODE :=

PLUGIN_SOURCES := $(shell find obsidian-plugin -type f -not -path '*/node_modules/*' -not -name main.js 2>/dev/null) $(wildcard daemon/sentences/*.json)

.PHONY: help setup run run-team check mutants test test-unit test-integration test-panel test-browser test-slow test-slow-panel test-properties typings test-bundle pictures soak lint lint-python lint-panel lint-workflows format wire lock bench growth bench-team bench-public house quality dist multilingual docs bundle deb channels sums check-release reproduce release plugin-repo first-minutes first-five-minutes checkers try-deb check-tag draft published clean

help: ## say what each target does
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

.make/python: requirements.lock pyproject.toml
	@mkdir -p .make
	@echo "Installing Python packages into .venv"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

.make/node: obsidian-plugin/package-lock.json
	@mkdir -p .make
	@echo "Installing what the search page is built with"
	@cd obsidian-plugin && npm ci --no-audit --no-fund --no-update-notifier --loglevel=error > /dev/null
	@touch $@

.make/mcp-clients: tests/integration/mcp/sdks/package-lock.json
	@mkdir -p .make
	cd tests/integration/mcp/sdks && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error
	@touch $@

.make/panel: .make/node $(PLUGIN_SOURCES)
	@echo "Building the search page"
	@cd obsidian-plugin && npm run --silent build
	@touch $@

setup: .make/python .make/panel ## make .venv with locked packages and build the search page; leaves .venv/bin/scrubjay

run: setup ## index VAULT (or the bundled sample vault), start the daemon, print the search page's address
	@$(BIN)/python packaging/try_it.py $(if $(VAULT),--vault "$(VAULT)") $(if $(PORT),--port $(PORT))

run-team: setup ## a team's server with three people on VAULT (or the sample vault), until Ctrl-C; prints how to search as each
	@$(BIN)/python packaging/team/try_team.py $(if $(VAULT),--vault "$(VAULT)")

check: setup ## lint what changed since this branch left BASE (main) and run the tests that it touches: a minute
	$(BIN)/python -m tests.check $(if $(BASE),--base "$(BASE)")

mutants: setup ## COUNT (40) mistakes made in the code of FOLDER, drawn by SEED (1), one at a time: which of them no unit test notices; some 10 s each
	$(BIN)/python -m tests.check.mutation $(FOLDER) --count $(or $(COUNT),40) --seed $(or $(SEED),1)

# All at once: each waits for much of its time, and what a busy machine delays is to be seen.
test: setup .make/mcp-clients ## unit, integration and browser tests; what they write to disk goes once all have passed
	@folder=$$(mktemp -d "$$($(BIN)/python -m tests.helpers.quick_place)/sj-XXXXXX") && \
	{ TMPDIR=$$folder $(MAKE) -j4 test-browser test-panel test-integration test-unit && rm -rf "$$folder" || \
	{ echo "What the tests left is in $$folder." >&2; exit 1; }; }

test-unit: setup
	$(BIN)/python -m pytest -p tests.helpers.minute_report -m "not slow" tests/unit

# Three at once also on two cores: much of a test is waiting, but each worker loads and collects everything. A file stays together, for what its tests share; slow files come first.
test-integration: setup .make/mcp-clients
	$(BIN)/python -m pytest -p tests.helpers.minute_report -m "not slow" -n 3 --dist loadfile --no-loadscope-reorder --ignore=tests/unit

test-panel: setup
	cd obsidian-plugin && npx --no-install vitest run --project unit --project plugin

test-browser: setup
	cd obsidian-plugin && npx --no-install vitest run --project e2e

test-slow: setup .make/mcp-clients ## fault injection, soak and stress, the page in all states and languages, new examples for the properties: half an hour
	$(BIN)/python -m pytest -p tests.helpers.minute_report -m slow -n 3 --dist loadfile --no-loadscope-reorder
	$(MAKE) -j3 test-slow-panel test-properties typings

test-slow-panel: setup
	cd obsidian-plugin && npx --no-install vitest run --project slow

test-properties: setup
	$(BIN)/python -m pytest -m "hypothesis and not slow" --hypothesis-profile exploring tests/unit

typings: setup ## compiles the plugin with the typings of each Obsidian that it runs on, got from npm
	cd obsidian-plugin && node typings/check.mjs

pictures: setup ## every state of the page, both schemes, four widths, six languages, in build/pictures/; axe in each (LANGUAGES="en de", WIDTHS=390 for less)
	cd obsidian-plugin && LANGUAGES="$(LANGUAGES)" WIDTHS="$(WIDTHS)" npm run --silent pictures

soak: setup ## half an hour of changes, searches and kills over 10,000 notes, then a comparison with a full rescan
	$(BIN)/python -m tests.soak

lint: setup ## ruff, pyright strict, import-linter, prettier, eslint, tsc, the schema of workflows
	$(MAKE) -j2 lint-python lint-panel lint-workflows

lint-python: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	$(BIN)/lint-imports

lint-panel: setup
	cd obsidian-plugin && npm run --silent lint

lint-workflows: setup
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --quiet --builtin-schema custom.github-workflows-require-timeout .github/workflows/*.yml

wire: .make/python ## write the panel's types from the API's endpoints and from the sentences (src/api/wire.ts, src/words/keys.ts)
	$(BIN)/python packaging/wire_types.py
	$(BIN)/python packaging/sentence_types.py

format: .make/python .make/node ## let ruff and prettier put the code in order
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	cd obsidian-plugin && npm run --silent format

bench: setup ## speed and memory, printed as figures and ratios (VAULT=path for your own)
	$(BIN)/python -m tests.bench $(if $(VAULT),--vault "$(VAULT)")

growth: setup ## an hour of work on generated vaults of NOTES, twice and four times as many notes: a table of how each figure grows
	$(BIN)/python -m tests.bench.growth $(if $(NOTES),--notes $(NOTES))

bench-team: setup ## a team's profile on a server of this machine, beside a file of the same passages (VAULT=path)
	$(BIN)/python -m tests.bench.team --vault "$(VAULT)"

house: setup ## how large the house is and how far it is through it; nothing is enforced
	$(BIN)/python -m tests.bench.house

quality: setup ## retrieval quality on the collections below SCRUBJAY_EVAL
	$(BIN)/python -m tests.quality

bench-public: setup ## figures that others publish: LoCoMo below SCRUBJAY_EVAL, LongMemEval-S where its file is given (LONGMEMEVAL=path), an agent's tasks
	$(BIN)/python -m tests.quality.public $(if $(LONGMEMEVAL),--longmemeval "$(LONGMEMEVAL)")
	$(BIN)/python -m tests.bench.agents

.make/release: .make/python packaging/locks/release.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r packaging/locks/release.lock
	@touch $@

dist: setup .make/release ## wheel, sdist, plugin, MCP bundle, SBOM and licences in dist/
	$(BIN)/python packaging/release/dist.py

multilingual: ## the package that brings a model for a hundred languages, in dist/; downloads 91 MB
	@mkdir -p .make
	test -x .make/multilingual/bin/python || $(PYTHON) -m venv .make/multilingual
	.make/multilingual/bin/python -m pip install --quiet --disable-pip-version-check -r packaging/multilingual/requirements.txt
	.make/multilingual/bin/python packaging/multilingual/build.py

docs: setup .make/release ## the documentation site in site/; a broken link fails
	$(BIN)/python packaging/site/gather.py .make/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict -f .make/site/mkdocs.yml -d "$(CURDIR)/site" 2>&1 | grep -v "^INFO" ; exit $${PIPESTATUS[0]}
	$(BIN)/python packaging/site/check_offline.py site
	@echo "site/index.html"

bundle: setup .make/release ## the stand-alone program in dist/bundle/, tried once built; size and time to start are printed
	$(BIN)/python packaging/bundle/build.py

# What runs the program as a person or an agent would, so that any build of it can be put in its place.
PROGRAM_TESTS := $(addprefix tests/integration/,test_bad_input.py test_corrupt.py test_credentials.py test_kill.py \
	test_privacy.py test_refilter.py runtime/test_daily_use.py cli/test_evaluate.py cli/test_for_agents.py mcp packaging/test_setup.py)

test-bundle: setup ## the end-to-end tests, on the stand-alone program that `make bundle` has made (PROGRAM=path for another)
	SCRUBJAY_PROGRAM="$(PROGRAM)" $(BIN)/python -m pytest -m "not slow" $(PROGRAM_TESTS)
	cd obsidian-plugin && SCRUBJAY_PROGRAM="$(PROGRAM)" npm run --silent test:e2e

deb: bundle ## a Debian package of the bundle in dist/
	$(BIN)/python packaging/deb/build.py

channels: setup .make/release ## what Homebrew, AUR, Scoop, winget and the MCP registry need, in dist/channels/, from the files in dist/
	$(BIN)/python packaging/channels/write.py

sums: .make/python ## SHA256SUMS of everything in dist/
	$(BIN)/python packaging/release/sums.py

check-release: .make/python ## what is in dist/, looked at by each channel's own checker, where it is installed
	$(BIN)/python packaging/release/check.py

reproduce: setup .make/release ## build what is in dist/ again from a copy of this tree elsewhere: the same bytes, or their names
	$(BIN)/python packaging/release/reproduce.py

first-minutes: setup ## from what is in dist/ to a first result over 1,000 notes, each way of installing, timed (VAULT=path for your own)
	VAULT="$(VAULT)" $(BIN)/python packaging/first_minutes.py

first-five-minutes: ## from a bare clone of this tree to a first search, and its tests, with an empty home
	packaging/first_five_minutes.sh

checkers: ## install, as root, what Debian has of the checkers that `make check-release` runs
	sudo apt-get update
	sudo apt-get install --yes desktop-file-utils lintian ruby shellcheck

try-deb: ## install the Debian package in dist/ on this machine, use it, and remove it, as root
	sudo packaging/deb/try_it.sh dist/scrubjay_*.deb

plugin-repo: setup ## the plugin's own repository, as Obsidian's directory wants it, in dist/plugin-repo/
	$(BIN)/python packaging/plugin_repo/make.py

# Nothing leaves this machine: it changes the tree and fills dist/. What is left to do by hand, it says.
release: setup .make/release ## VERSION=1.2.0: that version and today's date everywhere, and everything that a release needs in dist/
	$(BIN)/python packaging/release/bump.py "$(VERSION)"
	$(MAKE) dist
	$(MAKE) deb
	$(MAKE) channels plugin-repo sums check-release reproduce
	@echo "Look at git diff, then: git commit -am 'release $(VERSION)' && git tag $(VERSION) && git push origin $(VERSION)"

check-tag: ## TAG=1.2.0 REPOSITORY=owner/name: what the files name, too
	test "$(TAG)" = "$$(sed -n 's/^__version__ = "\(.*\)"$$/\1/p' daemon/__init__.py)"
	test "$(REPOSITORY)" = "$$(sed -n 's/^repository = "\(.*\)"$$/\1/p' pyproject.toml)"

draft: ## TAG=1.2.0: a draft of a release, with everything in dist/, on GitHub; needs gh, logged in
	tar -C dist -czf channels.tar.gz channels
	find dist -maxdepth 1 -type f -print0 | xargs -0 gh release create "$(TAG)" --draft --verify-tag --title "$(TAG)" channels.tar.gz

published: ## TAG=1.2.0: wheel and sdist of a release on GitHub, checked by digest and attestation, into dist/; needs gh
	gh release download "$(TAG)" --dir files
	cd files && tar -xzf channels.tar.gz && sha256sum --check --strict SHA256SUMS
	mkdir -p dist
	cp files/scrubjay-*-py3-none-any.whl "files/scrubjay-$(TAG).tar.gz" dist/
	for file in dist/*; do gh attestation verify "$$file" --repo "$(REPOSITORY)" || exit 1; done

LOCK := $(BIN)/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	--no-emit-index-url --no-emit-find-links

lock: ## write requirements.lock (and those of packaging/) anew from pyproject.toml, for every platform
	$(LOCK) --extra dev -o requirements.lock
	$(LOCK) --extra tray -c requirements.lock -o packaging/locks/runtime.lock
	$(LOCK) --extra dev --extra release -c requirements.lock -o packaging/locks/release.lock

clean: ## forget what was built (never the notes or their indexes)
	rm -rf .venv .make obsidian-plugin/node_modules obsidian-plugin/main.js daemon/server/static daemon/cli/plugin_files
