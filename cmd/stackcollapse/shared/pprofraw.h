/* What "go tool pprof -raw" prints: samples, each a list of numbers of locations, leaf first; then
 * the locations with the names of their functions. So samples are kept until the end. */
#ifndef STACKCOLLAPSE_PPROFRAW_H
#define STACKCOLLAPSE_PPROFRAW_H

#include "cmd/stackcollapse/shared/stacker.h"

/* The parts of the text. */
enum pprofraw_part { PPROFRAW_BEFORE, PPROFRAW_SAMPLES, PPROFRAW_LOCATIONS, PPROFRAW_MAPPINGS };

/* The state of such a format. */
struct pprofraw {
    struct stacker base;
    enum pprofraw_part part; /* that take() is in */
    struct intern ids;       /* of locations, as printed */
    struct intern stacks;    /* the samples' lists of locations */
    VEC(uint64_t) values;    /* by stack: the sum of the samples' first values */
    VEC(struct text) names;  /* by location: the functions, the innermost first, in lines */
    uint32_t location;       /* added last */
};

/* Return the list "1 2 " of a sample, which follows a colon in the text: "100: 1 2 ". It is empty
 * if there is none. */
struct span pprofraw_list(struct span text);

/* Count a sample. */
void pprofraw_sample(struct stacker *f, struct span list, struct span value);

/* Add a location; without a name it is called by its number. */
void pprofraw_location(struct stacker *f, struct span number, struct span name);

/* Add a function to the location added last: those that it has so far are inlined into this one. */
void pprofraw_inlined(struct stacker *f, struct span name);

/* Add the stacks to the profile, once the locations are read; for a format's finish(). In
 * dialect_perl an empty location is between two blanks, and a stack without locations is one empty
 * frame. */
void pprofraw_finish(struct stacker *f);

void pprofraw_end(struct stacker *f);

/* What the struct format of each has. */
#define PPROFRAW_FORMAT                                                                            \
    .state_size = sizeof(struct pprofraw), .finish = pprofraw_finish, .end = pprofraw_end,         \
    .interns = MEMBERS(struct pprofraw, ids, stacks),                                              \
    .buffers = MEMBERS(struct pprofraw, values, names)

#endif
