/* The input files. A percent of --time needs the times of all samples, and so a pass over them:
 * input that cannot be sought is copied to an unlinked temporary file, so that it can be read
 * twice. */
#ifndef PERF_SCRIPT_OPERANDS_H
#define PERF_SCRIPT_OPERANDS_H

#include "common/base/mem.h"
#include "common/stack/text/input.h"

/* The files to open, and their names for messages; labels NULL: the same. */
struct operands {
    char **names, **labels;
    size_t count;
};

/* Return operands, in the arena, that can each be opened twice: what is not a regular file, is
 * compressed, or was read in part (standard input), is copied to a temporary file, unpacked. A file
 * that cannot be read or copied is reported as an error and left out. */
struct operands operands_reopenable(struct diag *diag, struct arena *arena, char **names,
                                    size_t count);

/* If the open file is perf.data that comes through a pipe, but not as perf record -o - writes it,
 * it is copied to a temporary file, and that is read in its place: perf.data files are read in
 * several places. Return false, after a message, if that fails. */
bool operands_spool_recording(struct input *in, struct arena *arena);

/* input_start for these operands. If all were left out, nothing is read, not even standard input.
 */
void operands_start(struct input *in, struct diag *diag, const struct operands *operands);

/* input_next, with the operand's name, not the copy's, for messages. */
bool operands_next(struct input *in, const struct operands *operands);

/* Read all operands, which are of operands_reopenable, and set the times, in ns, of the earliest
 * and the latest sample, as they are printed: those of perf.data cut to microseconds, unless
 * `nanoseconds` are printed. Return false where no sample has a time. */
bool operands_times(struct diag *diag, const struct operands *operands, bool nanoseconds,
                    uint64_t *first, uint64_t *last);

#endif
