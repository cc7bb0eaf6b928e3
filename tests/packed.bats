# Recordings of perf record -z whose compressed records are damaged, cut, or made to fill memory and disks.
load lib

setup_file() {
    command -v zstd > /dev/null || skip 'no zstd'
    command -v python3 > /dev/null || skip 'no python3'
    cd "$BATS_FILE_TMPDIR" || return
    for how in plain raw blocks frames bomb zeros 'no block' 'no frame' noise nothing samples empty; do
        python3 "$ROOT/tests/robust/hostile/packed.py" "$how" "$ROOT/tests/data/tracepoints.pipe.data" > made
        mv made "$how"
    done
    perf-script -q - < plain > wanted
}

setup() {
    cd "$BATS_FILE_TMPDIR" || return
    first=$(stat -c %s nothing) # the offset of the first compressed record
}

@test "whole blocks, blocks in two records, and frames that end are decompressed" {
    local how
    for how in raw blocks frames; do
        prints "$(< wanted)" perf-script - < "$how"
    done
}

@test "a record that unpacks to gigabytes is read up to a limit, in little memory" {
    try perf-script - < bomb
    same "$(< wanted)" "$output"
    same "perf-script: standard input: at byte $first: more is compressed than a recording can have (a zip bomb): of the compressed records that begin here only the first 347,933,608 bytes are read" "${stderr_lines[0]}"
    [ "$status" -eq 1 ]
    [ -z "${SAN-}" ] || return 0 # sanitizers take memory of their own
    try bash -c 'ulimit -v 200000 -f 1000; exec perf-script - < bomb'
    same "$(< wanted)" "$output"
    [[ $stderr == *'a zip bomb'* ]]
}

@test "NUL bytes without end are no records" {
    answers 1 "$(< wanted)" \
        "perf-script: standard input: at byte 2984 of the decompressed records: a record says that it has fewer than 8 bytes; the rest is not read" \
        perf-script - < zeros
}

@test "what comes before a damaged block is printed, and the record that has it is named" {
    answers 1 "$(< wanted)" \
        "perf-script: standard input: at byte $(stat -c %s samples): a compressed record is damaged; those after it cannot be read either" \
        perf-script - < 'no block'
}

@test "compressed records that are no zstd stream, or empty, are named" {
    answers 1 '*' "perf-script: standard input: at byte $first: a compressed record is damaged*" \
        perf-script - < 'no frame'
    answers 1 '*' "perf-script: standard input: at byte $first: a compressed record is shorter than its contents*" \
        perf-script - < empty
}

@test "contents that zstd refuses are reported with its exit status" {
    answers 1 '*' "perf-script: standard input: at byte $first: zstd failed (exit status 1): of the compressed records that begin here only the first 0 bytes are read*" \
        perf-script - < noise
}

@test "a zstd that fails in the middle is reported, and one that is missing" {
    mkdir -p failing none
    printf '#!/bin/sh\n"%s" "$@" | head -c 1500\nexit 7\n' "$(command -v zstd)" > failing/zstd
    chmod +x failing/zstd
    try env PATH="$PWD/failing:$PATH" perf-script - < raw
    [ "$(wc -l <<< "$output")" -lt "$(wc -l < wanted)" ]
    same "$(head -c "${#output}" wanted)" "$output"
    [[ $stderr == "perf-script: standard input: at byte $first: zstd failed (exit status 7): of the compressed records that begin here only the first 1,"???" bytes are read"* ]]
    [ "$status" -eq 1 ]
    try env PATH="$PWD/none" "$BIN/perf-script" - < raw
    [[ $stderr == "perf-script: standard input: at byte $first: the records are compressed by zstd, which cannot be run here: install it, or record without -z"* ]]
    [ "$status" -eq 1 ]
}

@test "of compressed records that are cut anywhere the samples before are printed, with a message" {
    local at size how
    for how in raw blocks; do
        size=$(stat -c %s "$how")
        for ((at = first + 1; at < size; at += (size - first) / 20)); do
            head -c "$at" "$how" > shorter
            answers 1 "$(head -c "${#output}" wanted)" '*perf-script: standard input: at byte *' perf-script - < shorter
        done
    done
}
