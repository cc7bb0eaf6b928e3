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
        prints 'app;main;f1 1
app;main;f2 1
app;main;f3 1' stackcollapse in
        prints '*main*' stackreport in
        [ "$(grep -c " f[123]\$" <<<"$output")" = 3 ]
        prints "* $core* $atom*" perf-script --check in
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
        answers 0 'app;main;f2 1' 'stackcollapse: 1 of 2 samples are of other events and left out' \
            stackcollapse "$option=cpu_atom/cycles/" in
    done
    try stackreport --event=cpu_core/cycles/ in
    [[ $output = *f1* && $output != *f2* ]]
    try perf-script --event=cpu_atom/cycles/ in
    [[ $output = *f2* && $output != *f1* ]]
    prints 'app;main;f1 1
app;main;f2 1' stackcollapse '--event=*/cycles/*' in
}

@test "other events stay out, also those of another mode, and are reported" {
    samples cpu_core/cycles/u cpu_atom/instructions/u cpu_atom/cycles/k dummy:HG >in
    answers 0 'app;main;f1 1' \
        'stackcollapse: 3 of 4 samples are of other events and left out (--event=LIST folds others, --event=all every one): cpu_atom/cycles/k (1), cpu_atom/instructions/u (1), dummy:HG (1)' \
        stackcollapse in
    prints '*several events: stackcollapse takes the first one, cpu_core/cycles/u, unless*' perf-script --check in
}

@test "under the Perl script's name the first event is that of one kind of core" {
    samples cpu_core/cycles/ cpu_atom/cycles/ >in
    answers 0 'app;main;f1 10' '*' "$COMPAT/stackcollapse-perf.pl" in
}
