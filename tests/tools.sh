#!/usr/bin/env bash
# Installs the commands that the tests need, where it may and where Debian has them; else prints which are missing.
# A test that needs what is still missing is skipped (or, of bats, fails) with that reason.
set -u

# command:package
needed=(
    make:make cc:gcc gcc:gcc g++:g++ clang:clang bats:bats perl:perl python3:python3 xmllint:libxml2-utils mandoc:mandoc
    clang-tidy:clang-tidy cppcheck:cppcheck shellcheck:shellcheck node:nodejs perf:linux-perf
    git:git parallel:parallel readelf:binutils valgrind:valgrind musl-gcc:musl-tools
    bzip2:bzip2 xz:xz-utils zstd:zstd zsh:zsh fish:fish ip:iproute2 dwz:dwz llvm-addr2line:llvm
)

has_headers() { # COMPILER OPTION ...
    "$@" -E -include stdio.h -x c /dev/null >/dev/null 2>&1
}

missing() {
    local pair
    for pair in "${needed[@]}"; do
        command -v "${pair%%:*}" >/dev/null || printf '%s\n' "${pair#*:}"
    done
    command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || echo chromium-headless-shell
    has_headers gcc || echo libc6-dev
    [ "$(uname -m)" != x86_64 ] || has_headers gcc -m32 || echo gcc-multilib
    [ -d /usr/lib/debug/.build-id ] || echo libc6-dbg
    [ "$(uname -m)" = aarch64 ] || [ -e /usr/aarch64-linux-gnu/lib/libc.so.6 ] || echo libc6-arm64-cross
}

packages=$(missing | tr '\n' ' ')
[ -n "$packages" ] || exit 0
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    printf 'Some tests need what is not here. On Debian: sudo apt-get install %s\n' "$packages"
    exit 0
fi

# Waits up to five minutes while another package manager is at work. apt-get itself waits for one of its locks only.
apt_get() {
    local message waited
    for ((waited = 0; waited < 300; waited += 5)); do
        message=$(DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -qq "$@" 2>&1) && return
        [[ $message = *'Could not get lock'* ]] || return
        sleep 5
    done
    return 1
}

echo "installing: $packages"
apt_get update
# One by one where they cannot all be had; of the browser only newer releases have the lighter package.
# shellcheck disable=SC2086
apt_get install -y --no-install-recommends $packages || for package in $packages; do
    apt_get install -y --no-install-recommends "$package" || [ "$package" != chromium-headless-shell ] ||
        apt_get install -y --no-install-recommends chromium
done
packages=$(missing | tr '\n' ' ')
[ -z "$packages" ] || printf 'could not be installed: %s\n' "$packages"
