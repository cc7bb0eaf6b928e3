# Reads files in the Test Anything Protocol, prints which tests were skipped and why, then which failed and what they
# printed, and counts all results, and how many passed when they were run a second time. The status is 1 where a test
# failed, or where there was none.

FNR == 1 { of_failed = 0 } # whether the line is of a test that failed
/^ok / && / # skip/ {
    skipped++
    of_failed = 0
    sub(/^ok [0-9]* *(- )?/, "")
    sub(/ # skip */, ": ")
    print "skipped: " $0
    next
}
/^ok / {
    if (/ # second run$/)
        second++
    passed++
    of_failed = 0
}
/^not ok / {
    failed++
    of_failed = 1
    sub(/^not ok [0-9]* *(- )?/, "failed: ")
}
of_failed { failures = failures $0 "\n" }

END {
    printf "%s", failures
    if (second > 0)
        printf "passed on a second run: %d\n", second
    printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
    exit failed > 0 || passed == 0
}
