load lib

# A small project in which the lint finds nothing.
setup() {
    HOUSE=$BATS_TEST_TMPDIR/house
    mkdir -p "$HOUSE"/{.ci,common/{base,stack,sym},cmd/{one,two},tests,man}
    touch "$HOUSE"/{Makefile,config.mk,README.md,LICENSE}
    cat >"$HOUSE/common/base/span.h" <<<'#include <stddef.h>'
    cat >"$HOUSE/common/stack/folded.c" <<<'#include "common/base/span.h"'
    cat >"$HOUSE/cmd/one/main.c" <<<'#include "common/stack/folded.h"'
    printf '#include "cmd/one/main.h"\n#include "gen/one.h"\n' >>"$HOUSE/cmd/one/main.c"
}

includes() {
    try "$ROOT/tests/lint/includes.sh" "$HOUSE"
}

layout() {
    try "$ROOT/tests/lint/layout.sh" "$HOUSE"
}

@test "includes in the direction of the design are right" {
    includes
    [ "$status" = 0 ]
    [ "$output" = "" ]
}

@test "a program that includes another one is told" {
    echo '#include "cmd/two/part.h"' >>"$HOUSE/cmd/one/main.c"
    includes
    [ "$status" != 0 ]
    [ "$output" = 'cmd/one/main.c:4: cmd/one includes cmd/two/part.h' ]
}

@test "a common room that includes a program is told" {
    echo ' # include "cmd/one/main.h"' >"$HOUSE/common/sym/elf.h"
    includes
    [ "$status" != 0 ]
    [ "$output" = 'common/sym/elf.h:1: common/sym includes cmd/one/main.h' ]
}

@test "common/base that includes another room is told" {
    echo '#include "common/stack/folded.h"' >>"$HOUSE/common/base/span.h"
    includes
    [ "$status" != 0 ]
    [ "$output" = 'common/base/span.h:2: common/base includes common/stack/folded.h' ]
}

@test "a room beside another that includes it is told" {
    echo '#include "common/stack/folded.h"' >"$HOUSE/common/sym/map.c"
    includes
    [ "$status" != 0 ]
    [ "$output" = 'common/sym/map.c:1: common/sym includes common/stack/folded.h' ]
}

@test "a house in order is right" {
    layout
    [ "$status" = 0 ]
    [ "$output" = "" ]
}

@test "what does not belong at the top is told, hidden or not" {
    touch "$HOUSE/notes.txt" "$HOUSE/.hidden"
    layout
    [ "$status" = 1 ]
    [[ $output = *"notes.txt does not belong at the top"* ]]
    [[ $output = *".hidden does not belong at the top"* ]]
}

@test "a file past 400 lines is told" {
    yes '' | head -n 400 >"$HOUSE/common/base/long.c"
    layout
    [ "$status" = 0 ]
    echo >>"$HOUSE/common/base/long.c"
    layout
    [ "$status" = 1 ]
    [[ $output = "common/base/long.c: 401 lines"* ]]
}

@test "what is left to do is told" {
    printf '/* TO%s: the rest */\n' DO >"$HOUSE/common/base/rest.c"
    layout
    [ "$status" = 1 ]
    [[ $output = "common/base/rest.c:1:"* ]]
}

@test "the build with sanitizers takes a warning for an error" {
    try make -n -C "$ROOT" BUILD="$BATS_TEST_TMPDIR/build" SAN=undefined all
    [ "$status" = 0 ]
    [ "$(grep -c -e ' -c .* -Werror\| -Werror .* -c ' <<<"$output")" = "$(grep -c -e ' -c ' <<<"$output")" ]
    try make -n -C "$ROOT" BUILD="$BATS_TEST_TMPDIR/build" all
    [[ $output != *-Werror* ]]
}

# count.awk and step.sh are what the last line of make check rests on.
@test "results are counted, and skips listed with their reasons" {
    printf '1..4\nok 1 - a\nnot ok 2 - b\n# detail\nok 3 c # skip no perf\nok - d\n' >"$BATS_TEST_TMPDIR/tap"
    try awk -f "$ROOT/tests/count.awk" "$BATS_TEST_TMPDIR/tap"
    [ "$status" = 1 ]
    same $'skipped: c: no perf\n2 passed, 1 failed, 1 skipped' "$output"
}

@test "a wrong answer to a conformance case is a failure, shown with the right one" {
    cd "$BATS_TEST_TMPDIR"
    mkdir programs
    for name in stackcollapse-perf.pl flamegraph.pl difffolded.pl; do
        printf '#!/bin/sh\necho nothing\n' >programs/$name
        chmod +x programs/$name
    done
    try "$ROOT/tests/conform/check.sh" programs
    [ "$status" = 1 ]
    [ "$(grep -c '^not ok ' <<<"$output")" -gt 300 ]
    [[ $output = *"# -|app;main;Builtins_InterpreterEntryTrampoline;[perf-77.map] 35"* ]]
    [[ $output = *"# -|frame"* ]]
    [[ $output = *"# +|nothing"* ]]
}

@test "packages are installed once another package manager has finished" {
    mkdir "$BATS_TEST_TMPDIR/bin"
    cd "$BATS_TEST_TMPDIR/bin"
    ln -s "$(command -v bash)" "$(command -v tr)" "$(command -v env)" .
    printf '#!/bin/sh\necho 0\n' >./id
    printf '#!/bin/sh\necho other\n' >./uname
    printf '#!/bin/sh\necho waited >>log\n' >./sleep
    # busy once
    echo yes >busy
    cat >apt-get <<-'END'
	#!/bin/sh
	echo "$*" >>log
	[ -s busy ] || exit 0
	: >busy
	echo 'E: Could not get lock /var/lib/apt/lists/lock'
	exit 100
	END
    chmod +x id uname sleep apt-get
    try env PATH="$PWD" "$ROOT/tests/tools.sh"
    [ "$status" = 0 ]
    [[ $output = "installing: make gcc "*"could not be installed: make gcc "* ]]
    [ "$(sed -n 2p log)" = waited ]
    [[ $(sed -n 3p log) = *" update" ]]
    [[ $(tail -n 1 log) = *" install -y --no-install-recommends make gcc "* ]]
}

@test "nothing that ran is no success" {
    try awk -f "$ROOT/tests/count.awk" /dev/null
    [ "$status" = 1 ]
    [ "$output" = "0 passed, 0 failed, 0 skipped" ]
}

@test "a step that dies is a failure" {
    mkdir -p "$BATS_TEST_TMPDIR/unit"
    printf '#!/bin/sh\necho "ok 1 - a"\nkill -SEGV $$\n' >"$BATS_TEST_TMPDIR/unit/crash"
    chmod +x "$BATS_TEST_TMPDIR/unit/crash"
    BUILD=$BATS_TEST_TMPDIR RESULTS=$BATS_TEST_TMPDIR/check try "$ROOT/tests/step.sh" unit/crash
    [[ $output = *"not ok - unit/crash ended with status 139"* ]]
    [[ $output = *"unit/crash: 1 passed, 1 failed, 0 skipped, "* ]]
}
