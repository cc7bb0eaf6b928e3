#!/usr/bin/env bash
# Compiles everything with gcc, with warnings as errors. Some of them need the optimizer, with the level of config.mk.
set -eu
command -v gcc >/dev/null || { echo "no gcc"; exit 77; }
make -s -j"$(nproc)" BUILD="$BUILD/lint-gcc" CC=gcc CFLAGS='-O2 -Werror' all unit fuzz-targets
