#!/usr/bin/env bash
# Runs cppcheck over every source but those of tests, which run what they would crash on; cppcheck.txt lists which of its
# messages are suppressed.
set -eu
command -v cppcheck >/dev/null || { echo "no cppcheck"; exit 77; }
cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability --inline-suppr \
    --suppressions-list=tests/lint/cppcheck.txt --template=gcc -j "$(nproc)" \
    -I. -I"$BUILD" -D_POSIX_C_SOURCE=200809L -DVERSION='"0"' common cmd
