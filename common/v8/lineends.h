/* Where the lines of a script end, kept for all scripts of a process. */
#ifndef V8_LINEENDS_H
#define V8_LINEENDS_H

#include "common/v8/string.h"

/* The offsets, in characters, of the last character of each line's end; the source's length is the
 * last. */
struct lineends {
    uint32_t *at;
    size_t n, cap;
};

/* How much of scripts' sources may be read. */
struct lineends_budget {
    uint64_t left; /* bytes */
    uint64_t room; /* bytes of memory that may be taken, about, before all is forgotten */
    bool full;     /* set if that was not enough */
};

/* Read them from the array of V8 if it is there, else count them in the source, whose characters are read
 * at once, outside of the snapshot; `budget` is lowered by what was read. V8_BAD, with nothing in *l, if
 * something cannot be read, or is larger than the budget. `room` is not lowered. */
enum v8status lineends_read(struct lineends *l, struct heap *h, uint64_t array, uint64_t source,
                            struct lineends_budget *budget);

/* Set *line and *column of an offset, both from 0 on. */
void lineends_position(const struct lineends *l, uint32_t offset, uint32_t *line, uint32_t *column);

void lineends_free(struct lineends *l);

#endif
