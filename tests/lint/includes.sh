#!/usr/bin/env bash
# The direction of #includes: cmd/X includes common and itself; common/machine includes all other folders of
# common, and is included by programs alone; common/symbolize joins the other folders of common, and includes all of
# them; the others include common/base and themselves, common/dwarf, common/unwind and common/v8 also common/sym,
# common/filter also common/stack and common/demangle, and common/stage also what records are made of and what is made of
# them: common/event, common/stack, common/tracepoint and common/unwind;
# common/base includes itself alone. A folder of common may have rooms, whose files include each other, as common/stack
# has. A program may have rooms, cmd/X/ROOM: files in cmd/X include all of them, and a room includes cmd/X, itself and
# the room shared. Anybody includes what the build makes, gen/. And some headers are for a few files only, listed in the
# table below.
#
# No two files include each other, directly or by others, where X.h and X.c count as one file: a.c includes b.h, b.h
# includes c.h, c.c includes a.h is a circle. It means that what belongs together was split, so that private steps are
# public. The second table lists those that are allowed.
#
# In stackcollapse only its room "script" speaks of the Perl scripts.
#
# usage: includes.sh [FOLDER]     (of the project; prints each line that is not allowed, and each circle)
set -eu

# HEADER: the files that may include it, as patterns. Tests may include any header. These keep the parsing of raw
# lines in perftext, where every other program gets samples and frames, and the command line out of the formats.
restricted='
common/stack/text/perfline.h: common/stack/text/perfline.c common/stack/text/perftext.h common/stack/text/perfwrite.c common/stack/text/lookslike.c
common/stack/text/headercache.h: common/stack/text/headercache.c common/stack/text/perftext.h
cmd/stackcollapse/options.h: cmd/stackcollapse/main.c cmd/stackcollapse/options.c cmd/stackcollapse/script/*
'

# FILE HEADER: why this #include may close a circle.
circles='
'

cd "${1:-.}"
find common cmd -name '*.[ch]' -print0 | LC_ALL=C sort -z | RESTRICTED=$restricted CIRCLES=$circles xargs -0 awk '
    # The folder of a file; the rooms of a folder of common are one folder here.
    function folder(path) {
        sub("/[^/]*$", "", path)
        return match(path, "^common/[^/]*") ? substr(path, 1, RLENGTH) : path
    }

    # The program that a folder belongs to, "cmd/stackcollapse", and its room there, "shared"; empty if it has none.
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

    # Whether files of the folder may include those of another one.
    function may_reach(own, to) {
        if (to == own || to == "gen" || to == "common/base" && own ~ "^common/")
            return 1
        if (own ~ "^common/(dwarf|unwind|v8)$" && to == "common/sym")
            return 1
        if (own == "common/stage" && to ~ "^common/(event|stack|tracepoint|unwind)$")
            return 1
        if (own == "common/filter" && to ~ "^common/(stack|demangle)$")
            return 1
        if (own ~ "^cmd/" || own ~ "^common/(machine|symbolize)$")
            if (to ~ "^common/" && (own ~ "^cmd/" || to != "common/machine"))
                return 1
        return program(own) == program(to) && (room(own) == "" || room(to) == "" || room(to) == "shared")
    }

    function wrong(text) {
        print FILENAME ":" FNR ": " text
        status = 1
    }

    function module(path) { sub("[.][ch]$", "", path); return path }

    # Walk through what the module includes; a module that is still open is included in a circle.
    function visit(name,    n, i, to) {
        state[name] = "open"
        walk[++depth] = name
        n = split(includes[name], to, " ")
        for (i = 1; i <= n; i++)
            if (state[to[i]] == "open")
                report_circle(to[i])
            else if (state[to[i]] == "")
                visit(to[i])
        state[name] = "done"
        depth--
    }

    function report_circle(first,    i, text) {
        for (i = depth; walk[i] != first; i--)
            text = " -> " walk[i] text
        print "circle: " first text " -> " first
        status = 1
    }

    # Whether a module includes another one, directly or by others.
    function reaches(from, to, search,    n, i, next_one) {
        if (from == to)
            return 1
        if (searched[from] == search)
            return 0
        searched[from] = search
        n = split(includes[from] " " closing[from], next_one, " ")
        for (i = 1; i <= n; i++)
            if (reaches(next_one[i], to, search))
                return 1
        return 0
    }

    BEGIN {
        n = split(ENVIRON["RESTRICTED"], row, "\n")
        for (i = 1; i <= n; i++)
            if (match(row[i], ": "))
                allowed[substr(row[i], 1, RSTART - 1)] = substr(row[i], RSTART + 2)
        ncircles = split(ENVIRON["CIRCLES"], circle, "\n")
        for (i = 1; i <= ncircles; i++) {
            sub(":.*", "", circle[i])
            may_close[circle[i]] = 1
        }
    }
    FNR == 1 {
        own = folder(FILENAME)
        modules[++nmodules] = module(FILENAME)
    }
    /^[ \t]*#[ \t]*include[ \t]*"/ {
        split($0, part, "\"")
        to = folder(part[2])
        if (!may_include(FILENAME, part[2]))
            wrong("may not include " part[2] ": see tests/lint/includes.sh")
        if (!may_reach(own, to) && to != part[2])
            wrong(own " includes " part[2])
        else if (module(part[2]) == module(FILENAME))
            next
        else if ((FILENAME " " part[2]) in may_close)
            closing[module(FILENAME)] = closing[module(FILENAME)] " " module(part[2])
        else
            includes[module(FILENAME)] = includes[module(FILENAME)] " " module(part[2])
    }
    own ~ "^cmd/stackcollapse/(shared|format)$" && /(^|[^A-Za-z])script([^A-Za-z]|$)/ {
        wrong("speaks of a script: see tests/lint/includes.sh")
    }
    END {
        for (i = 1; i <= nmodules; i++)
            if (state[modules[i]] == "")
                visit(modules[i])
        for (i = 1; i <= ncircles; i++) {
            if (split(circle[i], part, " ") != 2 || !(module(part[1]) in state))
                continue
            if (!reaches(module(part[2]), module(part[1]), i)) {
                print "no circle is closed by " part[2] " in " part[1] ": remove it from tests/lint/includes.sh"
                status = 1
            }
        }
        exit status
    }'
