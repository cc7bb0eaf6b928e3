/* When the samples of the whole input begin and end, for those who ask for a percent of it. */
#ifndef PERF_SCRIPT_EXTENT_H
#define PERF_SCRIPT_EXTENT_H

#include <stdint.h>

#include "common/base/input.h"
#include "common/base/mem.h"

/* What to open, and under which names messages speak of it; labels NULL: the same names. */
struct operands {
    char **names, **labels;
    size_t count;
};

/* Gives the operands as they can be read twice: a pipe, or anything else that is not a regular file
 * read from its start, is copied to a temporary file without a name. A file that cannot be opened
 * is reported as an error and left out. */
struct operands extent_operands(struct diag *diag, struct arena *arena, char **names, size_t count);

/* The times, in ns, of the earliest and the latest sample. False where no sample prints a time. */
bool extent_measure(struct diag *diag, const struct operands *operands, uint64_t *first,
                    uint64_t *last);

/* Starts on the operands; where there are none left there is nothing to read. */
void extent_start(struct input *in, struct diag *diag, const struct operands *operands);

/* As input_next; messages then name the operand and not the copy. */
bool extent_next(struct input *in, const struct operands *operands);

#endif
