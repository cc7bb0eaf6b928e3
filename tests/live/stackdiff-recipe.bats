# The job of stackdiff(1), as it is printed, on an http server in two folders: changes that move functions pass it, and
# those that make one slower fail it.
load ../lib

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    export HOME=$BATS_FILE_TMPDIR
    stackrecord -q -- true >out 2>why || true
    awk -f "$ROOT/tests/examples.awk" "$ROOT/man/stackdiff.1" | awk -v RS= '/mkdir -p profile/' >job.sh
}

setup() {
    command -v node >"$HOME/where" || skip 'no node on this machine'
    needs_recording "$HOME/why"
    cd "$BATS_TEST_TMPDIR" || return
    cp -r "$ROOT/tests/record/app/shop" before
    cp -r before after
}

# Runs the job, and removes the perf maps that its recordings left.
job() {
    local profile
    [ -s "$HOME/job.sh" ]
    mkdir bin
    printf '#!/bin/sh\necho $$ >>%q\nexec %q "$@"\n' "$PWD/pids" "$(command -v node)" >bin/node
    chmod +x bin/node
    PATH=$PWD/bin:$PATH try sh "$HOME/job.sh"
    sed 's|.*|/tmp/perf-&.map|' pids | xargs rm -f
    echo "$stderr"
    echo "$output"
    for profile in profile/change.before1.folded profile/change.after3.folded profile/change.txt; do
        [ -s "$profile" ]
    done
    well_formed profile/change.svg
    well_formed profile/after.svg
}

passes() {
    job
    [ "$status" -eq 0 ]
}

# The job fails, and names the function.
fails_for() { # FUNCTION, an extended regular expression
    job
    [ "$status" -eq 1 ]
    grep -qE " grew by .*: ($1) .*/after/lib/store\.js:" <<<"$stderr"
}

@test "a comment on top of each file, a function moved to the end of its file, a file with another hash in its name pass" {
    awk '/^function list/ { moves = 1 }
        moves { moved = moved $0 "\n"; if (/^}/) moves = 0; next }
        { print }
        END { printf "%s", moved }' before/lib/store.js >after/lib/store.js
    [ "$(sort before/lib/store.js)" = "$(sort after/lib/store.js)" ]
    run ! cmp -s before/lib/store.js after/lib/store.js
    mv after/dist/page.3f2a9c.js after/dist/page.91be04.js
    sed -i '1i // a comment\n// of two lines' after/*.js after/*/*.js
    passes
}

@test "two more clones by JSON in a request fail, with the function's name" {
    sed -i '1i // a comment' after/lib/store.js
    sed -i 's/JSON.parse(JSON.stringify(value))/[1, 2, 3].reduce((v) => JSON.parse(JSON.stringify(v)), value)/' \
        after/lib/store.js
    run ! cmp -s before/lib/store.js after/lib/store.js
    fails_for copy
}
