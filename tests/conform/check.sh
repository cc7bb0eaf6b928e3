#!/usr/bin/env bash
# Compares what our programs answer to the conformance cases with what the Perl scripts answered (answers.gz), and
# prints the results in the Test Anything Protocol, with a diff of each case that fails.
#
# usage: check.sh FOLDER     (of the programs under the scripts' names)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
export LC_ALL=C

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Puts each case into a file of its own, FOLDER/1 and so on.
split() { # FOLDER
    mkdir "$1"
    awk -v folder="$1" '/^\$ / { close(file); file = folder "/" ++n } { print > file }'
}

"$here/answers.sh" "$1" | split "$work/got"
gunzip -c "$here/answers.gz" | split "$work/wanted"
# The numbers of those that differ, each between blanks: one diff for all takes less time than one for each.
differ=" $({ diff -rqN "$work/wanted" "$work/got" || true; } | sed 's,.*/,,; s/ differ$//' | tr '\n' ' ')"
status=0 number=0
while IFS= read -r command; do
    number=$((number + 1))
    if [[ $differ != *" $number "* ]]; then
        echo "ok $number - $command"
    else
        status=1
        echo "not ok $number - $command"
        { diff -aNU 1 "$work/wanted/$number" "$work/got/$number" || true; } | head -n 40 | cut -c 1-300 | sed 's/^/# /'
    fi
done < <("$here/cases.sh")
if [ "$(find "$work/wanted" -type f | wc -l)" != $number ]; then
    status=1
    echo "not ok - answers.gz has the answers to these cases: record.sh makes it"
fi
echo "1..$number"
exit $status
