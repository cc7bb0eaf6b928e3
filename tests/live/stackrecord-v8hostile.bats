# stackrecord among processes that lie about their V8: see tests/record/app/v8hostile.c. Beside each runs a node that does
# not, whose samples and names must be complete.
load ../lib

setup_file() {
    export WORK=$BATS_FILE_TMPDIR
    cd "$WORK" || return 1
    command -v node > /dev/null && [ "$(uname -m)" = x86_64 ] || return 0
    python3 "$ROOT/tests/record/v8exports.py" "$(realpath "$(command -v node)")" > exports.c || return 0
    gcc -O1 -rdynamic -pthread -I "$ROOT" -o v8hostile "$ROOT/tests/record/app/v8hostile.c" exports.c \
        "$ROOT/common/v8/layout.c" -ldl
    cat > app.js << 'JS'
'use strict';
function leaf(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) | 0; return s; }
function middle(n) { return leaf(n) + 1; }
const begin = Date.now();
let sum = 0, begun = false;
while (Date.now() < begin + 60000) {
    sum += middle(2e6);
    if (!begun && Date.now() > begin + 300)
        require('fs').writeFileSync(process.argv[2], 'begun'), begun = true;
}
JS
    cat > control.py << 'PYTHON'
import sys, unicodedata
# Control characters but tab and newline, directions, separators of lines; and what is not UTF-8 is an error.
bad = {c for c in set(open(sys.argv[1], encoding='utf-8', newline='').read())
       if (unicodedata.category(c) in ('Cc', 'Zl', 'Zp') and c not in '\t\n') or c in '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'}
sys.exit(f'control characters: {bad}' if bad else 0)
PYTHON
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    needs_recorder
    [ -x "$WORK/v8hostile" ] || skip "there is no node here, of x86-64, that exports the numbers of its V8"
    pids=
}

teardown() {
    for pid in $pids; do kill -- "$pid" 2> /dev/null || :; done
}

# What a process used of a CPU, in hundredths of a second.
used() { # PID
    awk '{ print $14 + $15 }' "/proc/$1/stat"
}

# Records the hostile process and a node for three seconds, and checks all but the messages. HOSTILE_MB: of the recorder.
beside() { # HOW [OPTION...]
    local how=$1 kb recorder helper before after ran time samples named
    shift
    "$WORK/v8hostile" "$how" 60 > said 3>&- &
    hostile=$!
    node "$WORK/app.js" begun > /dev/null 3>&- &
    honest=$!
    pids="$hostile $honest"
    soon test -s begun
    soon test -s said
    [ "$(< said)" = ready ] || skip "the kernel does not permit it here"
    stackrecord -e cpu-clock -F 499 --memory 64 "$@" -p "$hostile,$honest" > out 2> err 3>&- &
    recorder=$!
    pids+=" $recorder"
    sleep 0.5
    before=$(used "$honest")
    sleep 2.5
    after=$(used "$honest")
    helper=$(pgrep -P "$recorder" | head -1)
    kb=$(awk '$1 == "VmHWM:" { print $2 }' "/proc/$recorder/status")
    time=$(used "$recorder")
    [ -z "$helper" ] || time=$((time + $(used "$helper")))
    SECONDS=0
    kill -INT "$recorder"
    status=0
    wait "$recorder" || status=$?
    [ "$status" -eq 0 ]
    [ "$SECONDS" -le 2 ]
    ran=$(((after - before) * 499 / 100))
    samples=$(grep -c '^node ' out)
    # Of those after the first second, in which names begin.
    read -r named later < <(awk '
        /^node / { is = 1; all = ""; if (!first) first = $4 + 1 }
        is && /^node / { is = $4 > first }
        is { all = all " " $2 " " $3 }
        /^$/ { later += is; named += is && all ~ "[*+^~]leaf " && all ~ "[*+^~]middle "; is = 0 }
        END { print named + 0, later + 0 }' out)
    echo "$how: $kb kB, $time/100 s; node ran for $ran samples, has $samples, $named of $later with names; hostile: $(grep -c '^v8hostile ' out)"
    python3 "$WORK/control.py" out
    python3 "$WORK/control.py" err
    [ "$samples" -ge $((ran * 9 / 10)) ]
    [ "$later" -gt 50 ]
    [ "$named" -ge $((later / 2)) ] # nearly all where the machine has time
    [ "$(grep -c '^v8hostile ' out)" -gt 50 ]
    [ -n "${SAN-}" ] || [ "$kb" -lt "${HOSTILE_MB-64}000" ]
    [ -n "${SAN-}" ] || [ "$time" -lt 150 ] # of 300
    run ! grep -q ' lost' err
}

quiet() { # HOW
    beside "$1"
    # On a busy machine an honest process may be slow, too.
    same '' "$(grep -v "^stackrecord: process $honest (node): its file system or memory did not answer in time" err)"
}

@test "objects in circles: little is spent on them, and nothing is taken from the node beside them" {
    quiet cycles
}

@test "lengths that no object has: little is spent on them, and nothing is taken from the node beside them" {
    quiet lengths
}

@test "strings of a million levels: little is spent on them, and nothing is taken from the node beside them" {
    quiet deep
}

@test "maps of maps without end: little is spent on them, and nothing is taken from the node beside them" {
    quiet maps
}

@test "sources of 64 MB: little is spent on them, and nothing is taken from the node beside them" {
    quiet sources
}

@test "names with control characters: little is spent on them, and nothing is taken from the node beside them" {
    quiet names
}

@test "ever new functions: little is spent on them, and nothing is taken from the node beside them" {
    quiet functions
}

@test "what could be the start of code everywhere: little is spent on them, and nothing is taken from the node beside them" {
    quiet headers
}

@test "code that overlaps, grows and shrinks: little is spent on them, and nothing is taken from the node beside them" {
    quiet overlaps
}

@test "memory that comes and goes: little is spent on them, and nothing is taken from the node beside them" {
    quiet mappings
}

@test "objects that are wrong at random: little is spent on them, and nothing is taken from the node beside them" {
    quiet random
}

@test "memory that does not answer is said once" {
    [ "$(id -u)" -eq 0 ] || skip "needs root, for memory that does not answer"
    beside silent
    same "stackrecord: process $hostile (v8hostile): its file system or memory did not answer in time: its functions may have no names" "$(< err)"
}

@test "five processes whose memory does not answer take names from others for some seconds at most" {
    [ "$(id -u)" -eq 0 ] || skip "needs root, for memory that does not answer"
    local i more=
    for i in 1 2 3 4 5; do
        "$WORK/v8hostile" silent 60 > "said$i" 3>&- &
        more+=" $!"
        soon test -s "said$i"
    done
    [ "$(< said1)" = ready ] || skip "the kernel does not permit it here"
    node "$WORK/app.js" begun > /dev/null 3>&- &
    honest=$!
    pids="$more $honest"
    soon test -s begun
    more=${more# }
    stackrecord -e cpu-clock -F 199 -p "${more// /,},$honest" --duration 16 > out 2> err
    awk '/^node / { is = 1; all = ""; t = $4 + 0 } is { all = all " " $2 } is && /^$/ { if (!first) first = t; is = 0
        if (t > first + 10) { n++; named += all ~ "[*+^~]leaf" } } END { print named " of " n; exit !(n > 50 && named > n / 2) }' out
}

@test "processes that come and go, with ever new functions, take no more memory, and nothing of the node beside them" {
    [ "$(id -u)" -eq 0 ] || skip "needs root, to record all processes"
    "$WORK/v8hostile" forks 60 > said 3>&- &
    pids=$!
    node "$WORK/app.js" begun > /dev/null 3>&- &
    honest=$!
    pids+=" $honest"
    soon test -s begun
    soon test -s said
    stackrecord -e cpu-clock -F 499 --memory 64 -a > out 2> err 3>&- &
    local recorder=$! kb before after
    pids+=" $recorder"
    sleep 1
    before=$(used "$honest")
    sleep 4
    after=$(used "$honest")
    kb=$(awk '$1 == "VmHWM:" { print $2 }' "/proc/$recorder/status")
    SECONDS=0
    kill -INT "$recorder"
    wait "$recorder"
    [ "$SECONDS" -le 3 ]
    read -r named later < <(awk -v pid="$honest" '
        /^node / { split($2, id, "/"); is = id[1] == pid; all = ""; if (is && !first) first = $4 + 1; is = is && $4 > first }
        is { all = all " " $2 " " $3 }
        /^$/ { later += is; named += is && all ~ "[*+^~]leaf "; is = 0 }
        END { print named + 0, later + 0 }' out)
    echo "$kb kB; $named of $later with names; node used $((after - before))/100 s; $(grep -c '^v8hostile ' out) samples of others"
    python3 "$WORK/control.py" out
    [ -n "${SAN-}" ] || [ "$kb" -lt 80000 ] # with what else runs here
    [ "$later" -ge $(((after - before) * 499 * 3 / 400)) ]
    [ "$named" -ge $((later / 2)) ]
}
