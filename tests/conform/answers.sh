#!/usr/bin/env bash
# Runs the conformance cases with the programs of a folder, and prints of each the command after "$ ", the lines
# of its output after "|", and its status after "= ".
#
# usage: answers.sh FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
programs=$(cd "$1" && pwd)
export LC_ALL=C PATH=$programs:$PATH

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cp "$here"/inputs/* .
for recording in "$here"/../data/*.perf.txt.gz; do
    name=$(basename "$recording" .perf.txt.gz)
    # The first samples are enough of the long ones; a blank line ends a sample.
    gunzip -c "$recording" | awk -v RS= -v ORS='\n\n' 'NR <= 250' >"$name.perf"
done
for name in cpp shell-pipe; do
    stackcollapse-perf.pl "$name.perf" >"$name.folded"
done

# Prints the file "output" with a "|" before each line. Perl prints the frames of a picture and the lines of difffolded.pl in
# the order of its hashes.
show() { # COMMAND
    local first=
    read -r first <output || true
    if [[ $first = '<?xml'* ]]; then
        awk -f "$here/frames.awk" output | sort | sed 's/^/|/'
    elif [[ $1 = difffolded.pl* ]]; then
        sort output | sed 's/^/|/'
    else
        sed 's/^/|/' output
    fi
}

cases=$("$here/cases.sh")
while IFS= read -r command; do
    status=0
    sh -c "$command" </dev/null >output 2>messages || status=$?
    printf '$ %s\n' "$command"
    show "$command"
    printf '= %s\n' "$status"
done <<<"$cases"
