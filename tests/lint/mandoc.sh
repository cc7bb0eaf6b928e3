#!/usr/bin/env bash
# Every program has a man page, no page has a warning, and its options are those of --help.
set -eu
command -v mandoc >/dev/null || { echo "no mandoc"; exit 77; }
status=0
for program in cmd/*/; do
    program=$(basename "$program")
    [ -e "man/$program.1" ] || { echo "man/$program.1 is missing"; status=1; }
done
for program in "$BUILD"/bin/*; do
    page=man/${program##*/}.1
    for option in $("$program" --help | sed -nE 's/^  (-[A-Za-z], )?--([a-z0-9-]+).*/\2/p'); do
        grep -qE -- "^\.It Fl .*-$option( |\$)" "$page" || { echo "$page: no --$option"; status=1; }
    done
    while read -r option; do
        "$program" --help | grep -qE -- "--(\[no-])?$option( |\[|\$)" || { echo "$page: --$option is not in --help"; status=1; }
    done < <(sed -nE 's/^\.It Fl (. , (Fl )?)?-([a-z][a-z0-9-]+).*/\3/p' "$page")
done
# A reference to a page that is not installed here is no mistake.
! mandoc -Tlint -W style man/*.[1-8] 2>/dev/null | grep -v 'referenced manual not found' || status=1
exit $status
