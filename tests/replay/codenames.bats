# Names of code that a recording has itself: common/symbolize/codenames.h.
load ../lib

setup() {
    cd "$BATS_TEST_TMPDIR"
    PYTHONDONTWRITEBYTECODE=1 python3 "$ROOT/tests/record/stream.py" named 4242 > data
}

@test "code and bytecode have the names that they had at the time of each sample" {
    prints "$(printf '\t%16s %s (/tmp/perf-4242.map)\n' \
        60000010 'JS:*f /x.js:1:2+0x10' 90000020 'JS:~g /x.js:3:4+0x20' 60000810 '[unknown]' \
        60000010 'JS:*h /x.js:5:6+0x10' 90000020 'JS:~g /x.js:3:4+0x20' 60000810 '[unknown]' \
        60000010 'JS:*h /x.js:5:6+0x10'
        printf '\t%16s %s ([unknown])\n' 90000020 '[unknown]'
        printf '\t%16s %s (/tmp/perf-4242.map)\n' 60000810 '[unknown]')" \
        bash -c 'perf-script data | grep "^	"'
}

@test "folded, the names are the same" {
    local prefix='named;[perf-4242.map];'
    prints "${prefix}JS:~g /x.js:3:4;JS:*f /x.js:1:2 1
${prefix}JS:~g /x.js:3:4;JS:*h /x.js:5:6 1
${prefix}[unknown];JS:*h /x.js:5:6 1" perf-script --folded -q data
}

@test "a perf map that is given for the process has all its names" {
    echo '60000000 100 from the map' > map
    perf-script -q --perf-map 4242=map data > text
    same 3 "$(grep -c 'from the map+0x10' text)"
    run ! grep -q 'x\.js' text
}

@test "as perf prints it, there are no such names" {
    perf-script --as-perf -q data > text
    run ! grep -q 'x\.js' text
}

@test "nobody is told to start a process with an option whose names are in the recording" {
    perf-script --check data > report
    grep -q '^ *3 .* of them JIT-compiled' report
    run ! grep -q 'JIT frames without a name' report
    prints '' bash -c 'perf-script data 2>&1 >/dev/null'
    PYTHONDONTWRITEBYTECODE=1 python3 "$ROOT/tests/record/stream.py" jit 4242 > other
    perf-script --check other > report
    grep -q 'JIT frames without a name' report
}
