#!/usr/bin/env bash
# The direction of #includes: cmd/X includes common and itself; common/stack, common/sym and common/event include
# common/base and themselves; common/base includes itself alone. Anybody includes what the build makes, gen/.
#
# usage: includes.sh [FOLDER]     (of the project; prints each #include that goes another way)
set -eu
cd "${1:-.}"
find common cmd -name '*.[ch]' -print0 | LC_ALL=C sort -z | xargs -0 awk '
    function folder(path) { sub("/[^/]*$", "", path); return path }
    FNR == 1 { own = folder(FILENAME) }
    /^[ \t]*#[ \t]*include[ \t]*"/ {
        split($0, part, "\"")
        to = folder(part[2])
        if (to == part[2] || to == own || to == "gen" || to == "common/base" && own ~ "^common/")
            next
        if (own ~ "^cmd/" && to ~ "^common/")
            next
        print FILENAME ":" FNR ": " own " includes " part[2]
        wrong = 1
    }
    END { exit wrong }'
