# stackrecord beside processes that lie about their V8: see tests/record/app/v8hostile.c. Beside
# them runs an honest node, whose samples and names must be complete.
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
# Control characters except tab and newline, bidirectional controls, line separators, and invalid
# UTF-8 are errors.
bad = {c for path in sys.argv[1:] for c in set(open(path, encoding='utf-8', newline='').read())
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

# Prints the CPU time of a process, in hundredths of a second.
used() { # PID
    awk '{ print $14 + $15 }' "/proc/$1/stat"
}

# Starts an honest node, and sets $honest to its pid.
start_honest() {
    node "$WORK/app.js" begun > /dev/null 3>&- &
    honest=$!
    pids+=" $honest"
    soon test -s begun
}

# Starts hostile processes, and sets $hostile to their pids, separated by commas.
start_hostile() { # HOW...
    local how
    hostile=
    for how; do
        "$WORK/v8hostile" "$how" 60 > said 3>&- &
        hostile+=${hostile:+,}$!
        pids+=" $!"
        soon test -s said
        [ "$(< said)" = ready ] || skip "the kernel does not permit it here"
        rm said
    done
}

# Records for some seconds. Checks that $honest has its samples, and that this percentage of them
# has both names, after the first second, in which names are first looked up. Sets $kb and $time to
# the memory and the CPU time of the recorder, in hundredths of a second.
record() { # SECONDS PERCENT OPTION...
    local recorder helper before after ran samples named later
    stackrecord -e cpu-clock -F 499 --memory 64 "${@:3}" > out 2> err 3>&- &
    recorder=$!
    pids+=" $recorder"
    sleep 0.5
    before=$(used "$honest")
    sleep "$1"
    after=$(used "$honest")
    helper=$(pgrep -P "$recorder" | head -1)
    kb=$(awk '$1 == "VmHWM:" { print $2 }' "/proc/$recorder/status")
    time=$(used "$recorder")
    [ -z "$helper" ] || time=$((time + $(used "$helper" 2> /dev/null || echo 0))) # it may have been replaced
    SECONDS=0
    kill -INT "$recorder"
    status=0
    wait "$recorder" || status=$?
    [ "$status" -eq 0 ]
    [ "$SECONDS" -le 3 ]
    ran=$(((after - before) * 499 / 100))
    read -r samples named later < <(awk -v pid="$honest" '
        /^[^\t]/ { split($2, id, "/"); is = id[1] == pid; all = ""; first = first ? first : $4 + 1 }
        is && /^[^\t]/ { samples++; late = $4 > first }
        is { all = all " " $2 " " $3 }
        /^$/ { later += is && late; named += is && late && all ~ "[*+^~]leaf " && all ~ "[*+^~]middle "; is = 0 }
        END { print samples + 0, named + 0, later + 0 }' out)
    echo "$kb kB, $time/100 s; node ran for $ran samples, has $samples, $named of $later with names"
    python3 "$WORK/control.py" out err
    [ "$samples" -ge $((ran * 9 / 10)) ]
    sed -i '/ records were lost, /d' err # a busy machine may lose a few, and says so
    [ "$later" -gt 50 ]
    [ "$named" -ge $((later * $2 / 100)) ]
}

# Records hostile processes of these kinds, and a node, for three seconds.
beside() { # HOW...
    local pid
    start_honest
    start_hostile "$@"
    record 2.5 90 -p "$hostile,$honest"
    for pid in ${hostile//,/ }; do
        [ "$(grep -c "^v8hostile *$pid/" out)" -gt 50 ]
    done
    [ -n "${SAN-}" ] || [ "$kb" -lt 64000 ]
    # Of 300; tests/unit/stackrecord_jsnames.c tests the limit itself, with a clock of its own.
    [ -n "${SAN-}" ] || [ "$time" -lt 250 ]
    same '' "$(< err)"
}

@test "circles, wrong lengths, endless strings and large sources: they cost little, and take nothing from the node beside them" {
    beside cycles lengths deep sources
}

@test "endless maps, control characters, ever new functions: they cost little, and take nothing from the node beside them" {
    beside maps names functions
}

@test "code everywhere or overlapping, memory that comes and goes, objects wrong at random: the same" {
    beside headers overlaps mappings random
}

@test "five processes whose memory does not answer are said once, and take a second's names from the node beside them at most" {
    [ "$(id -u)" -eq 0 ] || skip "needs root, for memory that does not answer"
    start_honest
    start_hostile silent silent silent silent silent
    record 4 90 -p "$hostile,$honest"
    [ "$(grep -c '(v8hostile): its file system or memory did not answer in time: its functions may have no names$' err)" -eq 3 ]
    same 'stackrecord: 5 processes that did not answer in all' "$(grep -v '(v8hostile)' err)"
}

@test "processes that come and go, with ever new functions, take no more memory, and nothing of the node beside them" {
    [ "$(id -u)" -eq 0 ] || skip "needs root, to record all processes"
    start_honest
    start_hostile forks
    record 3 50 -a # more where processors are free: 90 to 100 in a hundred; the time for names is what passes, not what they take
    [ -n "${SAN-}" ] || [ "$kb" -lt 80000 ] # with what else runs here
}
