/* The files that a program was asked to read, one after the other; standard input where none is
 * named or where one is "-". */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

#include "common/base/diag.h"
#include "common/base/lines.h"

struct input {
    struct diag *diag;
    char **names;
    size_t count, at;
    const char *name; /* of the file that is open, for messages */
    struct lines lines;
    struct progress progress;
    /* To be set after input_start. */
    bool as_is;             /* as the Perl scripts read: byte order marks and bare CRs are text */
    const char *after_perf; /* commands that read perf script's output, for the advice on a perf.data
                             * file: "stackcollapse | flamesvg"; NULL: this program alone */
    size_t skipped; /* lines, by input_skip */
    struct place first_skipped;
};

/* Borrows the names and the diag for as long as the input is used. */
void input_start(struct input *in, struct diag *diag, char **names, size_t count);

/* Opens the next file, so that in->lines gives its lines, after a UTF-8 byte order mark. What cannot
 * be read by lines is reported as an error, with what to do, and the next file is tried: a file that
 * cannot be opened, one that is compressed, UTF-16, a perf.data file, or with CR alone between its
 * lines. So is a read that failed in the file before. False: no more. */
bool input_next(struct input *in);

/* The line read last, for messages. */
static inline struct place
input_place(const struct input *in)
{
    return (struct place){in->name, in->lines.number};
}

/* Counts the line read last as one that is of no use. Of the first DIAG_SHOWN it says why, as a
 * warning; how many there are says input_say_skipped. */
void input_skip(struct input *in, const char *why);

/* Says how many lines were skipped, if any were: "12,345 samples, 3 lines skipped (first at line
 * 88)", or where there are several files "(first at out.perf:88)". `what` is the singular of what
 * there are `n` of. */
void input_say_skipped(const struct input *in, uint64_t n, const char *what);

/* What the program exits with, once everything is read: 1 after an error, and with `strict` also if
 * any line was skipped; else 0. Good after input_free too. */
int input_status(const struct input *in, bool strict);

void input_free(struct input *in);

#endif
