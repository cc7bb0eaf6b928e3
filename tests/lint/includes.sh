#!/usr/bin/env bash
# The direction of #includes: cmd/X includes common and itself; common/symbolize joins the other folders of common, and
# includes all of them; the others include common/base and themselves; common/base includes itself alone. A program may have
# rooms, cmd/X/ROOM: files in cmd/X include all of them, and a room includes cmd/X, itself and the room build. Anybody
# includes what the build makes, gen/. And some headers are for a few files only, listed in the table below.
#
# usage: includes.sh [FOLDER]     (of the project; prints each #include that is not allowed)
set -eu

# HEADER: the files that may include it, as patterns. Tests may include any header. These keep the parsing of raw
# lines in perftext: every other program gets samples and frames.
restricted='
common/stack/perfline.h: common/stack/perfline.c common/stack/frameline.c common/stack/perftext.h common/stack/guess.c common/stack/lookslike.c
common/stack/headercache.h: common/stack/headercache.c common/stack/perftext.h
common/stack/predict.h: common/stack/perftext.h
'

cd "${1:-.}"
find common cmd -name '*.[ch]' -print0 | LC_ALL=C sort -z | RESTRICTED=$restricted xargs -0 awk '
    function folder(path) { sub("/[^/]*$", "", path); return path }

    # The program that a folder belongs to, "cmd/stackcollapse", and its room there, "build"; empty if it has none.
    function program(path) { return match(path, "^cmd/[^/]*") ? substr(path, 1, RLENGTH) : path }
    function room(path) { return substr(path, length(program(path)) + 2) }

    # The pattern as a regular expression: only * is special in it.
    function expression(pattern) {
        gsub(/\./, "[.]", pattern)
        gsub(/\*/, ".*", pattern)
        return "^" pattern "$"
    }

    function may_include(file, header,    pattern, n, i) {
        if (!(header in allowed))
            return 1
        n = split(allowed[header], pattern, " ")
        for (i = 1; i <= n; i++)
            if (file ~ expression(pattern[i]))
                return 1
        return 0
    }

    function wrong(text) {
        print FILENAME ":" FNR ": " text
        status = 1
    }

    BEGIN {
        n = split(ENVIRON["RESTRICTED"], row, "\n")
        for (i = 1; i <= n; i++)
            if (match(row[i], ": "))
                allowed[substr(row[i], 1, RSTART - 1)] = substr(row[i], RSTART + 2)
    }
    FNR == 1 { own = folder(FILENAME) }
    /^[ \t]*#[ \t]*include[ \t]*"/ {
        split($0, part, "\"")
        to = folder(part[2])
        if (!may_include(FILENAME, part[2]))
            wrong("may not include " part[2] ": see tests/lint/includes.sh")
        if (to == part[2] || to == own || to == "gen" || to == "common/base" && own ~ "^common/")
            next
        if ((own ~ "^cmd/" || own == "common/symbolize") && to ~ "^common/")
            next
        if (program(own) == program(to) && (room(own) == "" || room(to) == "" || room(to) == "build"))
            next
        wrong(own " includes " part[2])
    }
    END { exit status }'
