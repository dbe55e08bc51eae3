#!/bin/sh
# Everything that `make test` checks, against what `make build` put into build/.
set -eu
cd "$(dirname "$0")/../.."

# The toolchain's crash reporter hides what the sanitizers and valgrind find.
export SWIFT_BACKTRACE=enable=no

swift format lint --strict -r Package.swift Sources Tests
Tests/Scripts/embedded.sh
swift test
