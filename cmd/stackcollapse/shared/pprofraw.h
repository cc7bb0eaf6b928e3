/* Reads the output of "go tool pprof -raw": samples, each a list of location numbers, leaf first;
 * then the locations with the names of their functions. So samples are kept until the end. */
#ifndef STACKCOLLAPSE_PPROFRAW_H
#define STACKCOLLAPSE_PPROFRAW_H

#include "cmd/stackcollapse/shared/stacker.h"

/* The parts of the text. */
enum pprofraw_part { PPROFRAW_BEFORE, PPROFRAW_SAMPLES, PPROFRAW_LOCATIONS, PPROFRAW_MAPPINGS };

/* The state of such a format. */
struct pprofraw {
    struct stacker base;
    enum pprofraw_part part; /* current part of the text */
    struct intern ids;       /* of locations, as printed */
    struct intern stacks;    /* the samples' lists of locations */
    VEC(uint64_t) values;    /* by stack: the sum of the samples' first values */
    VEC(struct text) names;  /* by location: the functions, the innermost first, in lines */
    uint32_t location;       /* the location added last */
};

/* Return the list of a sample, which follows a colon in the text: "1 2 " from "100: 1 2 ". Return
 * an empty span if there is none. */
struct span pprofraw_list(struct span text);

/* Count a sample. */
void pprofraw_sample(struct stacker *f, struct span list, struct span value);

/* Add a location. If it has no name, use its number as the name. */
void pprofraw_location(struct stacker *f, struct span number, struct span name);

/* Add a function to the location added last; its previous functions are inlined into this one. */
void pprofraw_inlined(struct stacker *f, struct span name);

/* Add the stacks to the profile, after all locations were read; for a format's finish(). In
 * dialect_perl two successive blanks have an empty location between them, and a stack without
 * locations becomes one empty frame. */
void pprofraw_finish(struct stacker *f);

void pprofraw_end(struct stacker *f);

/* Members of each format's struct format. */
#define PPROFRAW_FORMAT                                                                            \
    .state_size = sizeof(struct pprofraw), .finish = pprofraw_finish, .end = pprofraw_end,         \
    .interns = MEMBERS(struct pprofraw, ids, stacks),                                              \
    .buffers = MEMBERS(struct pprofraw, values, names)

#endif
