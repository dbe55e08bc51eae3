#!/bin/sh
# Compiles the library's modules as Embedded Swift, which has no runtime: the profile for small units. Fails when one of them uses what is not in it.
set -eu
cd "$(dirname "$0")/../.."

out=.build/embedded
rm -rf "$out"
mkdir -p "$out"

flags="-Osize -wmo -enable-experimental-feature Embedded -swift-version 6 -parse-as-library -warnings-as-errors -I $out -Xcc -fPIC"
for shim in CSystem CRapidJSON CExpat CGPS CCurl CZlib CSQLite; do
    header=$(ls Sources/$shim/include/*.h | grep -v system_math)
    mkdir -p "$out/$shim"
    echo "module $shim { header \"$PWD/$header\" export * }" > "$out/$shim/module.modulemap"
    flags="$flags -I $out/$shim"
done

for module in Navigation JSON RouteFiles FleetEngine Reporting Positioning Store Runtime Milepost; do
    # shellcheck disable=SC2086 # a list of words
    swiftc $flags -I include -module-name $module -emit-module -emit-module-path "$out/$module.swiftmodule" \
        -c Sources/$module/*.swift -o "$out/$module.o"
done
echo "embedded: every module of the library compiles ($(cat "$out"/*.o | wc -c) bytes of objects)"
