# The table of a fleet in stackexport(1), read by DuckDB: npm install @duckdb/node-api, and set
# DUCKDB_DIR to the folder.
load ../lib

setup() {
    [ -n "${DUCKDB_DIR-}" ] || skip 'DUCKDB_DIR names no folder with @duckdb/node-api'
    command -v zstd > "$BATS_TEST_TMPDIR/where" || skip 'no zstd'
    cd "$BATS_TEST_TMPDIR" || return
}

# Makes slices of two hosts, with names that need JSON's escapes, and runs the page's command that
# makes a host's table.
@test "DuckDB finds the leaves of a fleet that stackcollapse finds in its slices" {
    mkdir tools
    printf '#!/bin/sh\nexec node "%s/tool/duckdb.mjs" "$@"\n' "$ROOT/tests" > tools/duckdb
    chmod +x tools/duckdb
    awk -f "$ROOT/tests/examples.awk" "$ROOT/man/stackexport.1" | awk -v RS= '/^duckdb -c "COPY/' > queries
    for host in web1 web2; do
        mkdir $host
        for minute in 01 02; do
            stackcollapse -q --kernel "$DATA/node-http.perf.txt.gz" "$DATA/shell-pipe.perf.txt.gz" |
                sed -E "s|^([^;]*)|@$((1795874400 + 60 * ${minute#0})).000;$host;\\1-4/5|; s/([^ ]) ([0-9]+)\$/\\1 \\2$minute/" \
                    > "$host/2026-11-28T14:$minute:00Z.folded"
        done
        stackfilter --node --merge processes,hosts --between 2026-11-28T14:00Z..2026-11-28T15:00Z $host 2> messages |
            stackexport --to=tsv --host=$host | zstd -q > $host.tsv.zst
    done
    PATH=$PWD/tools:$PATH bash -e queries | sed 1d > got
    stackfilter -q --node --merge processes,hosts,times web*/*.folded | stackcollapse -q --from=folded |
        sed -E 's/.*;([^;]*) ([0-9.]+)$/\1\t\2/' | awk -F '\t' '{ n[$1] += $2 } END { for (i in n) print i "\t" n[i] }' |
        LC_ALL=C sort -t $'\t' -k2,2nr -k1,1 | sed 10q > want
    [ "$(wc -l < got)" -eq 10 ]
    same "$(< want)" "$(< got)"
}
