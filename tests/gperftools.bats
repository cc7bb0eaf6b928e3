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
        answers 0 $'main 1\nmain;warm;hot 5' 'stackcollapse: prof: read as gperftools' stackcollapse --verbose prof
    done
}

@test "a return address is that of a call before it, also where the call ends its function" {
    profile '<Q' 1:hot+15,warm+-15 1:exit+4,hot end >prof
    prints $'hot;exit 1\nwarm;hot 1' stackcollapse prof
}

@test "--weight=period counts the microseconds of the period, and C++ names are demangled" {
    profile '<Q' 3:_ZN3app4loopEi,main end >prof
    prints 'main;app::loop 30000' stackcollapse --weight=period prof
    prints 'main;app::loop 3' stackcollapse prof
}

@test "the functions that take the sample, and a leaf that is there twice, are left out" {
    profile '<Q' 1:hot,ProfileData::Add,CpuProfiler::prof_handler,__restore_rt,warm,main 2:hot,hot+-16,main \
        4:__restore_rt,main end >prof
    prints $'main;__restore_rt 4\nmain;hot 2\nmain;warm;hot 1' stackcollapse prof
}

@test "addresses without a name are reported by file, with what to do" {
    profile '<Q' 3:nowhere,main 1:hot,nowhere+1 end >prof
    answers 0 $'[unknown];hot 1\nmain;[unknown] 3' \
        'stackcollapse: prof: addresses without a name: [unknown] (2); fold it where it was recorded, while the files there are still those that ran' \
        stackcollapse prof
    rm app
    answers 0 $'[app];[unknown] 3\n[unknown];[app] 1' \
        'stackcollapse: prof: addresses without a name: [unknown] (2), app (2); fold it where it was recorded, while the files there are still those that ran' \
        stackcollapse prof
}

@test "a profile whose program was killed has no end: an error, and what is there counts" {
    profile '<Q' 3:hot,main 1:hot,warm >prof
    head -c -5 prof >short
    answers 1 '[unknown];[unknown] 3' 'stackcollapse: short: at byte 72: the profile is cut, and its memory maps are missing: end the program by exit(3), or call ProfilerStop()
stackcollapse: short: addresses without a name: [unknown] (2); fold it where it was recorded, while the files there are still those that ran' stackcollapse short
}

@test "samples without addresses are left out and reported, and depths that cannot be are the end" {
    profile '<Q' 3: 1:hot end >prof
    answers 0 'hot 1' 'stackcollapse: 1 of 2 samples have no frames and are left out' stackcollapse prof
    { profile '<Q' 1:main && printf '\1\0\0\0\0\0\0\0\377\377\377\377\377\377\377\177end'; } >bad
    answers 1 '*' 'stackcollapse: bad: at byte 64: the profile is cut*' stackcollapse -q bad
}

@test "a profile without samples, and text that is asked to be one" {
    profile '<I' end >prof
    answers 1 '' 'stackcollapse: no samples in the input' stackcollapse prof
    answers 1 '' \
        'stackcollapse: standard input: this is no CPU profile of gperftools*' \
        stackcollapse --from=gperftools <<<'main;parse 1'
}
