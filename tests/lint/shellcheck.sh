#!/usr/bin/env bash
# Runs shellcheck over every script and bats file.
set -eu
command -v shellcheck >/dev/null || { echo "no shellcheck"; exit 77; }
# SC1091: do not follow "load lib" and ". file"
# SC2016: a $ in single quotes is for the awk or the shell that the script starts
mapfile -t scripts < <(find tests -name '*.sh')
mapfile -t bats < <(find tests -name '*.bats' -o -name '*.bash')
# SC2317: a function that a trap calls is not unreachable
shellcheck -e SC1091,SC2016,SC2317 "$BUILD/bin/flamepipe"
shellcheck -e SC1091,SC2016 .ci/run common/base/compat.sh package/make.sh "${scripts[@]}"
# In bats files and their library also:
# SC2154, SC2034: try and run set $status, $output and $stderr; lib.bash sets what the tests use
# SC2030, SC2031: each test is a subshell, on purpose
# SC2164: bats ends a test at the first command that fails
shellcheck -s bats -e SC1091,SC2016,SC2154,SC2034,SC2030,SC2031,SC2164 "${bats[@]}"
