#!/usr/bin/env bats
# The input format gperftools of stackcollapse. The inputs are of tests/record/gperftools.py.
load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    "$ROOT/tests/record/gperftools.py" object >app
}

profile() { # FORMAT STACK... >FILE
    "$ROOT/tests/record/gperftools.py" profile "$1" "$PWD/app" "${@:2}"
}

@test "stacks get their names from the files in the maps, in numbers of 32 and 64 bits and of either byte order" {
    local form
    for form in '<Q' '>Q' '<I' '>I'; do
        profile "$form" 3:hot+1,warm,main 2:hot+4,warm,main 1:main end >prof
        try stackcollapse --verbose prof
        [ "$status" -eq 0 ]
        same 'stackcollapse: prof: read as gperftools' "$stderr"
        same $'main 1\nmain;warm;hot 5' "$output"
    done
}

@test "a return address is that of a call before it, also where the call ends its function" {
    profile '<Q' 1:hot+15,warm+-15 1:exit+4,hot end >prof
    try stackcollapse prof
    [ "$status" -eq 0 ]
    same '' "$stderr"
    same $'hot;exit 1\nwarm;hot 1' "$output"
}

@test "--weight=period counts the microseconds of the period, and C++ names are demangled" {
    profile '<Q' 3:_ZN3app4loopEi,main end >prof
    try stackcollapse --weight=period prof
    [ "$status" -eq 0 ]
    same 'main;app::loop 30000' "$output"
    try stackcollapse prof
    same 'main;app::loop 3' "$output"
}

@test "the functions that take the sample, and a leaf that is there twice, are left out" {
    profile '<Q' 1:hot,ProfileData::Add,CpuProfiler::prof_handler,__restore_rt,warm,main 2:hot,hot+-16,main \
        4:__restore_rt,main end >prof
    try stackcollapse prof
    [ "$status" -eq 0 ]
    same $'main;__restore_rt 4\nmain;hot 2\nmain;warm;hot 1' "$output"
}

@test "addresses without a name are reported by file, with what to do" {
    profile '<Q' 3:nowhere,main 1:hot,nowhere+1 end >prof
    try stackcollapse prof
    [ "$status" -eq 0 ]
    same $'[unknown];hot 1\nmain;[unknown] 3' "$output"
    same 'stackcollapse: prof: addresses without a name: [unknown] (2); fold it where it was recorded, while the files there are still those that ran' "$stderr"
    rm app
    try stackcollapse prof
    [ "$status" -eq 0 ]
    same $'[app];[unknown] 3\n[unknown];[app] 1' "$output"
    same 'stackcollapse: prof: addresses without a name: [unknown] (2), app (2); fold it where it was recorded, while the files there are still those that ran' "$stderr"
}

@test "a profile whose program was killed has no end: an error, and what is there counts" {
    profile '<Q' 3:hot,main 1:hot,warm >prof
    head -c -5 prof >short
    try stackcollapse short
    [ "$status" -eq 1 ]
    same '[unknown];[unknown] 3' "$output"
    same 'stackcollapse: short: at byte 72: the profile is cut, and its memory maps are missing: end the program by exit(3), or call ProfilerStop()
stackcollapse: short: addresses without a name: [unknown] (2); fold it where it was recorded, while the files there are still those that ran' "$stderr"
}

@test "samples without addresses are left out and reported, and depths that cannot be are the end" {
    profile '<Q' 3: 1:hot end >prof
    try stackcollapse prof
    [ "$status" -eq 0 ]
    same 'hot 1' "$output"
    same 'stackcollapse: 1 of 2 samples have no frames and are left out' "$stderr"
    { profile '<Q' 1:main && printf '\1\0\0\0\0\0\0\0\377\377\377\377\377\377\377\177end'; } >bad
    try stackcollapse -q bad
    [ "$status" -eq 1 ]
    [[ $stderr == 'stackcollapse: bad: at byte 64: the profile is cut'* ]]
}

@test "a profile without samples, and text that is asked to be one" {
    profile '<I' end >prof
    try stackcollapse prof
    [ "$status" -eq 1 ]
    same 'stackcollapse: no samples in the input' "$stderr"
    try stackcollapse --from=gperftools <<<'main;parse 1'
    [ "$status" -eq 1 ]
    [[ $stderr == 'stackcollapse: standard input: this is no CPU profile of gperftools'* ]]
}
