#!/usr/bin/env bash
# The layout of the project: which files are at the top, how long a file may be, that no note of work left to do is in
# any, and that the README is short and can be read in an editor.
#
# usage: layout.sh [FOLDER]     (of the project; prints what does not belong)
set -eu
cd "${1:-.}"
status=0
wrong() {
    printf '%s\n' "$1"
    status=1
}

for entry in * .[!.]*; do
    case $entry in
    cmd | common | package | tests | man | Makefile | config.mk | README.md | LICENSE) ;;
    .ci | .gitignore | .clang-format) ;;
    .git | build | demo.svg) ;; # not committed
    *) wrong "$entry does not belong at the top" ;;
    esac
done

mapfile -t sources < <(find cmd common package tests man Makefile config.mk .ci -type f \
    -not -path 'tests/data/*' -not -name '*.svg' -not -name '*.png')
while read -r lines file; do
    case $file in
    *.[ch] | *.js | *.css | *.sh | *.bash | *.awk | Makefile)
        [ "$lines" -le 1000 ] || wrong "$file: $lines lines, and 1,000 is the limit: can it be split?" ;;
    esac
done < <(wc -l "${sources[@]}")

if grep -nE '\b([T]ODO|[F]IXME|[X]XX|[H]ACK)\b' "${sources[@]}"; then
    wrong 'a note of work left to do'
fi
for page in README.md tests/bench/RESULTS.md; do
    if LC_ALL=C.UTF-8 grep -HnE '^.{121,}$' "$page" | grep -vE '^[^:]*:[0-9]+:(    |\|)'; then
        wrong "$page: lines of prose have 120 columns at most"
    fi
done
lines=$(wc -l <README.md)
[ "$lines" -le 200 ] || wrong "README.md: $lines lines, and 200 is the limit: what is not for everyone belongs in man/flamepipe.7"
exit $status
