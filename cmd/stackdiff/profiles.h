/* Two folded profiles side by side: what stack was seen how often in each. */
#ifndef STACKDIFF_PROFILES_H
#define STACKDIFF_PROFILES_H

#include "cmd/stackdiff/numbers.h"
#include "common/base/input.h"
#include "common/base/intern.h"
#include "common/base/out.h"

/* The rules by which stackdiff and difffolded.pl differ. */
struct dialect {
    const char *program;
    const struct numbers *numbers;
    bool crlf;          /* a carriage return may end a line; else such a line is bad */
    bool bad_as_empty;  /* a line without a count counts as the empty stack, 0 times */
    bool more_operands; /* are passed over; else wrong usage */
    int unreadable;     /* exit status for an input that cannot be read */
    int unscalable;     /* exit status for --normalize where nothing was seen before */
};

struct pair {
    union number count[2]; /* before, after */
};

/* {0} is empty, but for the dialect, which is borrowed. */
struct profiles {
    const struct dialect *dialect;
    bool strip_hex; /* "0x4f2a" in a stack is read as "0x..." */
    struct intern stacks;
    struct pair *pairs; /* by stack number */
    size_t pairs_cap;
    struct pair total;
    char *text; /* of a stack without its hexadecimal numbers */
    size_t text_cap;
};

/* Adds the file that is open to one side, 0 or 1. Lines without a count are warned of. */
void profiles_read(struct profiles *p, struct input *in, size_t side);

/* Brings the first side to the second one's total; the first one's must not be zero. */
void profiles_normalize(struct profiles *p);

/* Writes the stacks in the order of their bytes, with both counts. */
void profiles_write(const struct profiles *p, struct out *o);

/* A side's total as a floating-point number. */
double profiles_total(const struct profiles *p, size_t side);

void profiles_free(struct profiles *p);

#endif
