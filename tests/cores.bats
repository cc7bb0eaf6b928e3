# Recordings of machines with several kinds of cores, whose events perf names by the kind.

load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    PATH=$BIN:$PATH
}

# Prints a sample for each event, in a function of its own: f1, f2, ...
samples() { # EVENT...
    local event n=0
    for event; do
        n=$((n + 1))
        printf 'app 7/7 [000] 1.00000%d: 10 %s: \n\t401000 f%d+0x1 (/bin/app)\n\t402000 main+0x5 (/bin/app)\n\n' $n "$event" $n
    done
}

@test "an event is folded and counted on all kinds of cores, without a message" {
    local core atom
    while read -r core atom; do
        samples "$core" "$atom" "$core" >in
        try stackcollapse in
        [ "$status" -eq 0 ]
        same 'app;main;f1 1
app;main;f2 1
app;main;f3 1' "$output"
        [ -z "$stderr" ]
        try stackreport in
        [ "$status" -eq 0 ]
        [[ $output = *main* ]]
        [ "$(grep -c " f[123]\$" <<<"$output")" = 3 ]
        [ -z "$stderr" ]
        try perf-script --check in
        [ "$status" -eq 0 ]
        [[ $output = *" $core"*" $atom"* ]]
        [[ $output != *'several events'* ]]
    done <<'END'
cpu_core/cycles/ cpu_atom/cycles/
cpu_atom/cycles:Pu/ cpu_core/cycles:Pu/
cpu_core/cycles/P cpu_atom/cycles/
armv8_cortex_a53/cpu_cycles/u armv8_cortex_a72/cpu_cycles/u
armv8_cortex_a53/cycles/Pu cycles:Pu
END
}

@test "--event and --event-filter keep the kinds of cores apart" {
    samples cpu_core/cycles/ cpu_atom/cycles/ >in
    local option
    for option in --event --event-filter; do
        try stackcollapse "$option=cpu_atom/cycles/" in
        [ "$status" -eq 0 ]
        same 'app;main;f2 1' "$output"
        same 'stackcollapse: 1 of 2 samples are of other events and left out' "$stderr"
    done
    try stackreport --event=cpu_core/cycles/ in
    [[ $output = *f1* && $output != *f2* ]]
    try perf-script --event=cpu_atom/cycles/ in
    [[ $output = *f2* && $output != *f1* ]]
    try stackcollapse '--event=*/cycles/*' in
    same 'app;main;f1 1
app;main;f2 1' "$output"
}

@test "other events stay out, also those of another mode, and are reported" {
    samples cpu_core/cycles/u cpu_atom/instructions/u cpu_atom/cycles/k dummy:HG >in
    try stackcollapse in
    [ "$status" -eq 0 ]
    same 'app;main;f1 1' "$output"
    same 'stackcollapse: 3 of 4 samples are of other events and left out (--event=LIST folds others, --event=all every one): cpu_atom/cycles/k (1), cpu_atom/instructions/u (1), dummy:HG (1)' "$stderr"
    try perf-script --check in
    [[ $output = *'several events: stackcollapse takes the first one, cpu_core/cycles/u, unless'* ]]
}

@test "under the Perl script's name the first event is that of one kind of core" {
    samples cpu_core/cycles/ cpu_atom/cycles/ >in
    try "$COMPAT/stackcollapse-perf.pl" in
    [ "$status" -eq 0 ]
    same 'app;main;f1 10' "$output"
}
