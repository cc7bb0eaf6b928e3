load ../lib

# A small project in which lint finds nothing.
setup() {
    PROJECT=$BATS_TEST_TMPDIR/project
    mkdir -p "$PROJECT"/{.ci,common/{base,stack,stack/text,sym},cmd/{one,two},package,tests/bench,man}
    touch "$PROJECT"/{Makefile,config.mk,README.md,LICENSE,tests/bench/RESULTS.md}
    cat >"$PROJECT/common/base/span.h" <<<'#include <stddef.h>'
    cat >"$PROJECT/common/stack/folded.c" <<<'#include "common/base/span.h"'
    cat >"$PROJECT/cmd/one/main.c" <<<'#include "common/stack/folded.h"'
    printf '#include "cmd/one/main.h"\n#include "gen/one.h"\n' >>"$PROJECT/cmd/one/main.c"
}

accepts() { # CHECK
    prints '' "$ROOT/tests/lint/$1.sh" "$PROJECT"
}

# Passes if the check fails and prints this text, as for like().
finds() { # TEXT CHECK
    try "$ROOT/tests/lint/$2.sh" "$PROJECT"
    [ "$status" != 0 ]
    like "$1" "$output"
}

@test "includes in the direction of the design are accepted" {
    accepts includes
}

@test "a program that includes another one is reported" {
    echo '#include "cmd/two/part.h"' >>"$PROJECT/cmd/one/main.c"
    finds 'cmd/one/main.c:4: cmd/one includes cmd/two/part.h' includes
}

@test "a stage or a symbolizer that reads a clock, and a recorder that asks outside capture/, are reported" {
    mkdir -p "$PROJECT/common/"{stage,symbolize} "$PROJECT/cmd/stackrecord/capture"
    accepts pure
    printf '#include "common/base/clock.h"\n/* time() */\nnow = clock_now();\n' >"$PROJECT/common/stage/wall.c"
    echo 'open("/proc/self/maps", 0);' | tee "$PROJECT/cmd/stackrecord/"{capture/target,plan}.c \
        "$PROJECT/common/symbolize/"{findmap,naming}.c
    echo 'now = clock_now();' >"$PROJECT/common/symbolize/mapnames.c"
    finds "common/stage/wall.c:1: a stage includes common/base/clock.h: see tests/lint/pure.sh
common/stage/wall.c:3: asks the machine: see tests/lint/pure.sh
cmd/stackrecord/plan.c:1: asks the machine: see tests/lint/pure.sh
common/symbolize/mapnames.c:1: asks the machine: see tests/lint/pure.sh
common/symbolize/naming.c:1: asks the machine: see tests/lint/pure.sh
common/symbolize/naming.c:1: opens a file: see tests/lint/pure.sh" pure
}

@test "a word of the scripts is reported in stackcollapse but for its room for them" {
    mkdir -p "$PROJECT/cmd/stackcollapse/"{format,script}
    echo '/* As the Perl script does. */' | tee "$PROJECT/cmd/stackcollapse/"{format,script}/go.c
    finds 'cmd/stackcollapse/format/go.c:1: speaks of a script: see tests/lint/includes.sh' includes
}

@test "a folder of common that includes a program is reported" {
    echo ' # include "cmd/one/main.h"' >"$PROJECT/common/sym/elf.h"
    finds 'common/sym/elf.h:1: common/sym includes cmd/one/main.h' includes
}

@test "an include of another folder in common/base is reported" {
    echo '#include "common/stack/folded.h"' >>"$PROJECT/common/base/span.h"
    finds 'common/base/span.h:2: common/base includes common/stack/folded.h' includes
}

@test "an include of common/stack in common/sym is reported" {
    echo '#include "common/stack/folded.h"' >"$PROJECT/common/sym/map.c"
    finds 'common/sym/map.c:1: common/sym includes common/stack/folded.h' includes
}

@test "a header that only some may include is reported in any other file" {
    touch "$PROJECT/common/stack/text/perfline.h"
    echo '#include "common/stack/text/perfline.h"' >"$PROJECT/common/stack/text/perftext.h"
    accepts includes
    echo '#include "common/stack/text/perfline.h"' >>"$PROJECT/cmd/one/main.c"
    finds 'cmd/one/main.c:4: may not include common/stack/text/perfline.h: see tests/lint/includes.sh' includes
}

@test "files that include each other are reported, X.c and X.h as one" {
    echo '#include "common/stack/b.h"' >"$PROJECT/common/stack/a.c"
    echo '#include "common/stack/c.h"' >"$PROJECT/common/stack/b.h"
    touch "$PROJECT"/common/stack/{a.h,b.c,c.h}
    accepts includes
    echo '#include "common/stack/a.h"' >"$PROJECT/common/stack/c.c"
    finds 'circle: common/stack/a -> common/stack/b -> common/stack/c -> common/stack/a' includes
}

@test "a circle in the table is allowed, and a row that closes none is reported" {
    script=$BATS_TEST_TMPDIR/includes.sh
    sed "s,^circles='\$,&\ncommon/stack/b.c common/stack/a.h: a grammar," "$ROOT/tests/lint/includes.sh" >"$script"
    echo '#include "common/stack/b.h"' >"$PROJECT/common/stack/a.c"
    echo '#include "common/stack/a.h"' >"$PROJECT/common/stack/b.c"
    try bash "$script" "$PROJECT"
    [ "$status" = 0 ]
    [ "$output" = "" ]
    echo '#include "common/base/span.h"' >"$PROJECT/common/stack/a.c"
    try bash "$script" "$PROJECT"
    [ "$status" != 0 ]
    [[ $output = 'no circle is closed by common/stack/a.h in common/stack/b.c: '* ]]
}

@test "a program's rooms include its front door and the room shared, and not each other" {
    mkdir -p "$PROJECT"/cmd/one/{shared,format,script}
    echo '#include "cmd/one/format/csv.h"' >>"$PROJECT/cmd/one/main.c"
    printf '#include "cmd/one/%s"\n' shared/stack.h options.h >"$PROJECT/cmd/one/format/csv.c"
    printf '#include "cmd/one/%s"\n' shared/stack.h options.h >"$PROJECT/cmd/one/script/awk.c"
    printf '#include "cmd/one/%s"\n' shared/lines.h options.h >"$PROJECT/cmd/one/shared/stack.c"
    accepts includes
    echo '#include "cmd/one/script/awk.h"' >>"$PROJECT/cmd/one/format/csv.c"
    echo '#include "cmd/one/format/csv.h"' >>"$PROJECT/cmd/one/script/awk.c"
    echo '#include "cmd/one/format/csv.h"' >>"$PROJECT/cmd/one/shared/stack.c"
    echo '#include "cmd/one/shared/stack.h"' >>"$PROJECT/cmd/two/main.c"
    finds 'cmd/one/format/csv.c:3: cmd/one/format includes cmd/one/script/awk.h
cmd/one/script/awk.c:3: cmd/one/script includes cmd/one/format/csv.h
cmd/one/shared/stack.c:3: cmd/one/shared includes cmd/one/format/csv.h
cmd/two/main.c:1: cmd/two includes cmd/one/shared/stack.h' includes
}

@test "a project in order is accepted" {
    accepts layout
}

@test "what does not belong at the top is reported, hidden or not" {
    touch "$PROJECT/notes.txt" "$PROJECT/.hidden"
    finds $'notes.txt does not belong at the top\n.hidden does not belong at the top' layout
}

@test "a file of more than 1,000 lines is reported" {
    yes '' | head -n 1000 >"$PROJECT/common/base/long.c"
    accepts layout
    echo >>"$PROJECT/common/base/long.c"
    finds "common/base/long.c: 1001 lines*" layout
}

@test "a line of prose in the README of more than 120 columns is reported; code and tables may have more" {
    long=$(printf 'ä%.0s' {1..121})
    printf '%s\n' "    $long" "| $long |" "${long%?}" >"$PROJECT/README.md"
    accepts layout
    echo "$long" >>"$PROJECT/README.md"
    finds "README.md:4:$long*" layout
}

@test "a README of more than 200 lines is reported" {
    seq 200 >"$PROJECT/README.md"
    accepts layout
    echo >>"$PROJECT/README.md"
    finds "README.md: 201 lines*" layout
}

@test "a note of work left to do is reported" {
    printf '/* TO%s: the rest */\n' DO >"$PROJECT/common/base/rest.c"
    finds "common/base/rest.c:1:*" layout
}

@test "warnings are errors in the build with sanitizers" {
    try make -n -C "$ROOT" BUILD="$BATS_TEST_TMPDIR/build" SAN=undefined all
    [ "$status" = 0 ]
    [ "$(grep -c -e ' -c .* -Werror\| -Werror .* -c ' <<<"$output")" = "$(grep -c -e ' -c ' <<<"$output")" ]
    try make -n -C "$ROOT" BUILD="$BATS_TEST_TMPDIR/build" all
    [[ $output != *-Werror* ]]
}

@test "a test that changes what it did not make is reported" {
    local line number=0
    while read -r line; do
        printf '# a test\n    %s\n' "$line" >"$PROJECT/tests/bad.bats"
        try "$ROOT/tests/lint/foreign.sh" "$PROJECT"
        echo "$line"
        [ "$status" != 0 ]
        [[ $output = "tests/bad.bats:2: "*": "*"$line" ]]
        number=$((number + 1))
    done <<'END'
chmod 777 . folder "${BATS_TEST_TMPDIR%/*}" "${BATS_TEST_TMPDIR%/*/*/*}"
[ -e x ] && chmod 755 "${PWD%/*}"
chmod 755 ../.. && run
chmod 700 ~
chmod 700 $HOME
chmod 1777 /tmp
sudo chown -R nobody: "$TMPDIR"
(cd x; chown root /tmp/*)
chmod +x "$BIN/stackrecord"
setfacl -m u:nobody:x /home
rm -rf /tmp/*
rm -f /tmp/perf-*.map
rm -rf "$HOME"
mv ~/.bashrc x
rm -r "${BATS_RUN_TMPDIR%/*}"
work=$(mktemp -d /tmp/work.XXXXXX)
mkdir -p /tmp/work
echo 0 > /proc/sys/kernel/kptr_restrict
echo 1 >"/sys/kernel/tracing/events/enable"
echo "p:x $PWD/program:0x1129" >>$TRACEFS/uprobe_events
echo 1 | tee -a /sys/kernel/mm/ksm/run
sysctl -q -w kernel.perf_event_paranoid=1
useradd -m other
pkill stackrecord
killall -9 node
END
    [ "$number" = 25 ]
    rm "$PROJECT/tests/bad.bats"
    echo '    os.chmod("/tmp", 0o777)' >"$PROJECT/tests/bad.py"
    finds 'tests/bad.py:1: a mode or owner of what the test did not make: *' foreign
}

@test "a test that changes its own folder, or the files of its own process in /tmp, is accepted" {
    cat >"$PROJECT/tests/good.bats" <<'END'
# chmod 777 /tmp is what it does not do
chmod 777 . folder "$BATS_TEST_TMPDIR"; ls /tmp
chown 65533 "/tmp/perf-$pid.map"
rm -rf folder ../pid "/tmp/perf-$(cat pid).map"
mkdir -m 700 secret && cp /bin/true secret
work=$(mktemp -d) && rm -r "$work" > /dev/null
read -r paranoid < /proc/sys/kernel/perf_event_paranoid
grep -q uprobes $TRACEFS/uprobe_events > found
kill "$pid" "$(pgrep -P "$pid" -x sleep)"
END
    accepts foreign
}

# The last line of make check depends on count.awk and step.sh.
@test "results are counted; tests that were skipped or failed are listed with their reasons" {
    printf '1..4\nok 1 - a\nnot ok 2 - b\n# detail\nok 3 c # skip no perf\nok - d\n# of d\n' >"$BATS_TEST_TMPDIR/tap"
    try awk -f "$ROOT/tests/count.awk" "$BATS_TEST_TMPDIR/tap"
    [ "$status" = 1 ]
    same $'skipped: c: no perf\nfailed: b\n# detail\n2 passed, 1 failed, 1 skipped' "$output"
}

@test "a live test that failed is run once more, alone, at the end; both results are printed and counted" {
    mkdir -p "$BATS_TEST_TMPDIR/bin" "$BATS_TEST_TMPDIR/check/bats/live"
    cat >"$BATS_TEST_TMPDIR/bin/bats" <<-'END'
	#!/bin/sh
	echo "$*" >>"$LOG"
	echo 1..1
	echo 'ok 1 records (again)'
	END
    chmod +x "$BATS_TEST_TMPDIR/bin/bats"
    cd "$BATS_TEST_TMPDIR"
    mkdir -p tests/live
    cp "$ROOT"/tests/{step.sh,count.awk} tests
    printf '@test "records (again)" {\n}\n' >tests/live/one.bats
    printf '1..3\nok 1 before\nnot ok 2 records (again)\n# of the first run\nok 3 after\n' >check/bats/live/one.tap
    export LOG=$PWD/log RUNBATS=$PWD/bin/bats BUILD=$PWD RESULTS=$PWD/check INPUTS=
    AGAIN='records (again)' try tests/step.sh bats/live/one
    [ "$status" = 0 ]
    [[ $output = "bats/live/one again: 1 passed, 0 failed, 0 skipped, "* ]]
    same '-f ^records \(again\)$ tests/live/one.bats' "$(<log)"
    same $'1..3\nok 1 before\nok 1 records (again) # second run\nok 3 after' "$(<check/bats/live/one.tap)"
    try awk -f tests/count.awk check/bats/live/one.tap
    same $'passed on a second run: 1\n3 passed, 0 failed, 0 skipped' "$output"
}

@test "a step that may depend on the machine is reported if it is in make check" {
    mkdir -p "$PROJECT/tests/live"
    printf '@test "x" {\n    sleep 1\n    grep "sleep 1" in\n    try timeout 3 true\n}\n' >"$PROJECT/tests/wait.bats"
    cp "$PROJECT/tests/wait.bats" "$PROJECT/tests/live"
    try "$ROOT/tests/lint/deterministic.sh" "$PROJECT"
    [ "$status" != 0 ]
    same $'tests/wait.bats:2\ntests/wait.bats:4' "$(cut -d : -f 1,2 <<<"$output")"
}

@test "CI prints what failed once more at its end, with the sum of both runs" {
    mkdir -p "$BATS_TEST_TMPDIR/.ci" "$BATS_TEST_TMPDIR/tests"
    cd "$BATS_TEST_TMPDIR"
    cp "$ROOT/.ci/run" .ci
    printf '#!/bin/sh\n' >tests/tools.sh
    chmod +x tests/tools.sh
    printf 'check check-all:\n\t@printf "failed: b\\n# detail\\n2 passed, 1 failed, 3 skipped\\n"; exit 1\n' >Makefile
    try .ci/run
    [ "$status" != 0 ]
    same $'failed: b\n# detail\nfailed: b\n# detail\n4 passed, 2 failed, 6 skipped' "$(tail -n 5 <<<"$output")"
}

@test "a step of a port runs the programs of its own build" {
    mkdir -p "$BATS_TEST_TMPDIR/musl/unit"
    printf '#!/bin/sh\necho "not ok 1 - $0 $BIN $COMPAT"\n' >"$BATS_TEST_TMPDIR/musl/unit/where"
    chmod +x "$BATS_TEST_TMPDIR/musl/unit/where"
    cd "$ROOT"
    BUILD=$BATS_TEST_TMPDIR RESULTS=$BATS_TEST_TMPDIR/check try tests/step.sh musl/unit/where
    local port=$BATS_TEST_TMPDIR/musl
    [ "${lines[0]}" = "not ok 1 - $port/unit/where $port/bin $port/compat" ]
    [[ ${lines[1]} = "musl/unit/where: 0 passed, 1 failed, 0 skipped, "* ]]
}

@test "a wrong answer to a conformance case is a failure, shown with the right one" {
    cd "$BATS_TEST_TMPDIR"
    mkdir -p programs tests/data
    cp -r "$ROOT/tests/conform" tests
    # A few of the cases, and the answers to them.
    printf '%s\n' 'stackcollapse-perf.pl names.perf' 'flamegraph.pl names.folded' 'difffolded.pl before.folded after.folded' >cases
    printf '#!/bin/sh\ncat "%s"\n' "$PWD/cases" >tests/conform/cases.sh
    gunzip -c tests/conform/answers.gz |
        awk 'FILENAME != "-" { wanted["$ " $0] = 1; next } /^\$ / { is_wanted = $0 in wanted } is_wanted' cases - |
        gzip >answers.gz
    mv answers.gz tests/conform
    cp "$DATA/cpp.perf.txt.gz" tests/data
    for name in stackcollapse-perf.pl flamegraph.pl difffolded.pl; do
        printf '#!/bin/sh\necho nothing\n' >programs/$name
        chmod +x programs/$name
    done
    try tests/conform/check.sh programs
    [ "$status" = 1 ]
    same "$(awk '{ print "not ok " NR " - " $0 }' cases)" "$(grep '^not ok ' <<<"$output")"
    [[ $output = *"# -|app;main;Builtins_InterpreterEntryTrampoline;[perf-77.map] 35"* ]]
    [[ $output = *"# -|frame"* ]]
    [[ $output = *"# +|nothing"* ]]
}

@test "tools.sh waits for another package manager before it installs packages" {
    mkdir "$BATS_TEST_TMPDIR/bin"
    cd "$BATS_TEST_TMPDIR/bin"
    ln -s "$(command -v bash)" "$(command -v tr)" "$(command -v env)" .
    printf '#!/bin/sh\necho 0\n' >./id
    printf '#!/bin/sh\necho other\n' >./uname
    printf '#!/bin/sh\necho waited >>log\n' >./sleep
    printf '#!/bin/sh\n' >./apt-cache
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
    chmod +x id uname sleep apt-get apt-cache
    try env PATH="$PWD" "$ROOT/tests/tools.sh"
    [ "$status" = 0 ]
    [[ $output = "installing: make gcc "*"could not be installed: make gcc "* ]]
    [ "$(sed -n 2p log)" = waited ]
    [[ $(sed -n 3p log) = *" update" ]]
    [[ $(tail -n 1 log) = *" install -y --no-install-recommends make gcc "* ]]
}

# A PATH for tools.sh with an apt-get that installs nothing, which logs what it is asked for. The packages are known if there
# is a file "known".
apt_of_nothing() {
    mkdir "$BATS_TEST_TMPDIR/bin"
    cd "$BATS_TEST_TMPDIR/bin"
    ln -s "$(command -v bash)" "$(command -v tr)" "$(command -v env)" .
    printf '#!/bin/sh\necho 0\n' >./id
    printf '#!/bin/sh\necho other\n' >./uname
    printf '#!/bin/sh\necho "$*" >>log\nexit 100\n' >./apt-get
    printf '#!/bin/sh\n[ -e known ]\n' >./apt-cache
    chmod +x id uname apt-get apt-cache
}

@test "tools.sh asks for what cannot be downloaded once, and not at all where no package is known" {
    apt_of_nothing
    : >known
    try env PATH="$PWD" "$ROOT/tests/tools.sh"
    [ "$status" = 0 ]
    [[ $output = *"could not be installed: make gcc "* ]]
    [[ $(sed -n 1p log) = *" update" ]]
    [[ $(sed -n 2p log) = *" install -y --no-install-recommends make gcc "* ]]
    [ "$(grep -c . log)" = 2 ]
    rm known log
    try env PATH="$PWD" "$ROOT/tests/tools.sh"
    [ "$status" = 0 ]
    [ "$(grep -c . log)" = 1 ]
}

@test "tools.sh asks for the faster browser beside another one, if the package is known" {
    apt_of_nothing
    ln -s "$(type -P true)" chromium
    try env PATH="$PWD" "$ROOT/tests/tools.sh"
    [[ $output = 'installing: make '* && $output != *chromium* ]]
    : >known
    try env PATH="$PWD" "$ROOT/tests/tools.sh"
    [[ $output = 'installing: make '*' chromium-headless-shell '* ]]
    ln -s chromium chromium-headless-shell
    try env PATH="$PWD" "$ROOT/tests/tools.sh"
    [[ $output = 'installing: make '* && $output != *chromium* ]]
}

@test "a command that is not found is reported as missing if the tests need it and it is not installed" {
    mkdir "$BATS_TEST_TMPDIR/tests" && cd "$BATS_TEST_TMPDIR"
    echo '    no-such-tool:package sed:sed' >tests/tools.sh
    ROOT=$PWD
    try no-such-tool 3>missing
    [ "$status" = 127 ]
    [ "$stderr" = 'no-such-tool: command not found' ]
    [ "$(<missing)" = '# missing: no-such-tool' ]
    PATH=/nowhere try sed 3>missing
    [ "$status" = 127 ]
    [ ! -s missing ]
    try nor-this 3>missing
    [ "$status" = 127 ]
    [ ! -s missing ]
}

@test "a test that fails after a tool was missing is skipped, and no other" {
    mkdir "$BATS_TEST_TMPDIR/bin"
    cat >"$BATS_TEST_TMPDIR/bin/bats" <<-'END'
	#!/bin/sh
	printf '%s\n' 1..3 '# missing: tool' 'not ok 1 one' '# tool: command not found' 'not ok 2 two' '# of two' \
	    '# missing: tool' 'ok 3 three'
	END
    chmod +x "$BATS_TEST_TMPDIR/bin/bats"
    cd "$ROOT"
    RUNBATS=$BATS_TEST_TMPDIR/bin/bats BUILD=$BATS_TEST_TMPDIR RESULTS=$BATS_TEST_TMPDIR/check try tests/step.sh bats/lint
    same $'1..3\nok 1 one # skip no tool\nnot ok 2 two\n# of two\nok 3 three' "$(<"$BATS_TEST_TMPDIR/check/bats/lint.tap")"
    [[ $output = *"bats/lint: 1 passed, 1 failed, 1 skipped, "* ]]
}

@test "no results at all are a failure" {
    try awk -f "$ROOT/tests/count.awk" /dev/null
    [ "$status" = 1 ]
    [ "$output" = "0 passed, 0 failed, 0 skipped" ]
}

@test "a step that crashes is a failure" {
    mkdir -p "$BATS_TEST_TMPDIR/unit"
    printf '#!/bin/sh\necho "ok 1 - a"\nkill -SEGV $$\n' >"$BATS_TEST_TMPDIR/unit/crash"
    chmod +x "$BATS_TEST_TMPDIR/unit/crash"
    BUILD=$BATS_TEST_TMPDIR RESULTS=$BATS_TEST_TMPDIR/check try "$ROOT/tests/step.sh" unit/crash
    [[ $output = *"not ok - unit/crash ended with status 139"* ]]
    [[ $output = *"unit/crash: 1 passed, 1 failed, 0 skipped, "* ]]
}

@test "a part of the picture's script that uses what it does not name, or changes what is another's, is reported" {
    local eslint=${ESLINT:-eslint}
    command -v "$eslint" >/dev/null || skip "no eslint"
    mkdir -p "$PROJECT/cmd/flamesvg"
    cp -r "$ROOT/cmd/flamesvg/ui" "$PROJECT/cmd/flamesvg/"
    cp "$ROOT/Makefile" "$PROJECT/"
    cd "$PROJECT/cmd/flamesvg/ui"
    echo 'show(ROOT);' >>table.js
    sed -i "s/^import { profile/import { data } from '.\/picture.js';\n&/; s/^export {/& rawName,/" copy.js
    printf '%s\n' 'table = null;' 'state.steps.push(table);' '[state.leaf] = [true];' >>copy.js
    sed -i 's/ drawOutline,//' svgpaint.js
    cd "$PROJECT"
    try "$eslint" -c "$ROOT/tests/browser/eslint.config.mjs" cmd/flamesvg/ui
    [ "$status" = 1 ]
    found=$(sed -n 's/^ *[0-9]*:[0-9]* *error  *\(.*[^ ]\)  *[a-z/-]*$/\1/p' <<<"$output" | LC_ALL=C sort)
    same "'data' is defined but never used
'drawOutline' is defined but never used
'show' is not defined
'table' is read-only
nobody uses rawName
state is the state of another part
state is the state of another part
svgpaint.js does not give drawOutline" "$found"
}
