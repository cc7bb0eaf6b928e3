#!/usr/bin/env bash
# Finds lines of tests that change what the test did not make: modes, owners, files elsewhere than in the test's folders,
# settings of the kernel, users, and other people's processes. /tmp/perf-PID.map and the like may be written, where the
# process is the test's own: their names hold a variable.
#
# usage: foreign.sh [FOLDER]     (of the project; prints each such line)
set -eu
cd "${1:-.}"
# tests/lint/lint.bats has such lines on purpose. perfdata.sh, which no test runs, records programs at paths that stay the same.
find tests -type f \( -name '*.bats' -o -name '*.bash' -o -name '*.sh' -o -name '*.py' -o -name '*.[ch]' \) \
    -not -path 'tests/lint/*' -not -path tests/record/perfdata.sh -not -path tests/tools.sh -print0 | LC_ALL=C sort -z | xargs -0 awk '
    function wrong(what) {
        print FILENAME ":" FNR ": " what ": " $0
        status = 1
    }

    # What follows the command that the pattern names, for each place in the line.
    function operands_of(pattern,    line, found) {
        found = ""
        for (line = $0; match(line, "(^|[ \t;&|({`\"\47])" pattern "[ \t]"); ) {
            line = substr(line, RSTART + RLENGTH)
            found = found " " (match(line, /[;&|)`<>]/) ? substr(line, 1, RSTART - 1) : line)
        }
        gsub(/["\47]/, "", found)
        return found " "
    }

    # An absolute path, but for what the name of a process of the test is part of.
    function is_absolute(word) { return word ~ "^[~/]" && (word !~ "^/tmp/[a-z.-]+\\$" || word ~ /[*]/) }

    function any_absolute(operands,    word, n, i) {
        n = split(operands, word, " ")
        for (i = 1; i <= n; i++)
            if (is_absolute(word[i]))
                return 1
        return 0
    }

    /^[ \t]*#/ { next }
    {
        changed = operands_of("(chmod|chown|chgrp|setfacl|chattr)")
        if (changed ~ /%\/|(^|[ \/])\.\.[ \/]|\$[{]?(HOME|TMPDIR|ROOT|BIN|COMPAT|BUILD|DATA)[^A-Za-z_]/ || any_absolute(changed))
            wrong("a mode or owner of what the test did not make")
        removed = operands_of("(rm|rmdir|mv|truncate)")
        if (removed ~ /%\/|\$[{]?(HOME|TMPDIR)[}]? / || any_absolute(removed))
            wrong("a file that the test did not make")
        if (any_absolute(operands_of("(mkdir|mktemp)")))
            wrong("a folder outside the folder of the test")
    }
    /(>|tee (-a )?)[ ]*["]?(\/(proc\/sys|sys|etc)\/|\$[{]?TRACEFS)/ || /(^|[ \t;&|(])sysctl +(-[a-z]+ +)*[a-z._]+=/ {
        wrong("a setting of the kernel or the machine")
    }
    /(^|[ \t;&|(])(user|group)(add|mod|del)[ \t]/ || /(^|[ \t;&|(])(add|del)(user|group)[ \t]/ { wrong("users of the machine") }
    /(^|[ \t;&|(])(pkill|killall)[ \t]/ { wrong("processes by name, which may be those of others") }
    /ch(mod|own)(at)?\(["\47][~\/]/ { wrong("a mode or owner of what the test did not make") }
    END { exit status }'
