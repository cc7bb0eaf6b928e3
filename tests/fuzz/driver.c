/* Gives a fuzz target each of the files, cut at every byte (large ones at every third), and ROUNDS
 * mutations of it: a small libFuzzer whose mutations are the same on every run.
 *
 *     perfline ROUNDS FILE ...
 *
 * Where the target aborts (ASAN_OPTIONS=abort_on_error=1 makes a sanitizer abort too) the input
 * is written to perfline.failed beside the program, and `perfline 0 perfline.failed` repeats
 * it. */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { INPUT_MAX = 64 * 1024, CHANGES = 8, CUT_MAX = 8 * 1024, CUTS = 2048 };

/* The generator of Marsaglia's "Xorshift RNGs" (2003); a number below n. */
static size_t
below(uint64_t *state, size_t n)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return n > 0 ? (size_t)(*state % n) : 0;
}

/* Changes a byte, removes a part, or repeats one. Returns the new size, at most INPUT_MAX. */
static size_t
change(uint8_t *data, size_t size, uint64_t *state)
{
    static const char special[] = "\n\r\t ;:()[]+/\"'0189afx~^*\\\0\x7f\x80\xc3\xed\xff";
    size_t at = below(state, size), len = below(state, size - at + 1);
    switch (below(state, 4)) {
    case 0:
        if (size > 0)
            data[at] = (uint8_t)special[below(state, sizeof special - 1)];
        return size;
    case 1:
        if (size > 0)
            data[at] ^= (uint8_t)(1u << below(state, 8));
        return size;
    case 2:
        memmove(data + at, data + at + len, size - at - len);
        return size - len;
    default:
        if (len > INPUT_MAX - size)
            len = INPUT_MAX - size;
        memmove(data + at + len, data + at, size - at);
        return size + len;
    }
}

/* For the signal handler, which has no argument to take them from. */
static const char *failed_name;
static const uint8_t *input;
static size_t input_size;

static void
keep_input(int signal_number)
{
    (void)signal_number;
    int fd = open(failed_name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0 || write(fd, input, input_size) != (ssize_t)input_size)
        _exit(2);
}

/* Gives the target a copy of exactly its size, so that a sanitizer sees an access past its end. */
static void
feed(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);
    if (copy == NULL)
        exit(1);
    memcpy(copy, data, size);
    input = copy;
    input_size = size;
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

int
main(int argc, char **argv)
{
    static uint8_t seed[INPUT_MAX], data[INPUT_MAX];
    static char name[4096];
    snprintf(name, sizeof name, "%s.failed", argv[0]);
    failed_name = name;
    signal(SIGABRT, keep_input);
    unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    uint64_t state = 88172645463325252; /* the paper's */
    for (int i = 2; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        if (file == NULL) {
            perror(argv[i]);
            return 1;
        }
        size_t size = fread(seed, 1, sizeof seed, file);
        fclose(file);
        feed(seed, size);
        /* An odd step: cuts of all remainders, at most CUTS * 2. Larger files are not cut. */
        for (size_t cut = 0; rounds > 0 && size <= CUT_MAX && cut < size; cut += size / CUTS | 1)
            feed(seed, cut);
        for (unsigned long round = 0; round < rounds; round++) {
            memcpy(data, seed, size);
            size_t left = size;
            for (size_t n = below(&state, CHANGES) + 1; n > 0; n--)
                left = change(data, left, &state);
            feed(data, left);
        }
    }
    return 0;
}
