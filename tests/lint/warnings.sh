#!/usr/bin/env bash
# Compiles everything, with warnings as errors. usage: warnings.sh gcc|clang
set -eu
command -v "$1" >/dev/null || { echo "no $1"; exit 77; }
# With the optimization level of config.mk, since some warnings need the optimizer.
make -s -j"$(nproc)" BUILD="$BUILD/lint-$1" CC="$1" CFLAGS='-O2 -g -Werror' all unit fuzz-targets
