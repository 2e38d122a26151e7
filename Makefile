# Two commands matter: `make run` and `make test`. Both install what a bare Debian lacks, and announce it first.

.DEFAULT_GOAL := help
.PHONY: help run test test-all test-release durations build deb deb-arm64 tarball tarball-arm64 release lint format hooks unit \
	mutants fuzz libfuzzer arm64 arm64-lab arm64-guide arm64-service prepare-lab lab lab-quick service libcamera \
	feeds cameras cameras-slow pages web web-slow docs metrics broker broker-slow browser browser-slow home-assistant \
	kiosk package-test soak bench container bench-fanout bench-footprint bench-arm64 bench-page bench-fleet bench-kiosk clean \
	swift packages deb-packages test-packages patched

# The arguments that `make run` passes to the program, such as ARGS="--port 9000".
ARGS ?=

# The target whose tests `make unit` runs; all by default.
TARGET ?=

# How long `make soak` runs.
MINUTES ?= 30

# How long each target of `make fuzz` and `make libfuzzer` runs, and which targets the latter runs (five by default).
SECONDS ?= 30
FUZZ_TARGETS ?=

# Options for pytest that select tests, such as SELECTION='-k login' or SELECTION='-m "not release"'.
SELECTION ?=

# The seed of `make fuzz`, `make web` and `make mutants`. It is the same each time, so that a failure is due to the
# change under test.
SEED ?= 1

# How many mutants `make mutants` tries, in which folders of Sources (all by default), and the percentage of them that
# the tests must detect.
COUNT ?= 100
TARGETS ?=
MINIMUM ?= 0

# Set by test-all and test-release, which make the package and the archive once: their parts run side by side, and one that
# made them again would take them from the others, since the linker runs at each build.
PACKAGED ?=

# The program that the tests run.
export SWATCHCAM ?= $(CURDIR)/.build/release/swatchcam

swift_sources := Sources Tests Plugins Package.swift
shell_scripts := .ci/run Packaging/container/start Packaging/tarball/install $(addprefix Packaging/debian/,postinst postrm prerm) $(filter-out %.py %__pycache__ %hooks,$(wildcard Scripts/*)) $(wildcard Scripts/hooks/*) \
	Packaging/kiosk/swatchcam-kiosk $(addprefix Tests/Arm64/,guide guide-commands guide-root guide-setup lab service) \
	Tests/Lab/lab Tests/Lab/prepare Tests/Lab/kernel-modules Tests/Lab/systemd-root $(addprefix Tests/,Broker/certificates Feeds/install Feeds/run HomeAssistant/prepare Libcamera/install Libcamera/run Metrics/prometheus Service/install Service/run Service/stage)
python_sources := Tests $(wildcard Scripts/*.py) $(wildcard Benchmarks/*.py)
python := .venv/bin/python
# All tests of a file run in one process, one after another. Tests often wait, those of the broker most of all, so more
# processes than two keep two processors busy.
in_parallel = -n $(1) --dist loadfile
ruff := --config Tests/ruff.toml

help: ## Print this list
	@sed -n 's/^\([a-z0-9-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS='	' read -r name text; do \
		printf '  make %-14s %s\n' "$$name" "$$text"; done

run: build ## Build and run Swatchcam (pass arguments with ARGS="--port 9000")
	@exec .build/release/swatchcam $(ARGS)

# Tests the debug build, which the unit tests need anyway.
test: export SELECTION = -m "not slow and not release"
test: export SWATCHCAM = $(CURDIR)/.build/debug/swatchcam
test: swift test-packages $(python) ## Test what a change may break: style, units, a test camera, the web server, the pages
	@rm -rf .build/test-parts
	@Scripts/test-parts "unit lint" "pages cameras web lab-quick browser broker docs"

test-all: export SELECTION = -m "not release"
test-all: export PACKAGED = yes
test-all: test ## Test everything, most of it on the release build: also the lab, systemd, the kiosk, the package (as root)
	@Scripts/test-parts "build prepare-lab" deb tarball "kiosk web-slow broker-slow cameras-slow" browser-slow \
		"lab service package-test feeds libcamera fuzz metrics arm64"

test-release: export PACKAGED = yes
test-release: swift test-packages $(python) ## Test also what only a release needs: every format, Debian and machine, Home Assistant, a long run (as root)
	@rm -rf .build/test-parts
	@Scripts/test-parts "unit lint" "build prepare-lab" deb tarball tarball-arm64 "kiosk pages cameras web broker docs" browser \
		"lab arm64-lab service package-test feeds libcamera fuzz metrics arm64" \
		arm64-service arm64-guide home-assistant libfuzzer soak

durations: ## Print where the time of the last `make test`, `test-all` or `test-release` went
	@python3 Scripts/durations.py

build: patched ## Build the release binary, .build/release/swatchcam
	Scripts/build-program

deb: build deb-packages ## Make the Debian package, .build/deb/swatchcam_VERSION_ARCHITECTURE.deb
	Scripts/build-deb

deb-arm64: ## Make the package for arm64, .build/deb-arm64/swatchcam_VERSION_arm64.deb, on amd64 (as root)
	@Scripts/install-packages arm64
	Scripts/build-arm64

tarball: build ## Make the archive for other distributions, .build/tarball/swatchcam-VERSION-linux-ARCHITECTURE.tar.gz
	Scripts/build-tarball

tarball-arm64: ## Make that archive for arm64, on amd64 (as root)
	@Scripts/install-packages arm64
	Scripts/build-arm64 --tarball

container: $(if $(PACKAGED),,tarball) test-packages ## Make the images for containers and the add-on for Home Assistant, in .build/container (as root)
	Scripts/build-container

release: ## Make packages, archives and images of a tagged version, their checksums and notes, in .build/dist (as root, TAG=v1.2.3)
	Scripts/release

lint: swift test-packages $(python) ## Check the style of Swift, shell, Python and the pages, the layers, the codes of errors
	swift format lint --strict --parallel --recursive $(swift_sources)
	shellcheck $(shell_scripts)
	$(python) Scripts/layers.py
	$(python) Scripts/codes.py
	# Addresses are relative, so that a proxy can show the pages under any path.
	! grep -rnE '(href|src|action)="/' Templates
	! grep -rnE '^[^*]*["`]/(api|ws|stream|snapshot|history|samples|palette|kiosk|resources|login)' Resources --include='*.js'
	$(python) -m ruff check $(ruff) $(python_sources)
	$(python) -m ruff format --check $(ruff) $(python_sources)
	tsc --project Tests/tsconfig.json
	$(python) -m check_jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(python) -m check_jsonschema --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/[!c]*.yml
	! command -v actionlint > /dev/null || actionlint
	[ ! -e .venv/bin/biome ] || .venv/bin/biome lint --config-path=Tests/biome.jsonc --error-on-warnings Resources

format: swift $(python) ## Format the sources: Swift and Python
	swift format --in-place --recursive $(swift_sources)
	$(python) -m ruff format $(ruff) $(python_sources)

hooks: ## Refuse commits whose sources are not formatted
	git config core.hooksPath Scripts/hooks

# The unit tests' build: the C loops vectorised, as in the release build; no debugging information, which takes a tenth of the
# time. SwiftPM needs the index to look for tests.
unit_build := --disable-xctest -debug-info-format none -Xcc -O2

# Without the Python of .venv, or the patches of the libraries, tests fail instead of being skipped.
unit: patched $(python) ## Run the unit tests, or those of one target (TARGET=Readings); warnings are errors
	SWATCHCAM_REQUIRE_PYTHON=1 SWATCHCAM_REQUIRE_PATCHES=1 CI=1 $(TARGET:%=SWATCHCAM_UNIT=%) swift test $(unit_build)

mutants: swift packages $(python) ## Break the code in many small ways, and list those that no unit test detects (SEED=1 COUNT=100)
	$(python) Scripts/mutants.py --seed $(SEED) --count $(COUNT) --minimum $(MINIMUM) --targets $(TARGETS)

# With the flags of the unit tests, so that nothing is rebuilt.
fuzz: patched ## Try random bytes on all code that reads bytes from outside (SECONDS=30 SEED=1)
	SWATCHCAM_FUZZ_SECONDS=$(SECONDS) SWATCHCAM_FUZZ_SEED=$(SEED) CI=1 swift test $(unit_build) --filter FuzzTests.FuzzTests/chance

libfuzzer: patched ## Fuzz the same code, guided by coverage (SECONDS=600 FUZZ_TARGETS="jpeg v4l2")
	Scripts/fuzz $(SECONDS) $(FUZZ_TARGETS)

arm64: swift test-packages $(python) ## Compile the C code for arm64 and run it in QEMU
	$(python) -m pytest -q $(SELECTION) Tests/Arm64

arm64-lab: deb-arm64 test-packages $(python) ## Test the package for arm64 in Debian's arm64 kernels (as root)
	$(python) Tests/Arm64/run_lab.py .build/deb-arm64/swatchcam_*_arm64.deb -- $(SELECTION)

arm64-service: deb-arm64 test-packages $(python) ## Test the package for arm64 under systemd, in bare Debian 12 and 13 (as root)
	Tests/Arm64/service .build/deb-arm64/swatchcam_*_arm64.deb

arm64-guide: deb-arm64 test-packages $(python) ## Follow docs/raspberry-pi.md in Debian 12 and 13, with a screen (as root)
	Tests/Arm64/guide .build/deb-arm64/swatchcam_*_arm64.deb

prepare-lab: test-packages $(python) ## Download and make what the virtual machines need of Debian (as root)
	Tests/Lab/prepare $(SELECTION)

lab: test-packages $(python) ## Run the tests that need V4L2 with vivid, the kernel's test camera, in virtual machines
	$(python) Tests/Lab/run.py -- $(SELECTION)

lab-quick: test-packages $(python) ## Run one lab test of each kind, in a minute
	$(python) Tests/Lab/run.py --quick

service: $(if $(PACKAGED),,deb) test-packages ## Test the installed package under systemd, in the lab's bare Debian 12
	Tests/Service/run .build/deb/swatchcam_*.deb $(SELECTION)

libcamera: $(if $(PACKAGED),,deb) test-packages ## Test the package under libcamera's V4L2 layer, in bare Debian 12 and 13 in the lab
	Tests/Libcamera/run .build/deb/swatchcam_*.deb $(SELECTION)

feeds: $(if $(PACKAGED),,deb) test-packages ## Test network cameras, films and rpicam-vid through v4l2loopback, in Debian 12 and 13 in the lab
	Tests/Feeds/run .build/deb/swatchcam_*.deb $(SELECTION)

pages: test-packages ## Test the modules of the pages that need no browser
	node --preserve-symlinks --preserve-symlinks-main --test --test-reporter=spec Tests/Pages/*.test.js

web: test-packages $(python) ## Test the web server with hostile clients and reverse proxies (SEED=1)
	SWATCHCAM_FUZZ_SEED=$(SEED) $(python) -m pytest -q $(call in_parallel,4) $(SELECTION) Tests/Web

cameras: test-packages $(python) ## Test what other people's cameras do, with a camera that plays files
	$(python) -m pytest -q $(call in_parallel,4) $(SELECTION) Tests/Cameras

docs: test-packages $(python) ## Run the commands of the documents, and compare their figures with the program
	$(python) -m pytest -q -n 2 Tests/Docs

broker: test-packages $(python) ## Test the connection to an MQTT broker, with Mosquitto and brokers that misbehave
	$(python) -m pytest -q $(call in_parallel,5) $(SELECTION) Tests/Broker

metrics: test-packages $(python) ## Test the metrics with the Prometheus of Debian 12 and 13
	$(python) -m pytest -q $(SELECTION) Tests/Metrics

browser: test-packages $(python) ## Test the pages in headless Chromium
	$(python) -m pytest -q $(call in_parallel,3) $(SELECTION) Tests/Browser

cameras-slow web-slow broker-slow browser-slow: export SELECTION = -m "slow and not release"
web-slow: web ## Run those tests of the web server that `make test` leaves out; likewise cameras-slow, broker-slow
cameras-slow: cameras
broker-slow: broker
browser-slow: browser

home-assistant: patched test-packages $(python) ## Test what Home Assistant makes of Swatchcam's messages (as root)
	$(python) -m pytest -q Tests/HomeAssistant

kiosk: test-packages $(python) ## Test the kiosk: cage and Chromium, on a virtual screen
	$(python) -m pytest -q $(SELECTION) Tests/Kiosk

package-test: $(if $(PACKAGED),,deb) container test-packages $(python) ## Install, upgrade and remove the package and the archive in bare systems
	$(python) -m pytest -q $(SELECTION) Tests/Package

soak: build test-packages $(python) ## Stress a running instance for half an hour, in the lab (MINUTES=30)
	Tests/Lab/lab --vivid 'n_devs=2 node_types=0x1,0x1 multiplanar=1,2' --env SWATCHCAM \
		--timeout $$(($(MINUTES) * 60 + 300)) -- $(CURDIR)/$(python) Tests/Lab/soak.py --minutes $(MINUTES)

bench: swift test-packages Benchmarks/.venv/bin/python ## Measure what a reading costs, compared with C and OpenCV
	swift build --configuration release --package-path Benchmarks --product Bench
	swift build --configuration release --package-path Benchmarks --product Rivals
	Benchmarks/.venv/bin/python Benchmarks/benchmark.py

bench-fanout: build test-packages Benchmarks/.venv/bin/python ## Measure pushing readings, compared with SwiftNIO and Python
	swift build --configuration release --package-path Benchmarks --product FanoutLoad
	swift build --configuration release --package-path Benchmarks --product FanoutNIO --static-swift-stdlib
	Benchmarks/.venv/bin/python Benchmarks/fanout.py

bench-footprint: build test-packages $(python) ## Measure memory, CPU and start-up, compared with ustreamer and motion
	@Scripts/install-packages bench
	Tests/Lab/lab --count-time --mem 512M --vivid 'n_devs=1 node_types=0x1 multiplanar=1' --env SWATCHCAM \
		--timeout 1800 -- $(CURDIR)/$(python) Benchmarks/footprint.py

bench-arm64: deb-arm64 test-packages $(python) ## Measure memory, CPU and start-up of the package for arm64 (as root)
	Tests/Arm64/lab --cpu cortex-a53 --package .build/deb-arm64/swatchcam_*_arm64.deb --file Benchmarks/footprint.py -- \
		env SWATCHCAM=/usr/bin/swatchcam python3 Benchmarks/footprint.py v4l2-ctl swatchcam

bench-page: MINUTES = 10
bench-page: build test-packages $(python) ## Measure what the dashboard costs a browser (MINUTES=10)
	$(python) Benchmarks/page.py --minutes $(MINUTES)

bench-fleet: build test-packages $(python) ## Measure what the wall of a fleet costs the server and a browser
	$(python) Benchmarks/fleet.py

bench-kiosk: BROWSER = cog
bench-kiosk: MINUTES = 96
bench-kiosk: build test-packages $(python) ## Measure a kiosk's memory over a day of readings (as root; BROWSER=cog)
	$(python) Benchmarks/kiosk.py --browser $(BROWSER) --minutes $(MINUTES)

clean: ## Remove all build products
	rm -rf .build Packages/*/ .venv Benchmarks/.build Benchmarks/.venv

swift:
	@Scripts/check-swift

packages:
	@Scripts/install-packages build

# Plain `swift build` works without this, but builds a program that listens on this machine only.
patched: swift packages
	@Scripts/patch-packages

deb-packages:
	@Scripts/install-packages package

test-packages:
	@Scripts/install-packages build test

# Rebuilt when the requirements change.
$(python): Tests/requirements.txt | test-packages
	python3 -m venv --clear .venv
	.venv/bin/pip install --quiet --disable-pip-version-check --requirement Tests/requirements.txt
	@touch $@

Benchmarks/.venv/bin/python: Benchmarks/requirements.txt | test-packages
	python3 -m venv --clear Benchmarks/.venv
	Benchmarks/.venv/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@
