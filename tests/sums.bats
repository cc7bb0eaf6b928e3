# Sums of counts: what does not fit is reported, and fractions are not rounded before they are compared.
load lib

MOST=18446744073709551615 # 2^64 - 1
FULL='counts add up to more than 18446744073709551614, the most that can be counted: what is shown of them is too small'

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    printf '%s\n' "main;a $MOST" "main;b $MOST" "main;c $MOST" >huge
    printf '%s\n' 'main;a 9223372036854775808' 'main;a 9223372036854775808' >halves
    printf '%s\n' 'main;a 9223372036854775807' 'main;a 9223372036854775807.9' >fits
}

# Two samples with this period.
samples() { # PERIOD
    printf 'node 4242 [000] 1.%d: %s cycles: \n\t    1f2e main+0x1e (/bin/node)\n\n' 1 "$1" 2 "$1"
}

@test "stackreport: a total of 64 bits and more is an error" {
    answers 1 '*' "*stackreport: $FULL*" stackreport --width=0 huge
    [ "$(grep -c "$FULL" <<<"$stderr")" -eq 1 ]
    try stackreport --format=tsv halves
    [ "$status" -eq 1 ]
    try stackreport --callers=a halves
    [ "$status" -eq 1 ]
    answers 0 '*' '' stackreport -q fits
}

@test "stackreport: periods that add up to more than 64 bits are an error" {
    samples 9223372036854775808 >huge.perf
    answers 1 '*' "stackreport: $FULL" stackreport --weight=period huge.perf
    answers 0 '*' '' stackreport huge.perf
}

@test "stackcollapse: a count that stays at 2^64 - 1 is an error, and large ones that fit are not" {
    answers 1 "main;a $MOST" "stackcollapse: $FULL" stackcollapse halves
    answers 1 '*' "stackcollapse: $FULL" stackcollapse <<<'main;a 99999999999999999999'
    answers 1 '*' "stackcollapse: $FULL" stackcollapse <<<"main;a 1 $MOST"
    prints 'main;a 18446744073709551614.9' stackcollapse fits
}

@test "stackcollapse: so is one that was scaled to another unit" {
    printf '%s\n' '<?xml version="1.0"?>' "<trace-query-result><node xpath='x'><schema name='time-profile'></schema>" \
        "<row><weight id='1'>99999999999999999999</weight><backtrace id='2'><frame id='3' name='f'/></backtrace></row>" \
        '</node></trace-query-result>' >huge.xml
    answers 1 "f $MOST" "stackcollapse: $FULL" stackcollapse huge.xml
}

@test "stackdiff: a side's total of 64 bits and more is an error" {
    local format
    for format in folded table json; do
        answers 1 '*' "stackdiff: $FULL" stackdiff -q --format=$format huge huge
    done
    answers 0 '*' '' stackdiff -q fits fits
}

@test "stackfilter: counts that it cannot add up are passed on, and its message says so" {
    answers 0 $'main;a '"$MOST"$'\nmain;c '"$MOST" "*counts dropped by --exclude*stackfilter: $FULL*" stackfilter --exclude=b huge
    answers 0 '*' '' stackfilter --drop=b huge
}

@test "perf-script: periods that add up to more than 64 bits are an error" {
    samples 9223372036854775808 >huge.perf
    answers 1 '*' "*perf-script: $FULL*" perf-script --stats=json huge.perf
    answers 0 '*' '' perf-script huge.perf
}

@test "flamesvg: a count above 1e200 is an error" {
    printf 'main;a 1%0300d\nmain;b 1\n' 0 >huge.folded
    answers 1 '*' 'flamesvg: a count is more than 1e200, and is drawn as 1e200' flamesvg -q huge.folded
    answers 0 '*' '' flamesvg -q huge
}

# The titles of a picture's frames.
titles() {
    sed -n 's/.*<g><title>\([^<]*\)<.*/\1/p'
}

@test "flamesvg: counts with fractions are shown as they are, and no caller has more than 100 %" {
    printf '%s\n' 'r;a 0.5' 'r;b 0.5' 'r;c 0.5' >fractions
    try flamesvg -q fractions
    same 'a (0.5 samples, 33.33%)
all (1.5 samples, 100%)
b (0.5 samples, 33.33%)
c (0.5 samples, 33.33%)
r (1.5 samples, 100.00%)' "$(titles <<<"$output" | sort)"
    [ "$status" -eq 0 ]
}

@test "flamesvg: a fraction has two digits after the point, below 100" {
    printf '%s\n' 'a 3.125' 'b 99.996' 'c 2.25' 'd 101.6' >fractions
    try flamesvg -q fractions
    same 'a (3.13 samples, 1.51%)
all (207 samples, 100%)
b (100 samples, 48.31%)
c (2.25 samples, 1.09%)
d (102 samples, 49.09%)' "$(titles <<<"$output" | sort)"
}

@test "flamegraph.pl: counts with fractions are rounded first, as the script does it" {
    printf '%s\n' 'r;a 0.5' 'r;b 0.5' 'r;c 0.5' >fractions
    try "$COMPAT/flamegraph.pl" fractions
    [[ $output = *'<title>r (2 samples, 133.33%)</title>'* ]]
}
