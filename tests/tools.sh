#!/usr/bin/env bash
# Installs the commands that the tests need, if that is allowed and Debian has them. Otherwise
# prints the missing ones. A test that needs a missing command is skipped with that reason; a bats
# test fails, which step.sh counts as skipped.
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

may_install() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null
}

# In the browser without a window system, a page takes 40 % of the CPU time. Install it beside the
# other one if possible.
lacks_browser() {
    ! command -v chromium-headless-shell >/dev/null || return
    ! command -v chromium >/dev/null || { may_install && apt-cache show chromium-headless-shell >/dev/null 2>&1; }
}

missing() {
    local pair
    for pair in "${needed[@]}"; do
        command -v "${pair%%:*}" >/dev/null || printf '%s\n' "${pair#*:}"
    done
    ! lacks_browser || echo chromium-headless-shell
    has_headers gcc || echo libc6-dev
    [ "$(uname -m)" != x86_64 ] || has_headers gcc -m32 || echo gcc-multilib
    [ -d /usr/lib/debug/.build-id ] || echo libc6-dbg
    [ "$(uname -m)" = aarch64 ] || [ -e /usr/aarch64-linux-gnu/lib/libc.so.6 ] || echo libc6-arm64-cross
}

packages=$(missing | tr '\n' ' ')
[ -n "$packages" ] || exit 0
if ! may_install; then
    printf 'Some tests need what is not here. On Debian: sudo apt-get install %s\n' "$packages"
    exit 0
fi

# Waits up to five minutes while another package manager is working. apt-get itself waits for only
# one of its locks.
apt_get() {
    local message waited
    for ((waited = 0; waited < 300; waited += 5)); do
        message=$(LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 \
            -o Acquire::Retries=1 -o Acquire::http::Timeout=20 -qq "$@" 2>&1) && return
        [[ $message = *'Could not get lock'* ]] || return
        sleep 5
    done
    return 1
}

# Without a network, each request fails only after seconds. So do not request packages if all are
# unknown, and if they cannot be fetched together, do not request them one by one.
install_packages() { # PACKAGE ...
    local online=1 package known=()
    apt_get -o APT::Update::Error-Mode=any update || online=
    for package; do
        apt-cache show "$package" >/dev/null 2>&1 || [ "$package" != chromium-headless-shell ] || package=chromium
        ! apt-cache show "$package" >/dev/null 2>&1 || known+=("$package")
    done
    ((${#known[@]})) || return
    apt_get install -y --no-install-recommends "${known[@]}" && return
    [ -n "$online" ] || return
    for package in "${known[@]}"; do
        apt_get install -y --no-install-recommends "$package"
    done
}

echo "installing: $packages"
# shellcheck disable=SC2086
install_packages $packages
packages=$(missing | tr '\n' ' ')
[ -z "$packages" ] || printf 'could not be installed: %s\n' "$packages"
