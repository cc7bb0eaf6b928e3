/* The folded profiles of the two sides of a comparison, before and after: the count of each stack
 * in each profile. */
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
    bool raw;           /* write stacks as they are; else masked by utf8_mask */
    bool crlf;          /* lines may end in CR LF; else such lines are malformed */
    bool bad_as_empty;  /* a malformed line adds the empty stack with count 0 */
    bool check_sides;   /* a file that is not a profile with samples is an error, not a warning */
    bool note_totals;   /* print a note if the totals make counts hard to compare */
    bool exact_names;   /* never match functions by match_names */
    bool more_operands; /* ignore operands after the second; else they are wrong usage */
    int unreadable;     /* exit status if an input cannot be used */
    int unscalable; /* exit status if --normalize finds a first total of 0; without check_sides */
};

enum side { BEFORE, AFTER, SIDES };

/* One profile. */
struct run {
    const char *file;
    enum side side;
    union number total; /* of its counts */
    size_t lines;       /* folded lines read */
};

/* Starts as {.dialect, .strip_hex, .runs, .nruns}; the dialect and the runs are borrowed. There is
 * at least one run of each side; each starts as {.file, .side}. */
struct profiles {
    const struct diff_dialect *dialect;
    bool strip_hex; /* replace "0x4f2a" in stacks by "0x..." */
    struct run *runs;
    size_t nruns;
    struct intern stacks;
    union number *counts; /* [stack number * nruns + run] */
    size_t counts_cap;
    char *text; /* buffer for strip_hex */
    size_t text_cap;
};

/* Tolerance when differences of shares are compared, in percentage points: more than the rounding
 * error of a double, less than is printed. So 0.3 - 0.1 is not above 0.2. */
static const double points_error = 1e-9;

/* How profiles_write changes the counts. */
struct changes {
    bool normalize;    /* scale the counts before to the total after; the total before is not 0 */
    double min_change; /* if a stack's share changed by fewer percentage points, write its count
                        * after for both sides */
    bool missing;      /* put stacks whose count after is 0 below the frame GONE_FRAME (gone.h) */
};

/* Read the file that is open in `in` as run number `run`. Skip lines that are not folded stacks
 * (input_skip). If there are no samples, report that, and what the file looks like instead, as an
 * error or, without check_sides, as a warning. */
void profiles_read(struct profiles *p, struct input *in, size_t run);

/* Add a count to a stack of a run. Leave the run's total as it is. */
void profiles_add(struct profiles *p, struct span stack, union number count, size_t run);

/* Return the count of a stack in a run. */
static inline union number
profiles_count(const struct profiles *p, size_t stack, size_t run)
{
    return p->counts[stack * p->nruns + run];
}

/* Return the sum of all counts of a side: as a number of the dialect, and as a double. */
union number profiles_side_total(const struct profiles *p, enum side side);
double profiles_total(const struct profiles *p, enum side side);

/* Return by how many percentage points a stack's share of its side's total grew. Both totals must
 * be above 0. */
double profiles_growth(const struct profiles *p, size_t stack);

/* Return the number of runs of a side. */
size_t profiles_runs(const struct profiles *p, enum side side);

/* Return the name of a side for messages: its file, or "--before" or "--after" if it has several
 * files. */
const char *profiles_name(const struct profiles *p, enum side side);

/* Return the number of folded lines read in all runs. */
size_t profiles_lines(const struct profiles *p);

/* Return true if both sides have counts, but no stack has a count above 0 on both. */
bool profiles_differ(const struct profiles *p);

/* Write each stack with its counts on both sides, sorted by the stacks' bytes. With min_change,
 * leave out stacks whose counts are then 0 on both sides. */
void profiles_write(const struct profiles *p, const struct changes *changes, struct out *o);

#endif
