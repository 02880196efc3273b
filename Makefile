# SPDX-License-Identifier: MIT
# The front door. The build itself is CMakeLists.txt; the checks are tools/check.py.
# Targets install what is missing from Debian's packages (NO_INSTALL=1: they say so and
# fail instead).
SHELL := bash
setup := tools/setup.sh
prefix ?= /usr/local
S ?= 60
made := ballpark_shared ballpark_static ballpark pages examples

all: ## Build the library and the command in build/release
	@$(setup) build
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target $(made)

help: ## List the targets
	@awk -F ':[^#]*## ' '/^[a-z0-9 -]+:.*## / { printf "  %-20s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: all ## Two bookstore days: exact tools beside ballpark
	@$(setup) demo
	@tools/demo.py build/release

check: ## Everything, in about five minutes on two cores; ends with N passed, N failed
	@$(setup) check
	@tools/check.py

asan ubsan tsan: ## The tests under a sanitizer
	@$(setup) sanitize
	@tools/check.py $@

s390x aarch64 i386: ## The tests on that machine, under qemu
	@$(setup) $@
	@tools/check.py $@

cross: ## The tests on all three, and the same bytes on all four
	@$(setup) s390x aarch64 i386
	@tools/check.py cross

fuzz: ## Fuzz the decoders for S seconds (60)
	@$(setup) fuzz
	@cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz
	@mkdir -p build/fuzz/corpus
	build/fuzz/fuzz/decode_any -max_total_time=$(S) build/fuzz/corpus fuzz/corpus

parquet: ## The tests of Parquet's filters, on files that pyarrow and DuckDB write now
	@$(setup) parquet
	@cmake --preset dev >/dev/null
	@cmake --build --preset dev --target ballpark
	@test -x build/parquet/venv/bin/python || python3 -m venv build/parquet/venv
	@build/parquet/venv/bin/pip install -q pyarrow duckdb
	@build/parquet/venv/bin/python tests/data/parquet/make.py build/parquet 200000
	@PARQUET_FILES=$(CURDIR)/build/parquet tests/cli/run.py build/dev/ballpark tests/cli/parquet.py

bench: ## Measure every sketch beside its peers
	@$(setup) bench
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target benches ballpark
	@bench/run build/release

cov: ## Lines of src/ that the tests run; of each decoder, that the walks alone run
	@$(setup) cov
	@tools/check.py cov
	@gcovr --root . --filter src/ --exclude '.*_test\.c' --object-directory build/cov \
	    --print-summary
	@tools/decoder_coverage.py

lint: ## clang-format 14, clang-tidy and cppcheck find nothing
	@$(setup) build lint
	@cmake --preset dev >/dev/null
	@tools/lint

tidy: ## clang-tidy alone
	@$(setup) build lint
	@cmake --preset dev >/dev/null
	@tools/lint tidy

format: ## Rewrite the sources as clang-format 14 would
	@$(setup) lint
	@tools/lint --sources | xargs clang-format-14 -i

abi: ## Has the ABI changed since tests/abi?
	@$(setup) check
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target ballpark_shared
	@tools/check_abi build/release/libballpark.so

abi-baseline: ## Write tests/abi anew; only for a release that may change the ABI
	@$(setup) check
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target ballpark_shared
	@tools/check_abi --write build/release/libballpark.so

dist: ## dist/ballpark.c and dist/ballpark.h: the library in two files
	@$(setup) build
	@tools/amalgamate.py dist

install: all ## Install below $(DESTDIR)$(prefix)
	@cmake --install build/release --prefix $(prefix)

clean: ## Remove build/ and dist/
	rm -rf build dist

.PHONY: all help demo check asan ubsan tsan s390x aarch64 i386 cross fuzz parquet bench cov lint tidy \
        format abi abi-baseline dist install clean
