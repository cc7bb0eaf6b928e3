# Lists what was skipped, with its reason, and counts the results of all files of the Test Anything Protocol.
# The status is 1 where something failed, or where nothing ran.

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
