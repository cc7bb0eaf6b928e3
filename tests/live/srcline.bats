# perf-script -F +srcline on recordings that are made here, compared with perf script's.
load ../lib
load perfdata
ASK=asked_once # perf says the same of a recording all the time

program() {
    cat << 'EOF'
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

static inline __attribute__((always_inline)) double wave(double x, int i)
{
    return std::sin(x * i) + x;
}

template <typename T> __attribute__((noinline)) T sum(T x)
{
    T s = 0;
    for (int i = 0; i < 200; i++)
        s += wave(x, i);
    return s;
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? std::stoi(argv[1]) : 2000;
    double s = 0;
    std::map<std::string, int> seen;
    for (int r = 0; r < rounds; r++) {
        s += sum(double(r));
        std::vector<double> v;
        for (int i = 0; i < 200; i++)
            v.push_back(std::fmod(i * s, 17));
        std::sort(v.begin(), v.end(), [](double a, double b) { return a * a < b * b; });
        seen[std::to_string(v[3])]++;
    }
    return s > 1e30;
}
EOF
}

# Runs 200 million instructions of code that no file has.
jit_program() {
    cat << 'EOF'
#include <string.h>
#include <sys/mman.h>

int main(void)
{
    /* push %rbp; mov %rsp, %rbp; mov $100000000, %ecx; dec %ecx; jnz back; pop %rbp; ret */
    static const char code[] = "\x55\x48\x89\xe5\xb9\x00\xe1\xf5\x05\xff\xc9\x75\xfc\x5d\xc3";
    void *at = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(at, code, sizeof code);
    ((void (*)(void))at)();
    return 0;
}
EOF
}

# Builds the program with these options and records it, both under that name.
build() { # NAME OPTION...
    local name=$1
    shift
    if g++ -O2 -fno-omit-frame-pointer "$@" -o "bin-$name" shapes.cc 2> "$name.why"; then
        record "$name" -e cpu-clock -F 1999 -g -- "./bin-$name"
    fi
}

setup_file() {
    own_home
    command -v addr2line > /dev/null || skip "no addr2line on this machine"
    ! has_inputs || return 0
    program > shapes.cc
    jit_program > jit.c
    build pie -g -pie
    build fixed -g -no-pie
    build symbols
    build stripped -s
    build static -g -static
    build lto -g -flto
    record flat -e cpu-clock -F 999 -- ./bin-pie
    local shell='for i in 1 2 3 4 5 6 7 8; do seq 20000 | sort | wc -l; done'
    record all -a -e cpu-clock -F 499 -g -- sh -c "$shell"
    if gcc -g -fno-omit-frame-pointer -o bin-jit jit.c 2> jit.why; then
        record jit -e cpu-clock -F 999 -g -- ./bin-jit
    fi
    jit_program | sed '/^int main/i static inline __attribute__((always_inline)) int inner(volatile int *p) { return *p + 1; }
        s/((void.*/volatile int i = 0; while (i < 100000000) i = inner(\&i);/' > named.c
    # In the debug information the inlined function has a name with a newline.
    if gcc -g -O1 -fno-omit-frame-pointer -S -o named.s named.c 2> named.why &&
        sed -i 's/\(\.string[ \t]*"in\)\(ner"\)/\1\\n\2/' named.s && gcc -o bin-named named.s; then
        record named -e cpu-clock:u -F 499 -g -- ./bin-named
    fi
    local i
    for i in {1..40}; do cp bin-pie "copy$i"; done
    record copies -e cpu-clock:u -F 4999 -g -- sh -c 'for i in copy*; do ./$i 50; done'
    rm -f copy*
    sed 's/2000/2001/' shapes.cc > other.cc
    if g++ -O2 -g -fno-omit-frame-pointer -o moved other.cc 2> moved.data.why; then
        record moved.data -N -e cpu-clock:u -F 999 -g -- ./moved
        mkdir -p "target$PWD"
        mv moved "target$PWD"
    fi
    keep_inputs
}

setup() {
    cd "$BATS_FILE_TMPDIR" || return
}

# The source lines of a text.
srclines() { # FILE
    grep '^  [^ ]' "$1"
}

# As equal_to_perf. The addr2line that perf runs takes wrong files for some lines of line tables of version 5 whose first
# two files differ: in a program linked with -flto it may say <artificial>, and then only the number is compared. Where
# debug symbols of libraries are installed, their lines are not compared.
equal_to_perf() { # NAME OPTION...
    thrice equal_lines "$@" || excused "$1"
}

equal_lines() {
    perf-script -q --as-perf "${@:2}" "$1" | comparable > ours
    of_perf "$@" | comparable | awk '
        NR == FNR { file[FNR] = $1; sub(/:.*/, "", file[FNR]); next }
        /^  <artificial>:/ { sub(/<artificial>/, file[FNR]) }
        1' ours - > theirs
    nearly_equal 10000
}

comparable() {
    if [ -d /usr/lib/debug/.build-id ]; then
        awk '!/^  [^ ]/ { library = /\(\/[^)]*\/lib[^)]*\)$/ } !library || !/^  [^ ]/'
    else
        cat
    fi
}

@test "-F +srcline prints the lines that perf prints, of programs with debug information and without" {
    local name
    for name in pie fixed symbols stripped static lto; do
        need $name
        echo "$name"
        equal_to_perf $name -F +srcline
        perf-script -q -F +srcline $name | comparable > own
        same "$(srclines ours)" "$(srclines own)"
    done
    perf-script -q -F +srcline fixed > ours
    srclines ours | grep -q '^  shapes.cc:[1-9][0-9]*$'
    srclines ours | grep -q '^  stl_.*\.h:[1-9][0-9]*$' # a call that was inlined
    perf-script -q -F +srcline symbols > ours
    srclines ours | grep -q '^  shapes.cc:0$'
    perf-script -q -F +srcline stripped > ours
    srclines ours | grep -q '^  bin-stripped\[[0-9a-f]*\]$'
}

@test "-F +srcline prints the lines that perf prints without callchains, and in a list of few fields" {
    need flat pie
    local fields
    for fields in +srcline ip,srcline ip,sym,srcline ip,dso,srcline +srcline,-dso comm,ip,sym,symoff,dso,srcline; do
        case $fields in
        ip,srcline | ip,sym,srcline | *-dso) [ ! -d /usr/lib/debug/.build-id ] || continue ;; # which are libraries'?
        esac
        echo "$fields"
        equal_to_perf flat -F "$fields"
    done
    [ -d /usr/lib/debug/.build-id ] || equal_to_perf pie -F ip,srcline
    equal_to_perf pie -F ip,dso,srcline
    equal_to_perf pie -F comm,ip,sym,symoff,dso,srcline
    grep -q '^  shapes.cc:[1-9][0-9]*$' ours
}

@test "-F +srcline prints the lines that perf prints of the kernel, of JIT-compiled code and of a whole system" {
    need all jit
    equal_to_perf jit -F +srcline
    grep -q '^  \[JIT\] tid [0-9]*\[[0-9a-f]*\]$' ours
    equal_to_perf all -F +srcline --comm seq,sort,wc,sh
    grep -q '^  \[kernel.kallsyms\]\[[0-9a-f]*\]$' ours
}

@test "text with source lines is read as it was written" {
    need pie stripped jit
    local name
    for name in pie stripped jit; do
        perf script --no-inline -i $name -F +srcline > theirs
        perf-script theirs > ours
        cmp theirs ours
    done
}

@test "source lines are found in any number of files, of which few are held open" {
    need copies
    perf-script -q copies | grep -o '(.*/copy[0-9]*)' | sort -u > names
    [ "$(wc -l < names)" -gt 25 ]
    perf-script -q -F +srcline copies > wanted
    try bash -c 'ulimit -n 28 && exec perf-script -F +srcline copies'
    [ "$status" -eq 0 ]
    same "$(cat wanted)" "$output"
    same '' "$(grep -i 'too many' <<< "$stderr")"
}

@test "source lines are never of another file than the recorded one; --symfs has that" {
    need moved.data
    try perf-script -q -F +srcline moved.data
    [[ $output == *$'\n  moved['* ]]
    cp bin-pie moved
    try perf-script -q -F +srcline moved.data
    [ "$status" -eq 0 ]
    [[ $output == *$'\n  moved['* ]]
    [[ $output != *.cc:* ]]
    try perf-script -q --symfs target -F +srcline moved.data
    [ "$status" -eq 0 ]
    [[ $output == *$'\n  other.cc:'* ]]
    rm -f moved
}

@test "a function's name with a newline does no harm" {
    need named
    try timeout 60 perf-script -F +srcline named
    [ "$status" -eq 0 ]
    [[ $output == *$'\n  named.c:'* ]]
    same "$(perf-script -q named)" "$(grep -v '^  ' <<< "$output")"
}

@test "source lines need no other program" {
    need pie
    perf-script -q -F +srcline pie > wanted
    try env PATH=/nonexistent "$BIN/perf-script" -q -F +srcline pie
    [ "$status" -eq 0 ]
    same "$(cat wanted)" "$output"
}

@test "--inline prints inlined calls before the function that they are in, and changes nothing else" {
    need pie
    perf-script -q pie > without
    try perf-script -q --inline pie
    [ "$status" -eq 0 ]
    grep -q ' sort<.* (inlined)$' <<< "$output"
    same "$(cat without)" "$(grep -v ' (inlined)$' <<< "$output")"
    perf-script -q --inline pie | stackcollapse > folded
    grep -q ';main;sort<[^;]*>;__sort<' folded
    perf-script -q --inline -F +srcline pie > lines
    grep -A3 ' sort<.* (inlined)$' lines | grep -q "^  shapes.cc:$(awk '/std::sort/ { print NR }' shapes.cc)$"
    same "$(perf-script -q --as-perf --inline pie)" "$(perf-script -q --as-perf pie)"
}
