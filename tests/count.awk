# Reads files in the Test Anything Protocol, prints which tests were skipped and why, and counts all results.
# The status is 1 where a test failed, or where there was none.

/^ok / && / # skip/ {
    skipped++
    sub(/^ok [0-9]* *(- )?/, "")
    sub(/ # skip */, ": ")
    print "skipped: " $0
    next
}
/^ok /     { passed++ }
/^not ok / { failed++ }

END {
    printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
    exit failed > 0 || passed == 0
}
