/* Reads the files that are named on the command line, one after the other; standard input if none
 * is, and for "-". */
#ifndef STACK_INPUT_H
#define STACK_INPUT_H

#include "common/base/diag.h"
#include "common/base/lines.h"
#include "common/base/unpack.h"

struct input {
    struct diag *diag;
    char **names;
    size_t count, at;
    const char *name; /* of the open file, for messages */
    struct lines lines;
    struct progress progress;
    const struct unpack_format *packed; /* how the open file is compressed; NULL: it is not */
    struct unpack unpack;
    /* The caller may set these after input_start. */
    /* As the Perl scripts read: byte order marks and bare CRs are text, and compressed files are
     * refused. */
    bool as_is;
    /* What to pipe perf script's output into, in the message about a perf.data file: "stackcollapse
     * | flamesvg"; NULL: this program. */
    const char *after_perf;
    /* Give perf.data files too: then `recording` says that the open file is one. */
    bool takes_recordings, recording;
    size_t skipped;        /* lines, by input_skip, and those of more than LINES_MOST bytes */
    size_t skipped_before; /* of them, those of the files before the open one */
    struct place first_skipped, last_skipped;
};

/* Start before the first file. The names and the diag are borrowed for as long as the input is
 * used, which may not be copied. */
void input_start(struct input *in, struct diag *diag, char **names, size_t count);

/* Open the next file, so that in->lines gives its lines, after a UTF-8 byte order mark; of a file
 * that is compressed with gzip, bzip2, xz or zstd, those in it. If it is a terminal, and standard
 * error too, a note says so: else a user who forgot to name a file sees nothing happen. What cannot
 * be read by lines is reported as an error, with what to do, and the next file is tried: a file
 * that cannot be opened or unpacked, UTF-16, a perf.data file, one with CR alone between its lines,
 * or a profile that foreign.h knows. So is a read that failed in the file before, or a tool that
 * could not unpack all of it. False: no more. */
bool input_next(struct input *in);

/* For a caller that has read the descriptor in->lines.fd to its end and replaced it: reports an
 * error if the open file is compressed and could not be unpacked whole. */
void input_unpacked(struct input *in);

/* Return the line read last, for messages. */
static inline struct place
input_place(const struct input *in)
{
    return (struct place){in->name, in->lines.number};
}

/* Count the line read last as skipped, and for the first DIAG_SHOWN print why, as a warning.
 * input_say_skipped prints how many there were. */
void input_skip(struct input *in, const char *why);

/* Warn if the open file's last line has no newline: perhaps the file was cut in the middle of that
 * line. Call it once the file is read to its end, before input_next. */
void input_warn_cut(struct input *in);

/* Print how many lines were skipped, if any: "12,345 samples, 3 lines skipped (first at line 88)",
 * or with several files "(first at out.perf:88)"; of binary data "3 records skipped". `n` is how
 * many samples (or stacks, or lines) were read, `what` the noun for one of them. */
void input_say_skipped(const struct input *in, uint64_t n, const char *what);

/* Return the exit status once everything is read: 1 after an error, and with `strict` also if any
 * line was skipped; else 0. Also works after input_free. */
int input_status(const struct input *in, bool strict);

/* Close the open file and report a read of it that failed. */
void input_free(struct input *in);

#endif
