#!/usr/bin/env bash
# Every program has a page, and every page is clean.
set -eu
command -v mandoc >/dev/null || { echo "no mandoc"; exit 77; }
status=0
for program in cmd/*/; do
    program=$(basename "$program")
    [ -e "man/$program.1" ] || { echo "man/$program.1 is missing"; status=1; }
done
# Which other pages this machine has is not the page's fault.
! mandoc -Tlint -W style man/*.[1-8] 2>/dev/null | grep -v 'referenced manual not found' || status=1
exit $status
