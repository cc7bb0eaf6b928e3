/* The line ends of a script, cached for all scripts of a process. */
#ifndef V8_LINEENDS_H
#define V8_LINEENDS_H

#include "common/v8/string.h"

/* For each line, the offset in characters of the last character of its line terminator. The last
 * line has no terminator: its entry is the length of the source. */
struct lineends {
    uint32_t *at;
    size_t n, cap;
};

/* Limits for reading scripts' sources. */
struct lineends_budget {
    uint64_t left; /* bytes that may still be read */
    uint64_t room; /* approximate bytes of memory that may be used before everything is dropped */
    bool full;     /* `room` was not enough */
};

/* Read the line ends from V8's array if there is one. Otherwise find them in the source: read all
 * of it before returning, without the snapshot. Subtract the bytes read from budget->left, but not
 * from budget->room. V8_BAD, with *l empty: something cannot be read, or exceeds the budget. */
enum v8status lineends_read(struct lineends *l, struct heap *h, uint64_t array, uint64_t source,
                            struct lineends_budget *budget);

/* Set *line and *column of an offset, both counted from 0. */
void lineends_position(const struct lineends *l, uint32_t offset, uint32_t *line, uint32_t *column);

void lineends_free(struct lineends *l);

#endif
