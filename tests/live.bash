# For files with tests that record programs while they run, which a busy machine can keep from running: a test that
# failed is tried up to twice more, which is printed.
BATS_TEST_RETRIES=2
if [ "${BATS_TEST_TRY_NUMBER:-1}" -gt 1 ]; then
    echo "# tried again: ${BATS_TEST_FILENAME##*/}: $BATS_TEST_NAME" >&3
fi
