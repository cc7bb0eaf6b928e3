/* Reads the files named on the command line, one after the other; standard input if none is named,
 * and for "-". */
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
    /* Compression format of the open file; NULL: not compressed. */
    const struct unpack_format *packed;
    struct unpack unpack;
    /* Options, which the caller may set after input_start. */
    /* Descriptors of files that are open already, by index in names, or -1; NULL: none is. */
    const int *opened;
    /* Read like the Perl scripts: byte order marks and bare CRs are text, and compressed files are
     * rejected. */
    bool as_is;
    /* For the message about a perf.data file: what to pipe perf script's output into, such as
     * "stackcollapse | flamesvg"; NULL: this program. */
    const char *after_perf;
    /* Accept perf.data files, too; `recording` is then set if the open file is one. */
    bool takes_recordings, recording;
    size_t skipped;        /* lines counted by input_skip, and those longer than LINES_MAX bytes */
    size_t skipped_before; /* of `skipped`: in earlier files */
    struct place first_skipped, last_skipped;
};

/* Initialize, before the first file. The names and the diag are borrowed as long as the input is
 * used. The struct must not be copied. */
void input_start(struct input *in, struct diag *diag, char **names, size_t count);

/* Open the next file. in->lines then has its lines, after a UTF-8 byte order mark; a file
 * compressed with gzip, bzip2, xz or zstd is decompressed. If the file and standard error are
 * terminals, print a note: else a user who forgot to name a file sees nothing happen. A file that
 * cannot be read by lines is reported as an error, with what to do, and the next file is tried: one
 * that cannot be opened or decompressed, UTF-16, a perf.data file, one with bare CRs between its
 * lines, or a profile known to foreign.h. A failed read of the previous file is also reported, and
 * a tool that could not decompress all of it. Return false if there are no more files. */
bool input_next(struct input *in);

/* For a caller that has read the descriptor in->lines.fd to its end and replaced it: report an
 * error if the open file is compressed and could not be decompressed completely. */
void input_unpacked(struct input *in);

/* Return the place of the last line, for messages. */
static inline struct place
input_place(const struct input *in)
{
    return (struct place){in->name, in->lines.number};
}

/* Count the last line as skipped; for the first DIAG_SHOWN lines, print the reason as a warning.
 * input_say_skipped prints their number. */
void input_skip(struct input *in, const char *why);

/* Warn if the open file's last line has no newline: perhaps the file was truncated in that line.
 * Call this after the end of the file, before input_next. */
void input_warn_cut(struct input *in);

/* Print the number of skipped lines, if any: "12,345 samples, 3 lines skipped (first at line 88)",
 * with several files "(first at out.perf:88)", for binary data "3 records skipped". `n` is the
 * number of samples (or stacks, or lines) that were read, `what` the noun for one of them. */
void input_say_skipped(const struct input *in, uint64_t n, const char *what);

/* Return the exit status after all input: 1 after an error, and with `strict` also if any line was
 * skipped; else 0. May be called after input_free. */
int input_status(const struct input *in, bool strict);

/* Close the open file, and report a failed read of it. */
void input_free(struct input *in);

#endif
