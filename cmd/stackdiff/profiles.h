/* Two folded profiles, and for each stack its count in both. */
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
    bool crlf;          /* a line may end in CR LF; else such a line is a bad one */
    bool bad_as_empty;  /* a bad line also counts as the empty stack, 0 times */
    bool check_sides;   /* a file that is not a profile with samples is an error, not a warning */
    bool more_operands; /* operands after the second are ignored; else they are wrong usage */
    int unreadable;     /* exit status for an input that cannot be used */
    int unscalable;     /* exit status if --normalize finds a first total of 0; !check_sides only */
};

struct pair {
    union number count[2]; /* before, after */
};

/* {0} is empty, except for the dialect, which is borrowed. */
struct profiles {
    const struct dialect *dialect;
    bool strip_hex; /* read "0x4f2a" in a stack as "0x..." */
    struct intern stacks;
    struct pair *pairs; /* by stack number */
    size_t pairs_cap;
    struct pair total;
    const char *names[2]; /* of the files, for messages; borrowed from the input's names */
    size_t lines[2];      /* folded lines read */
    char *text;           /* buffer of strip_hex() */
    size_t text_cap;
};

/* Adds the open file to one side: 0 is before, 1 is after. Skips lines that are not folded stacks
 * (input_skip). Reports a file without samples, and what the file looks like instead: as an error
 * or as a warning, by the dialect. */
void profiles_read(struct profiles *p, struct input *in, size_t side);

/* Whether some stack has a count above 0 on both sides. */
bool profiles_overlap(const struct profiles *p);

/* Scales the counts of side 0 so that its total is that of side 1. The total of side 0 must not be
 * zero. */
void profiles_normalize(struct profiles *p);

/* Writes each stack with both counts, sorted by the stacks' bytes. */
void profiles_write(const struct profiles *p, struct out *o);

/* The sum of a side's counts, as a floating-point number. */
double profiles_total(const struct profiles *p, size_t side);

void profiles_free(struct profiles *p);

#endif
