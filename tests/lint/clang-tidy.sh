#!/usr/bin/env bash
# Runs clang-tidy over every source, with the checks of clang-tidy.yaml.
set -eu
command -v clang-tidy >/dev/null || { echo "no clang-tidy"; exit 77; }
tidy() {
    # On standard error it only prints how many messages it suppressed.
    clang-tidy --quiet --config-file=tests/lint/clang-tidy.yaml "$@" -- \
        -std=c11 -I. -I"$BUILD" -D_POSIX_C_SOURCE=200809L -DVERSION='"0"' 2>/dev/null
}
export -f tidy
find common cmd tests -name '*.c' -print0 | xargs -0 -n 4 -P "$(nproc)" bash -c 'tidy "$@"' tidy
