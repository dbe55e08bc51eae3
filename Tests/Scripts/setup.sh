#!/bin/sh
# Installs what building, testing and the demo need and is not there, by Debian package names. Quick when nothing is missing.
set -eu

install_missing() {
    if [ "$(id -u)" != 0 ]; then
        echo "These Debian packages are missing and only root can install them. Run:" >&2
        echo "    apt-get install$missing" >&2
        exit 1
    fi
    echo "installing:$missing"
    apt-get update -qq
    # shellcheck disable=SC2086 # a list of words
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

check_swift() {
    case "$(swift --version 2>/dev/null)" in
        *"Swift version 6."[3-9]* | *"Swift version 6."[1-9][0-9]*) ;;
        *)
            echo "milepost needs Swift 6.3 or newer on the path: https://www.swift.org/install" >&2
            exit 1
            ;;
    esac
}

toolchain="libncurses6 libxml2 libcurl4 libsqlite3-0 libedit2 tzdata zlib1g-dev"
build="gcc g++ libc6-dev binutils pkg-config libgps-dev libcurl4-openssl-dev rapidjson-dev libexpat1-dev libsqlite3-dev libmicrohttpd-dev libgnutls28-dev libjwt-dev libssl-dev libgeographiclib-dev libboost-dev libs2-dev libgeos-dev libjansson-dev"
test="gpsd gpsd-clients python3 python3-gps python3-distutils valgrind procps util-linux openssl"

missing=""
for package in $toolchain $build $test; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing="$missing $package"
done
[ -z "$missing" ] || install_missing
check_swift
