/* The files to read, where they may have to be read twice. */
#ifndef PERF_SCRIPT_OPERANDS_H
#define PERF_SCRIPT_OPERANDS_H

#include "common/base/input.h"
#include "common/base/mem.h"

/* What to open, and under which names messages speak of it; labels NULL: the same names. */
struct operands {
    char **names, **labels;
    size_t count;
};

/* Gives the operands as they can be read twice, in the arena: a pipe, or anything else that is not
 * a regular file read from its start, is copied to a temporary file without a name. A file that
 * cannot be opened is reported as an error and left out. */
struct operands operands_reopenable(struct diag *diag, struct arena *arena, char **names,
                                    size_t count);

/* Starts on the operands; where there are none left there is nothing to read. */
void operands_start(struct input *in, struct diag *diag, const struct operands *operands);

/* As input_next; messages then name the operand and not the copy. */
bool operands_next(struct input *in, const struct operands *operands);

#endif
