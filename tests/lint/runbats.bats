#!/usr/bin/env bats
# not sanitized: it runs none of the programs
# What runbats.sh makes of a bats file: what bats makes of it, but for the text that says where a test failed.
load ../lib

# Runs the file on standard input. Its tests begin with "test", lest they are
# tests here. $output is what is printed, with DIR for the folder of the file.
# The runner is started by the command in the array `by`, if it is set.
results() { # OPTION...
    sed 's/^test "/@&/' >"$BATS_TEST_TMPDIR/some.bats"
    try "${by[@]}" "$ROOT/tests/runbats.sh" "$@" "$BATS_TEST_TMPDIR/some.bats"
    same '' "$stderr"
    output=${output//$BATS_TEST_TMPDIR/DIR}
}

@test "a test fails at its first command that fails, also in a function, and the place is printed" {
    results <<'END'
helper() {
    grep nothing /dev/null
}
test "a condition" {
    echo printed
    [[ a = b ]]
    echo not printed
}
test "a function" {
    helper
}
test "an assignment" {
    x=$(exit 3)
}
test "an end that is too early" {
    exit 0
}
test "no failure: \"!\" and ||" {
    ! true
    false || true
}
END
    same "1..5
not ok 1 a condition
# printed
# '[[ a = b ]]' failed
# in bats_test_1, DIR/some.bats, line 6
not ok 2 a function
# 'grep nothing /dev/null' failed
# in helper, DIR/some.bats, line 2
# in bats_test_2, DIR/some.bats, line 10
not ok 3 an assignment
# 'x=\$(exit 3)' failed
# in bats_test_3, DIR/some.bats, line 13
not ok 4 an end that is too early
# 'exit 0' ended the test
# in bats_test_4, DIR/some.bats
ok 5 no failure: \"!\" and ||" "$output"
    same 1 "$status"
}

@test "a test is skipped with its reason, from setup too; -f chooses by title" {
    local file='setup() {
    [ "$BATS_TEST_DESCRIPTION" != "skipped (2)" ] || skip
}
test "skipped (1)" {
    skip "no tool"
}
test "skipped (2)" {
    false
}'
    results <<<"$file"
    same $'1..2\nok 1 skipped (1) # skip no tool\nok 2 skipped (2) # skip' "$output"
    same 0 "$status"
    results -f '^skipped \(2\)$' <<<"$file"
    same $'1..1\nok 1 skipped (2) # skip' "$output"
}

@test "each test has its own variables and folder, and the exported ones and the folder of setup_file" {
    results <<'END'
setup_file() {
    export shared=1
    cd "$BATS_FILE_TMPDIR"
}
setup() { mine=$BATS_TEST_NUMBER; }
teardown() { [ -e mark ]; }
test "one" {
    [ "$shared$mine" = 11 ]
    shared=2
    touch mark "$BATS_TEST_TMPDIR/mine"
}
test "two" {
    [ "$shared$mine$PWD" = "12$BATS_FILE_TMPDIR" ]
    [ ! -e "$BATS_TEST_TMPDIR/mine" ]
}
test "three, whose teardown fails" {
    rm mark
}
END
    same $'1..3\nok 1 one\nok 2 two\nnot ok 3 three, whose teardown fails\n# teardown failed' "$output"
    same 1 "$status"
}

@test "a file that cannot be read, setup_file and teardown_file that fail are failures; nothing is left behind" {
    mkdir "$BATS_TEST_TMPDIR/tmp"
    export TMPDIR=$BATS_TEST_TMPDIR/tmp
    results <<<'load nothing'
    [[ $output = "not ok 1 reading the file failed"* ]]
    same 1 "$status"
    results <<<$'setup_file() {\n    false\n}\ntest "a" {\n    :\n}'
    same $'1..1\nnot ok 1 setup_file failed\n# \'false\' failed\n# in setup_file, DIR/some.bats, line 2' "$(head -n 4 <<<"$output")"
    same 1 "$status"
    results <<<$'teardown_file() {\n    false\n}\ntest "a" {\n    :\n}'
    [[ $output = $'1..1\nok 1 a\nnot ok 2 teardown_file failed\n'* ]]
    same 1 "$status"
    same '' "$(ls "$TMPDIR")"
}

@test "a test whose shell is killed has failed; so has one at the time limit, which ends the file, and it prints where it was" {
    results <<'END'
test "a" {
    echo printed
    kill -KILL "$BASHPID"
}
test "b" {
    :
}
END
    same $'1..2\nnot ok 1 a\n# printed\n# status 137\nok 2 b' "$output"
    same 1 "$status"
    # As timeout does, the test sends the signal to all processes of its group.
    by=(setsid -w)
    results <<'END'
helper() {
    env kill -TERM 0
}
test "a" {
    helper
}
test "b" {
    :
}
END
    [[ $output = $'1..2\nnot ok 1 a\n# \'env kill -TERM 0\' ended the test\n# in '* && $output != *"ok 2"* ]]
    same 143 "$status"
}

@test "a process that a test leaves behind, with all descriptors open, keeps nobody waiting who reads the results" {
    mkfifo fifo
    export FIFO=$PWD/fifo
    results <<'END'
test "a" {
    cat "$FIFO" &
}
END
    same $'1..1\nok 1 a' "$output"
    # It is still there.
    : >fifo
}

@test "setup_file may skip all tests of a file" {
    results <<<$'setup_file() {\n    skip "no tool"\n}\ntest "a" {\n    false\n}\ntest "b" {\n    false\n}'
    same $'1..2\nok 1 a # skip no tool\nok 2 b # skip no tool' "$output"
    same 0 "$status"
}
