/* The command line. */
#ifndef STACKDIFF_OPTIONS_H
#define STACKDIFF_OPTIONS_H

#include "cmd/stackdiff/gate.h"
#include "cmd/stackdiff/sides.h"
#include "cmd/stackdiff/write.h"

extern const struct opt options_table[];

/* {0} is what holds without options. */
struct options {
    struct sides sides;
    struct changes changes;
    bool strip_hex, strict, quiet;
    enum format format;
    size_t top, width; /* 0: all, any */
    struct gate gate;
    double period; /* 0: not given */
    bool width_given;
    struct pattern function, appeared;
};

/* Reads the command line that r was started on; wrong usage ends the program. */
void options_read(struct options *o, struct opt_reader *r, const struct dialect *d);

/* True if some option can fail the comparison. */
static inline bool
options_gated(const struct options *o)
{
    return o->gate.growth || o->gate.total || o->gate.appeared != NULL;
}

void options_free(struct options *o);

#endif
