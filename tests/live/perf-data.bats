# perf-script's output of recordings that are made here, compared with perf script's.
load ../lib
load perfdata

# Ends within a second. Makes functions again and again, so that V8 uses the addresses of their code again.
node_program() {
    cat << 'EOF'
const made = [];
const end = Date.now() + Number(process.argv[2] || 700);
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
for (let n = 1; Date.now() < end; n++) {
    const f = new Function('a', `let s = 0; for (let i = 0; i < 3000; i++) s += a * i % ${n}; return s;`);
    for (let i = 0; i < 30; i++)
        made[n % 50] = f(i);
    fib(21);
    JSON.stringify(made.map(String).sort());
}
EOF
}

cxx_program() {
    cat << 'EOF'
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace {

template <typename T, int N> struct grid {
    T cells[N];
    __attribute__((noinline)) void fill(const std::function<T(int)> &make)
    {
        for (int i = 0; i < N; i++)
            cells[i] = make(i);
    }
};

template <typename Map> __attribute__((noinline)) void count(Map &words, const std::string &word)
{
    words[word]++;
}

void work(int seed)
{
    static thread_local grid<double, 512> board;
    std::map<std::string, int> words;
    for (int round = 0; round < 300; round++) {
        board.fill([=](int i) { return std::sin(i * seed + round); });
        std::vector<double> v(board.cells, board.cells + 512);
        std::sort(v.begin(), v.end(), [](double a, double b) { return a * a < b * b; });
        for (double d : v)
            count(words, std::to_string(d).substr(0, 4));
    }
}

} // namespace

int main()
{
    std::vector<std::thread> threads;
    for (int i = 1; i < 4; i++)
        threads.emplace_back(work, i);
    for (std::thread &t : threads)
        t.join();
}
EOF
}

# Turns a recording of cpu-clock with -d and -W into one of perf mem: an event by the processor's number, and data
# addresses, weights and data sources in its samples.
as_perf_mem() { # FROM TO
    python3 -c '
import random, struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
random.seed(1)
attributes, at, size = struct.unpack_from("<Q", data, 24) + struct.unpack_from("<QQ", data, 40)
struct.pack_into("<I", data, attributes, 4)
end, n = at + size, 0
while at < end:
    kind, misc, size = struct.unpack_from("<IHH", data, at)
    if kind == 9: # ip, pid tid, time, addr, period, ..., weight, data_src
        source = random.getrandbits(43) | random.randrange(5) << 43
        struct.pack_into("<Q", data, at + 32, [0, 0x7F1122334455, 0x1000][n % 3])
        struct.pack_into("<QQ", data, at + size - 16, n << 32 | n * 7, [0x68100142, 0x50100C44, source][n % 3])
        n += 1
    at += size
open(sys.argv[2], "wb").write(data)' "$@"
}

# Runs with a frame whose caller is at an impossible address.
garbage_program() {
    cat << 'EOF'
static unsigned long frame[2] = {0, -16UL};

int main(void)
{
    __asm__ volatile("push %%rbp\n lea %0, %%rbp\n mov $200000000, %%rcx\n1: dec %%rcx\n jnz 1b\n pop %%rbp"
                     : : "m"(frame) : "rcx", "memory");
    return 0;
}
EOF
}

# Runs node in a pid namespace with a /tmp of its own, in which its perf map is left: inner/perf-PID.map.
record_namespace() {
    mkdir -p inner
    record namespace -e cpu-clock -F 1999 -g -- unshare --pid --mount --fork --kill-child sh -c \
        'mount --bind inner /tmp && node --perf-basic-prof -e "$(cat node.js)"'
    [ -n "$(ls inner)" ] || rm -f namespace
}

# Records until perf is killed, with a ring that is small, so that it has written something before.
record_killed() {
    local perf work
    node node.js 20000 & work=$!
    perf record -q -o killed -e cpu-clock -F 4999 -m 4 -g -p $work 2> killed.why & perf=$!
    for _ in {1..100}; do
        sleep 0.1
        [ "$(stat -c %s killed 2> /dev/null || echo 0)" -gt 50000 ] && break
    done
    kill -KILL $perf 2> /dev/null || true
    kill $work
    wait $perf $work 2> /dev/null || true
}

# Puts the map of the node that was recorded where perf looks for it, unless another process has that number and a map now.
place_map() {
    local map
    map=/tmp/perf-$(cat node.pid).map
    if [ ! -e "$map" ]; then
        cp node.map "$map"
    else
        rm node node.pid
        echo "$map is another process's" > node.why
    fi
}

setup_file() {
    own_home
    if has_inputs; then
        [ ! -s node.pid ] || place_map
        return
    fi
    node_program > node.js
    cxx_program > shapes.cc
    local shell='for i in 1 2 3; do seq 20000 | sort | wc -l; done'
    command -v node > /dev/null || echo "no node on this machine" | tee node.why jit.why namespace.why killed.why > /dev/null
    if command -v node > /dev/null; then
        record node -e cpu-clock -F 1999 -g -- sh -c 'echo $$ > node.pid; exec node --perf-basic-prof node.js'
        record jit -e cpu-clock -F 1999 -g -k mono -- node --perf-prof node.js 300
        record_namespace
        record_killed
    fi
    if g++ -O1 -g -fno-omit-frame-pointer -fcf-protection -pthread -o shapes shapes.cc 2> cxx.why; then
        record cxx -e cpu-clock -F 1999 -g -- ./shapes
        perf record -q -e cpu-clock -F 1999 -m 4 -g -o - -- ./shapes > cxx.pipe 2> cxx.pipe.why || rm -f cxx.pipe
    fi
    garbage_program > garbage.c
    if gcc -O1 -mno-red-zone -o garbage garbage.c 2> garbage.data.why; then
        record garbage.data -e cpu-clock:u -F 999 -g -- ./garbage
    fi
    if gcc -m32 -O1 -o 32-bit -x c - <<< 'int main(void) { for (int i = 0; i < 200000; i++) time(0); }' \
        -w 2> 32-bit.data.why; then
        record 32-bit.data -e cpu-clock:u -F 1999 -g -- ./32-bit
    fi
    record all -e cpu-clock -F 999 -a -g -- sh -c "$shell"
    record tracepoints -a -g -e sched:sched_switch -e 'syscalls:sys_*_read' -- sh -c "$shell"
    record flat -a -e sched:sched_switch,syscalls:sys_enter_openat,cpu-clock -- sh -c "$shell"
    record two -e cpu-clock/period=500000/u -e page-faults/period=5/ -g -- sh -c "$shell"
    record group -e '{cpu-clock,page-faults,sched:sched_switch}:S' -F 1999 -a -g -- sh -c "$shell"
    record access -e cpu-clock -F 1999 -d -W -- sh -c "$shell"
    record access-stacks -e cpu-clock -F 1999 -d -W -g -- sh -c "$shell"
    record plain -e cpu-clock -F 1999 -- sh -c "$shell"
    record lost -a -e cpu-clock -F 10000 -m 1 -g -- sh -c "$shell"
    record mapped -a -e cpu-clock -F 99 -g --buildid-mmap -- sh -c "$shell"
    [ ! -s node.pid ] || cp "/tmp/perf-$(cat node.pid).map" node.map
    keep_inputs
}

# node writes its perf map where perf looks for it.
teardown_file() {
    cd "$BATS_FILE_TMPDIR"
    [ ! -s node.pid ] || rm -f "/tmp/perf-$(cat node.pid).map"
}

# ---- the text, line by line

@test "node with --perf-basic-prof prints as perf prints it, but for JIT addresses that were used again" {
    need node
    compares_to_perf node
    grep -q 'fib' ours
    try perf-script node
    [ "$status" -eq 0 ]
    [[ $stderr != *"without a name, and there is no"* ]]
}

@test "C++ with templates, lambdas and threads prints as perf prints it" {
    need cxx
    compares_to_perf cxx
    grep -q 'std::map<.*>::operator\[\]\|count<' ours
    [ "$(grep -c 'cpu-clock' ours)" -gt 100 ]
}

@test "a whole system with a shell's many processes prints as perf prints it" {
    need all
    compares_to_perf all
    need mapped
    compares_to_perf mapped
}

@test "tracepoints print as perf prints them, with callchains and without" {
    need tracepoints flat
    compares_to_perf tracepoints
    grep -q 'sched:sched_switch: prev_comm=.* ==> next_comm=' ours
    compares_to_perf flat
}

@test "two events, and a recording without -g, print as perf prints them" {
    need two plain
    compares_to_perf two
    [ "$(grep -c ' page-faults/period=5/u\?: $' ours)" -gt 0 ]
    [ "$(grep -c ' cpu-clock/period=500000/u: $' ours)" -gt 0 ]
    compares_to_perf plain
}

@test "of a group of events each member has its samples, of the periods by which its counter grew" {
    need group
    equal_to_perf group
    [ "$(grep -c ' page-faults: $' ours)" -gt 10 ]
    [ "$(grep -c ' sched:sched_switch: $' ours)" -gt 10 ]
    stackcollapse -q --event-filter=page-faults got > folded # ours, but for names that perf leaves mangled
    same "$(stackcollapse -q --event-filter=page-faults theirs)" "$(cat folded)"
    [ -s folded ]
}

@test "of perf mem the data addresses, sources and weights are printed, and are no functions' names" {
    need access access-stacks
    local name
    for name in access access-stacks; do
        as_perf_mem $name memory
        equal_to_perf memory
        grep -q '|OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A  *[0-9]' ours
        perf-script -q memory | stackcollapse -q > folded
        same "$(perf-script -q $name | stackcollapse -q)" "$(cat folded)"
        stackcollapse -q < theirs > folded
        same "$(of_perf $name | stackcollapse -q)" "$(cat folded)"
    done
}

@test "lost samples are printed as perf prints them, and counted" {
    need lost
    compares_to_perf lost
    equal_to_perf lost --show-lost-events
    local lost
    lost=$(sed -n 's/.*PERF_RECORD_LOST lost //p' ours | awk '{ sum += $1 } END { print sum + 0 }')
    [ "$lost" -gt 0 ] || skip "no sample was lost"
    try perf-script lost
    [ "$status" -eq 0 ]
    [[ ${stderr//,/} == *"perf-script: $lost samples were lost while recording"* ]]
    same "$lost" "$(number lost_events lost)"
}

@test "of a recording whose perf was killed, what is there is printed" {
    need killed
    [ -z "$(of_perf killed)" ]
    try perf-script killed
    [ "$status" -eq 0 ]
    [[ $stderr == *"perf-script: killed: the recorder did not finish it: what is there is read"* ]]
    [ "$(grep -c ' cpu-clock: $' <<< "$output")" -gt 100 ]
    [[ $output == *" (/usr/"* ]]
}

@test "a pid namespace that has ended gets its names from the map that --map-dir hands over" {
    need namespace
    local pid
    pid=$(of_perf namespace -F pid,comm --comm node | awk '{ print $2; exit }')
    equal_to_perf namespace
    grep -q "\[unknown\] (/tmp/perf-$pid.map)" ours
    mkdir -p maps
    cp inner/perf-*.map "maps/perf-$pid.map"
    try perf-script --as-perf --map-dir maps namespace
    [ "$status" -eq 0 ]
    # perf finds it only at this place.
    cp "maps/perf-$pid.map" /tmp
    of_perf namespace > theirs
    rm -f "/tmp/perf-$pid.map"
    printf '%s\n' "$output" | sed "s|(maps/perf-$pid.map)|(/tmp/perf-$pid.map)|" > ours
    [ "$(tail -c 1 theirs | wc -l)" -eq 1 ]
    echo >> ours # the last blank line, which "try" removes
    nearly_equal 10000
    grep -q 'fib' ours
    try perf-script --map-dir maps namespace
    [ "$status" -eq 0 ]
    [[ $stderr != *"without a name, and there is no"* ]]
}

@test "JIT-compiled code of a jitdump prints as after perf inject --jit" {
    need jit
    perf inject --jit -i jit -o injected
    of_perf injected > theirs
    perf-script -q jit > ours
    only_known_differences
    [ "$(grep -c '(.*/jitted-[0-9]*-[0-9]*.so)$' ours)" -gt 100 ]
    equal_to_perf jit
    rm -f jitted-*.so
}

@test "a jitdump's source lines of JavaScript have no file, and only optimized code has them" {
    need jit
    perf-script -q -F ip,sym,srcline jit |
        awk '/ (JS|LazyCompile|Function):/ { name = $2; next }
            /^  [^ ]/ && name { print name, $1 }
            { name = "" }' | sort -u > javascript
    grep -qE ' \?\?:([1-9]|10|11)$' javascript # node.js has 11 lines
    run ! grep -vE '^[A-Za-z]*:[o'\'']*[*+][^ ]* \?\?:[0-9]+$' javascript
}

@test "an impossible address in a stack is passed over; perf drops the whole stack" {
    need garbage.data
    compares_to_perf garbage.data
    grep -q ' main+0x.* (.*/garbage)$' ours
    run ! grep -q ' main+0x' theirs
}

@test "the vdso of a 32-bit process is not taken for that of 64-bit ones" {
    need 32-bit.data
    compares_to_perf 32-bit.data
    run ! grep -q '(\[vdso\])' ours
}

# ---- pipe mode

@test "perf record -o - prints as the same text that perf prints of it" {
    need cxx.pipe
    of_perf cxx.pipe > theirs
    perf-script -q --as-perf < cxx.pipe > ours
    nearly_equal 10000
    perf-script -q < <(cat cxx.pipe) > ours
    only_known_differences
}

@test "perf record in a pipe is printed while it still records" {
    need cxx.pipe
    mkfifo stream
    { cat cxx.pipe; sleep 30; } > stream & local writer=$!
    perf-script -q < stream > streamed & local reader=$!
    soon test -s streamed
    kill -0 $writer
    kill "$(pgrep -P $writer -x sleep)"
    wait $reader
    [ -s streamed ]
    same "$(perf-script -q < cxx.pipe)" "$(cat streamed)"
}

@test "several recordings and texts in a row print one after the other" {
    need two plain cxx.pipe
    of_perf two > two.txt
    perf-script -q two two.txt plain - < cxx.pipe > ours
    { perf-script -q two; cat two.txt; perf-script -q plain; perf-script -q < cxx.pipe; } > wanted
    cmp wanted ours
    same "$(($(number samples two) * 2))" "$(number samples two two.txt)"
}
