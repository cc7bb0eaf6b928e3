#!/usr/bin/env bash
# Compiles everything, with warnings as errors. usage: warnings.sh gcc|clang
set -eu
command -v "$1" >/dev/null || { echo "no $1"; exit 77; }
# Some of gcc's warnings need the optimizer, with the level of config.mk; none of clang's do.
level=-O2
[ "$1" != clang ] || level=-O0
make -s -j"$(nproc)" BUILD="$BUILD/lint-$1" CC="$1" CFLAGS="$level -Werror" all unit fuzz-targets
