# The CI job in stackdiff(1), as printed there, on recordings of an HTTP server in two folders.
# stackdiff-names.bats and stackdiff.bats test that functions that only moved pass, and what is
# attributed to chance.
load ../lib

setup() {
    command -v node >"$BATS_TEST_TMPDIR/where" || skip 'no node on this machine'
    needs_recorder
    export HOME=$BATS_TEST_TMPDIR
    cd "$HOME" || return
    cp -r "$ROOT/tests/record/app/shop" before
    cp -r before after
    awk -f "$ROOT/tests/examples.awk" "$ROOT/man/stackdiff.1" | awk -v RS= '/mkdir -p profile/' >job.sh
    [ -s job.sh ]
    # Note the pids, so that the perf maps of the recordings can be removed.
    mkdir bin
    printf '#!/bin/sh\necho $$ >>%q\nexec %q "$@"\n' "$PWD/pids" "$(command -v node)" >bin/node
    chmod +x bin/node
}

teardown() {
    [ ! -e pids ] || sed 's|.*|/tmp/perf-&.map|' pids | xargs rm -f
}

# The search makes an array of 2,000 ids each time. A quarter of the samples are in it then, and 3 %
# are allowed, so chance does not decide.
@test "the job fails for a Map replaced by a search, with the function's name, and draws both" {
    sed -i '1i // a comment' after/lib/store.js
    sed -i 's/byId.get(id)/items[items.map((one) => one.id).indexOf(id)]/' after/lib/store.js
    mv after/dist/page.3f2a9c.js after/dist/page.91be04.js
    PATH=$PWD/bin:$PATH try sh job.sh
    echo "$stderr"
    echo "$output"
    [ "$status" -eq 1 ]
    grep -qE ' grew by .*: (item|related) .*/after/lib/store\.js:' <<<"$stderr" # V8 may inline item
    for profile in profile/change.before1.folded profile/change.after3.folded profile/change.txt; do
        [ -s "$profile" ]
    done
    well_formed profile/change.svg
    well_formed profile/after.svg
}
