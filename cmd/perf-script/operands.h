/* The input files. A percentage in --time needs the times of all samples, and so an extra pass over
 * the input: input that is not seekable is copied to an unlinked temporary file to read it twice.
 */
#ifndef PERF_SCRIPT_OPERANDS_H
#define PERF_SCRIPT_OPERANDS_H

#include "common/base/mem.h"
#include "common/stack/text/input.h"

/* The files to open, and their names for messages. labels NULL: use `names` for messages. */
struct operands {
    char **names, **labels;
    size_t count;
};

/* Return operands, in the arena, that can each be opened twice. A file that is not regular, is
 * compressed, or was partly read (standard input) is copied to a temporary file, decompressed. A
 * file that cannot be read or copied is reported as an error and left out. */
struct operands operands_reopenable(struct diag *diag, struct arena *arena, char **names,
                                    size_t count);

/* If the open file is a seekable-format perf.data that comes through a pipe (not the pipe format of
 * perf record -o -), copy it to a temporary file, and read that in its place: such files are not
 * read in order. Return false, after a message, if that fails. */
bool operands_spool_recording(struct input *in, struct arena *arena);

/* As input_start, for these operands. If all were left out, read nothing, not even standard
 * input. */
void operands_start(struct input *in, struct diag *diag, const struct operands *operands);

/* As input_next, with the name of the operand, not of its copy, for messages. */
bool operands_next(struct input *in, const struct operands *operands);

/* Read all operands, which are from operands_reopenable, and set the times of the earliest and the
 * latest sample, in ns, as they are printed: for perf.data cut to microseconds unless
 * `nanoseconds`. Return false if no sample has a time. */
bool operands_times(struct diag *diag, const struct operands *operands, bool nanoseconds,
                    uint64_t *first, uint64_t *last);

#endif
