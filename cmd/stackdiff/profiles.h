/* Folded profiles of two sides, before and after, and for each stack its count in each. */
#ifndef STACKDIFF_PROFILES_H
#define STACKDIFF_PROFILES_H

#include "cmd/stackdiff/arithmetic.h"
#include "common/base/intern.h"
#include "common/base/out.h"
#include "common/stack/text/input.h"

/* The rules by which stackdiff and difffolded.pl differ. */
struct diff_dialect {
    const char *program;
    const struct arithmetic *arithmetic;
    bool raw;           /* stacks are written as they are; else masked by utf8_mask */
    bool crlf;          /* a line may end in CR LF; else such a line is a bad one */
    bool bad_as_empty;  /* a bad line also counts as the empty stack, 0 times */
    bool check_sides;   /* a file that is not a profile with samples is an error, not a warning */
    bool note_totals;   /* totals that make counts hard to compare get a note */
    bool exact_names;   /* functions are never matched by match_names */
    bool more_operands; /* operands after the second are ignored; else they are wrong usage */
    int unreadable;     /* exit status for an input that cannot be used */
    int unscalable;     /* exit status if --normalize finds a first total of 0; !check_sides only */
};

enum side { BEFORE, AFTER, SIDES };

/* One profile. */
struct run {
    const char *file;
    enum side side;
    union number total; /* of its counts */
    size_t lines;       /* folded lines read */
};

/* {0} is empty, except for the dialect and the runs, which are borrowed: at least one of each side,
 * {.file, .side} each. */
struct profiles {
    const struct diff_dialect *dialect;
    bool strip_hex; /* read "0x4f2a" in a stack as "0x..." */
    struct run *runs;
    size_t nruns;
    struct intern stacks;
    union number *counts; /* [stack number * nruns + run] */
    size_t counts_cap;
    char *text; /* buffer of strip_hex() */
    size_t text_cap;
};

/* Differences of shares are this exact, in percentage points: more than the error of a double, less
 * than is printed. So 0.3 - 0.1 is not above 0.2. */
static const double points_error = 1e-9;

/* What profiles_write changes in the counts. */
struct changes {
    bool normalize;    /* scale those before, so that their total is that after; it must not be 0 */
    double min_change; /* stacks whose share changed by fewer percentage points did not change: the
                        * count before becomes that after */
    bool missing;      /* put stacks without a count after below a frame that says so: see gone.h */
};

/* Add the open file, which is the run of that number. Skip lines that are not folded stacks
 * (input_skip). Report a file without samples, and what the file looks like instead: as an error
 * or as a warning, by the dialect. */
void profiles_read(struct profiles *p, struct input *in, size_t run);

/* Add a count to a stack of a run, without the run's total. */
void profiles_add(struct profiles *p, struct span stack, union number count, size_t run);

/* Return the count of a stack in a run. */
static inline union number
profiles_count(const struct profiles *p, size_t stack, size_t run)
{
    return p->counts[stack * p->nruns + run];
}

/* Return the sum of all counts of a side, as a number and as a floating-point number. */
union number profiles_side_total(const struct profiles *p, enum side side);
double profiles_total(const struct profiles *p, enum side side);

/* Return how much a stack's share of the counts grew, in percentage points. Both totals must be
 * above 0. */
double profiles_growth(const struct profiles *p, size_t stack);

/* Return how many runs a side has. */
size_t profiles_runs(const struct profiles *p, enum side side);

/* Return the name of a side in messages: that of its file, or "--before" or "--after" if it has
 * several. */
const char *profiles_name(const struct profiles *p, enum side side);

/* Return how many folded lines were read in all. */
size_t profiles_lines(const struct profiles *p);

/* Return true if both sides have counts, but no stack has a count above 0 on both. */
bool profiles_differ(const struct profiles *p);

/* Write each stack with its counts on both sides, sorted by the stacks' bytes. A stack that the
 * changes left no count is not written. */
void profiles_write(const struct profiles *p, const struct changes *changes, struct out *o);

#endif
