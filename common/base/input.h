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
};

/* Borrows the names and the diag for as long as the input is used. */
void input_start(struct input *in, struct diag *diag, char **names, size_t count);

/* Opens the next file, so that in->lines gives its lines. A file that cannot be opened, and a read
 * that failed in the file before, is reported as an error and the next one is tried. False: no
 * more. */
bool input_next(struct input *in);

/* The line read last, for messages. */
static inline struct place
input_place(const struct input *in)
{
    return (struct place){in->name, in->lines.number};
}

void input_free(struct input *in);

#endif
