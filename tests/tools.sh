#!/usr/bin/env bash
# Sees to the commands that the tests need: installs Debian's packages where it may, else says which. What is
# still missing then makes a test be skipped (or, of bats, fail) with that reason.
set -u

# command:package
needed=(
    gcc:gcc clang:clang bats:bats perl:perl python3:python3 xmllint:libxml2-utils mandoc:mandoc
    clang-tidy:clang-tidy cppcheck:cppcheck shellcheck:shellcheck node:nodejs perf:linux-perf
    chromium:chromium addr2line:binutils valgrind:valgrind
)

missing() {
    local pair
    for pair in "${needed[@]}"; do
        command -v "${pair%%:*}" >/dev/null || printf '%s\n' "${pair#*:}"
    done
}

packages=$(missing | tr '\n' ' ')
[ -n "$packages" ] || exit 0
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    printf 'Some tests need what is not here. On Debian: sudo apt-get install %s\n' "$packages"
    exit 0
fi

install() {
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@"
}

echo "installing: $packages"
{
    apt-get -qq update
    # One by one where they cannot all be had.
    # shellcheck disable=SC2086
    install $packages || for package in $packages; do install "$package"; done
} >/dev/null 2>&1
packages=$(missing | tr '\n' ' ')
[ -z "$packages" ] || printf 'could not be installed: %s\n' "$packages"
