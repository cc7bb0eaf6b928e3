#!/usr/bin/env bash
# Every program has a man page, no page has a warning or more than 800 lines, its options are those of --help, and each
# format of stackcollapse is explained.
set -eu
command -v mandoc >/dev/null || { echo "no mandoc"; exit 77; }
status=0
for program in cmd/*/; do
    program=$(basename "$program")
    [ -e "man/$program.1" ] || { echo "man/$program.1 is missing"; status=1; }
done
for program in "$BUILD"/bin/*; do
    page=man/${program##*/}.1
    help=$("$program" --help)$'\n'
    # Each word of the lines that name options on a line of its own.
    named=$(grep -E '^\.It Fl ' "$page" | tr ' ' '\n')$'\n'
    while read -r option; do
        [[ $named = *"-$option"$'\n'* ]] || { echo "$page: no --$option"; status=1; }
    done < <(sed -nE 's/^  (-[A-Za-z], )?--([a-z0-9-]+).*/\2/p' <<<"$help")
    while read -r option; do
        [[ $help = *--?(\[no-])"$option"[$' [\n']* ]] || { echo "$page: --$option is not in --help"; status=1; }
    done < <(sed -nE 's/^\.It Fl (. , (Fl )?)?-([a-z][a-z0-9-]+).*/\3/p' "$page")
done
page=man/stackcollapse-formats.5
while read -r format; do
    [ "$(grep -cE "^\.It Cm (.* , )?$format( |\$)" "$page")" -ge 2 ] || { echo "$page: the table or the text lacks $format"; status=1; }
done < <(sed -nE 's/^ *X\([a-z0-9_]+, "([a-z0-9-]+)"\).*/\1/p' cmd/stackcollapse/formats.h)
while read -r lines page; do
    [ "$page" = total ] || [ "$lines" -le 800 ] || { echo "$page: $lines lines, and 800 is the limit: move details to another page"; status=1; }
done < <(wc -l man/*.[1-8])
# A reference to a page that is not installed here is no mistake.
! mandoc -Tlint -W style man/*.[1-8] 2>/dev/null | grep -v 'referenced manual not found' || status=1
exit $status
