/* Where the lines of a script end, kept for all scripts of a process. */
#ifndef V8_LINEENDS_H
#define V8_LINEENDS_H

#include "common/v8/string.h"

/* For each line, the offset of the last character of its line terminator, in characters. The last
 * line has none: its entry is the length of the source. */
struct lineends {
    uint32_t *at;
    size_t n, cap;
};

/* How much of scripts' sources may be read. */
struct lineends_budget {
    uint64_t left; /* bytes */
    uint64_t room; /* bytes of memory, about, that may be taken before everything is forgotten */
    bool full;     /* set if `room` was not enough */
};

/* Read the line ends from V8's array if there is one; otherwise find them in the source, all of
 * which is then read before this returns, without the snapshot. Lower budget->left by what was
 * read, but not budget->room. V8_BAD, with nothing in *l: something cannot be read, or is larger
 * than the budget. */
enum v8status lineends_read(struct lineends *l, struct heap *h, uint64_t array, uint64_t source,
                            struct lineends_budget *budget);

/* Set *line and *column of an offset, both from 0 on. */
void lineends_position(const struct lineends *l, uint32_t offset, uint32_t *line, uint32_t *column);

void lineends_free(struct lineends *l);

#endif
