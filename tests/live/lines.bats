# Source lines of what is recorded.
load ../lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

# Makes hot.c, a program that takes about half a second.
write_c() {
    command -v gcc > /dev/null || skip 'no gcc'
    cat > hot.c << 'C'
static volatile unsigned sink;
__attribute__((noinline)) void work(unsigned n)
{
    sink = 1;
    for (unsigned i = 0; i < n; i++)
        sink = sink * 7 / 3 % 1000003 / 7 + i; /* HOT */
    sink = 2;
}
int main(void)
{
    work(60000000);
    return 0;
}
C
}

@test "stackrecord --lines prints the lines that perf-script prints of the recording" {
    write_c
    gcc -g -O1 -o hot hot.c
    needs_recorder
    try stackrecord --inline --lines -o data --text text -- ./hot
    same 0 "$status"
    grep -q "^  $PWD/hot.c:$(grep -n HOT hot.c | cut -d : -f 1)\$" text
    perf-script -q --inline -F +pid,+srcline --full-source-path data > printed
    cmp printed text
}
