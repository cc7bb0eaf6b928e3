/* A cache of header templates. Headers of one thread usually differ in digits only: the time, the
 * CPU, the period. The places of the fields depend on the positions of the digits, not on their
 * values, so such a line reuses the field offsets of the earlier one and is not parsed again. Saves
 * 9 % of stackcollapse's instructions on the recording node-http, and 29 % on a system-wide one. */
#ifndef STACK_HEADERCACHE_H
#define STACK_HEADERCACHE_H

#include "common/stack/model/sample.h"

/* A field's position in the line. */
struct field_place {
    uint8_t at, len;
};

/* A header of sched:sched_switch has about 150 bytes, or 200 with padded names. */
enum { TEMPLATE_TEXT = 235 };

/* A template: four cache lines. */
struct header_template {
    struct field_place field[PERF_FIELDS];
    uint8_t event_width;
    bool no_callchain;
    uint8_t len; /* of the text; 0: empty slot */
    char text[TEMPLATE_TEXT];
};

/* {0} is empty. Public only so that its size is known. */
struct headercache {
    struct header_template templates[256];
};

/* If `text` begins with a whole line that matches a template, set *h, whose fields borrow from the
 * text, and return the line's length. Else return 0. */
size_t headercache_find(const struct headercache *c, struct span text, struct perf_header *h);

/* Add a header line, which was parsed into *h, as a template; copy what it needs. It may replace
 * another one. Ignore a line longer than TEMPLATE_TEXT. */
void headercache_add(struct headercache *c, struct span line, const struct perf_header *h);

#endif
