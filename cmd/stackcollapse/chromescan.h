/* Reads an event of a Chrome trace where it lies in the buffer, without making items of its JSON:
 * most events can be read so, in a fraction of the time. */
#ifndef STACKCOLLAPSE_CHROMESCAN_H
#define STACKCOLLAPSE_CHROMESCAN_H

#include "common/base/json.h"

enum { CHROME_DIGITS = 15 /* a double holds so many exactly */ };

/* The members that count. */
enum {
    CHROME_PHASE,
    CHROME_START,
    CHROME_DURATION,
    CHROME_NAME,
    CHROME_PID,
    CHROME_TID,
    CHROME_OTHER, /* does not */
    CHROME_MEMBERS = CHROME_OTHER,
};

struct chromescan {
    unsigned has; /* a bit for each member that the event has */
    struct chrome_value {
        enum json_item item; /* as json_scalar gives it */
        struct span text;    /* in the buffer */
        bool is_whole;  /* a number without sign, point or exponent, of CHROME_DIGITS at most */
        uint64_t whole; /* such a number */
    } values[CHROME_MEMBERS + 1];
    size_t lines; /* line ends that were passed */
};

/* Reads the next element of the array that is open in j, for json_consume: where it ends. NULL, for
 * json_next to read it, if it is not an object, not all buffered, wrong, or has members twice or
 * values that must be decoded. */
const char *chromescan_event(struct chromescan *scan, struct json *j);

#endif
