# What the tests do to the machine is found: tests/unharmed.sh compares it with what it was before.
load ../lib

# A folder of other people's files, which the tests use too, one of the tests' own, and what the kernel says in tracefs: a
# uprobe of somebody, of a recorder that runs, and of one that has ended.
setup() {
    cd "$BATS_TEST_TMPDIR" || return
    export TRACEFS=tracefs
    mkdir -p own shared tracefs/instances/old
    echo 1 >tracefs/tracing_on
    printf '%s\n' 'p:mine/work /bin/app:0x10' "p:stackrecord_$$_0/a /bin/app:0x20" "p:stackrecord_$(ended)_0/b /bin/app:0x30" \
        >tracefs/uprobe_events
    echo other >shared/other
    chmod 644 shared/other
    chmod 1777 shared
    "$ROOT/tests/unharmed.sh" snapshot shared >before
}

finds() { # TEXT
    UNHARMED_WAIT=0 try "$ROOT/tests/unharmed.sh" compare before own shared
    same "$1" "$output"
    [ -z "$stderr" ]
    if [ -z "$1" ]; then [ "$status" -eq 0 ]; else [ "$status" -eq 1 ]; fi
}

# The snapshot says that the file was not changed for so many seconds before it.
unchanged_for() { # FILE SECONDS
    awk -F '\t' -v OFS='\t' -v file="$1" -v seconds="$2" '
        $1 == "time" { time = $2 }
        $2 == file { $6 = time - seconds }
        { print }' before >aged
    mv aged before
}

# A process that has ended.
ended() {
    sh -c 'echo $$'
}

@test "where the tests changed nothing, nothing is found" {
    finds ''
}

@test "a mode that was changed is found, of a folder and of a file in it" {
    chmod 777 shared
    chmod 666 shared/other
    finds 'changed: shared/other: mode 644 is now 666
changed: shared: mode 1777 is now 777'
}

@test "an owner that was changed is found" {
    [ "$(id -u)" = 0 ] || skip 'only root can change owners'
    chown 65534:65533 shared/other
    finds "changed: shared/other: owner 0:0 is now 65534:65533"
}

@test "a file that is removed is found if it was not a program's that runs: if it was an hour old" {
    rm shared/other
    finds ''
    unchanged_for shared/other 3600
    finds 'removed: shared/other'
}

@test "an old perf map that is gone is not found: a process of the tests may have had its number" {
    echo '10 10 f' > shared/perf-4194000.map
    "$ROOT/tests/unharmed.sh" snapshot shared > before
    unchanged_for shared/perf-4194000.map 3600
    rm shared/perf-4194000.map
    finds ''
}

@test "files with names that tests give are found where they are left, and those that other programs make are not" {
    local pid
    pid=$(ended)
    mkdir shared/hsperfdata_user shared/.debug
    touch "shared/perf-$pid.map" "shared/jit-$pid.dump" shared/unit-input-a1B2c3 "shared/isolate-0x1-$pid-v8.log"
    touch shared/other-new shared/tmp.a1B2c3
    finds "$(printf 'left behind: shared/%s\n' .debug hsperfdata_user "isolate-0x1-$pid-v8.log" "jit-$pid.dump" \
        "perf-$pid.map" unit-input-a1B2c3)"
}

@test "the perf map of a process that runs is its own, and so is the folder of a Java machine that runs" {
    touch "shared/perf-$$.map"
    mkdir shared/hsperfdata_user
    touch "shared/hsperfdata_user/$$"
    finds ''
}

@test "a perf map that names scripts counts if one of them is in the tests' folder or in the project" {
    local pid
    pid=$(ended)
    echo '1000 10 JS:~ /srv/app.js:1:1' >"shared/perf-$pid.map"
    finds ''
    for script in "$PWD/own/app.js" "$PWD/demo/work.js" "file://$PWD/own/app.mjs"; do
        printf '%s\n' '1000 10 JS:~ /srv/app.js:1:1' "2000 10 JS:~ $script:1:1" >"shared/perf-$pid.map"
        finds "left behind: shared/perf-$pid.map"
    done
}

@test "whatever is left in the tests' own folder is found" {
    mkdir own/tmp.a1B2c3
    finds 'left behind: own/tmp.a1B2c3'
}

@test "a setting that changed is found, and a uprobe that came or went, but for those of other recorders" {
    local ended
    ended=$(ended)
    echo 0 >tracefs/tracing_on
    mkdir tracefs/instances/new
    printf '%s\n' "p:stackrecord_${ended}_1/c /bin/app:0x40" "p:stackrecord_$$_1/d /bin/app:0x50" >tracefs/uprobe_events
    finds "changed: tracefs/instances tracefs/instances/old is now tracefs/instances/new tracefs/instances/old
changed: tracefs/tracing_on 1 is now 0
left behind: uprobe p:stackrecord_${ended}_1/c /bin/app:0x40
removed: uprobe p:mine/work /bin/app:0x10
removed: uprobe p:stackrecord_$$_0/a /bin/app:0x20"
}
