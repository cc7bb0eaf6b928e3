/* Adds up samples by function, and in each function by place: by source line, or by instruction.
 *
 * The source line of a frame is what perf script -F +srcline prints below it. An instruction is the
 * offset of a frame in its function. */
#ifndef STACKREPORT_LINECOUNT_H
#define STACKREPORT_LINECOUNT_H

#include "common/base/decimal.h"
#include "common/base/pattern.h"
#include "common/base/vec.h"
#include "common/stack/model/foldname.h"
#include "common/stack/model/frametab.h"

#define LINECOUNT_NONE UINT32_MAX

struct line_place {
    uint32_t function;
    uint32_t file;   /* source file, or that of the instructions; LINECOUNT_NONE: place unknown */
    uint64_t number; /* of the line, or offset of the instruction */
    struct decimal self, total;
    bool inlined; /* a call at this line was inlined */

    /* private */
    uint64_t last; /* number of the last sample with this place */
};

struct line_function {
    struct span name;
    struct span dso; /* of its first frame that is not an inlined call; "" if there is none */
    uint64_t start;  /* address of its first instruction as frames show it, if has_start */
    bool has_start;
    bool wanted; /* its places are counted */
    struct decimal self, total;

    /* private */
    uint64_t last;
};

/* {0} counts source lines of all functions. */
struct linecount {
    const struct pattern *wanted; /* functions to count; NULL: all. Borrowed */
    bool instructions;
    struct decimal all;  /* count of all samples */
    struct intern files; /* paths of source files, or DSOs */
    VEC(struct line_function) functions;
    VEC(struct line_place) places;
    bool placed;  /* some frame, of any function, has a place */
    bool guessed; /* some line is of JavaScript whose file the input does not say */

    /* private from here */
    struct intern function_keys, place_keys;
    struct profile names;
    struct foldname_options name_options;
    struct foldname foldname;
    VEC(struct line_frame) frames; /* by frame number */
    uint32_t generation;
    uint64_t samples;
};

/* Add a sample, whose frames are in the table. */
void linecount_sample(struct linecount *c, const struct frametab *frames, const uint32_t *numbers,
                      size_t n, struct decimal count);

/* Return the number of the function with this name; add it if it is new. */
uint32_t linecount_function(struct linecount *c, struct span name, struct span dso);

/* Return the number of the place, line `number` of a file, in a function; add it if it is new. If
 * the file is "", the place is unknown. */
uint32_t linecount_place(struct linecount *c, uint32_t function, struct span file, uint64_t number);

/* Return true if a sample has a wanted function. */
bool linecount_has_wanted(const struct linecount *c);

/* Take the line off the end of "/srv/app.c:12" or "app.c:12 (discriminator 3)", and set *file to
 * the rest. Return false if there is none, as in "libc.so.6[2724a]", "app.c:0" and "??:12". */
bool linecount_parse(struct span srcline, struct span *file, uint64_t *line);

void linecount_free(struct linecount *c);

#endif
