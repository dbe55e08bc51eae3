# The front door: `make help`. The work is done by SwiftPM, cc and the scripts in Tests/Scripts.
PREFIX ?= /usr/local
DESTDIR ?=
CC ?= cc
VERSION := $(shell sed -n 's/^\#define MILEPOST_VERSION "\(.*\)"/\1/p' include/milepost.h)
# SwiftPM's and clang's caches stay inside the clone.
export XDG_CACHE_HOME := $(CURDIR)/.build/cache
export XDG_DATA_HOME := $(CURDIR)/.build/cache/data
SWIFT_BUILD := swift build -c release -Xswiftc -static-stdlib --disable-local-rpath
PRODUCTS = $(shell $(SWIFT_BUILD) --show-bin-path)
LIBRARY := libmilepost.so.$(VERSION)
EXAMPLES := $(basename $(notdir $(wildcard examples/*.c)))
WARNINGS := -std=c99 -O2 -Wall -Wextra -Wpedantic -Werror
# Programs in build/bin find the library beside them.
LINK := -Wl,-rpath,'$$ORIGIN/../lib'

.PHONY: help setup build demo test bench scale install clean
.DEFAULT_GOAL := help

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS='	' read -r name what; do printf '  make %-8s %s\n' "$$name" "$$what"; done

setup: ## install the Debian packages that are missing (needs root)
	@Tests/Scripts/setup.sh

build: setup ## everything into build/: include, lib, bin
	@$(SWIFT_BUILD)
	@mkdir -p build/include build/lib/pkgconfig build/bin
	@cp include/milepost.h build/include/
	@strip --strip-unneeded -o build/lib/$(LIBRARY) $(PRODUCTS)/libmilepost.so
	@ln -sf $(LIBRARY) build/lib/libmilepost.so.0
	@ln -sf libmilepost.so.0 build/lib/libmilepost.so
	@sed 's/@VERSION@/$(VERSION)/' Sources/Milepost/milepost.pc.in > build/lib/pkgconfig/milepost.pc
	@install $(PRODUCTS)/fleet-engine-emulator $(PRODUCTS)/milepost-bench build/bin/
	@for example in $(EXAMPLES); do \
	    $(CC) $(WARNINGS) -o build/bin/$$example examples/$$example.c \
	        $$(PKG_CONFIG_PATH=build/lib/pkgconfig pkg-config --cflags --libs milepost) -lpthread -lm $(LINK) || exit 1; \
	done
	@echo "built: build/lib/$(LIBRARY), $$(ls build/bin | tr '\n' ' ')"

demo: build ## a recorded drive through the real gpsd, reported to the emulator
	@/usr/bin/python3 -B examples/demo.py

test: build ## every test
	@Tests/Scripts/test.sh

bench: build ## every figure against its target, fails while one is short; TRACES=dir scores real drives
	@/usr/bin/python3 -B Tests/Scripts/bench.py
	@$(if $(TRACES),/usr/bin/python3 -B Tests/Scripts/score.py $(TRACES))

scale: build ## a thousand reporters in one process for ten minutes, and whether the emulator missed an update
	@/usr/bin/python3 -B Tests/Scripts/scale.py

install: build ## into $(DESTDIR)$(PREFIX)
	@install -d $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/bin
	@install -d $(DESTDIR)$(PREFIX)/share/milepost
	@install -m 644 share/milepost/privacy.json $(DESTDIR)$(PREFIX)/share/milepost/
	@install -m 644 build/include/milepost.h $(DESTDIR)$(PREFIX)/include/
	@install -m 755 build/lib/$(LIBRARY) $(DESTDIR)$(PREFIX)/lib/
	@cp -P build/lib/libmilepost.so build/lib/libmilepost.so.0 $(DESTDIR)$(PREFIX)/lib/
	@install -m 644 build/lib/pkgconfig/milepost.pc $(DESTDIR)$(PREFIX)/lib/pkgconfig/
	@install -m 755 build/bin/telematics build/bin/follow build/bin/fleet-engine-emulator $(DESTDIR)$(PREFIX)/bin/

clean: ## remove what was built
	@rm -rf .build build
