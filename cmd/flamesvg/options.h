/* The command line. */
#ifndef FLAMESVG_OPTIONS_H
#define FLAMESVG_OPTIONS_H

#include "cmd/flamesvg/palette.h"
#include "cmd/flamesvg/units.h"
#include "common/base/mem.h"
#include "common/base/pattern.h"

enum { OPTIONS_XPAD = 10 }; /* pixels left and right of the frames */

enum truncate { TRUNCATE_LEFT, TRUNCATE_RIGHT };
enum sibling_order { SORT_NAME, SORT_SIZE };

struct options {
    const char *program; /* for messages */
    bool perl;           /* called by the name flamegraph.pl */
    struct span title, subtitle, countname, nametype, notes, fonttype;
    const struct count_unit *unit; /* unit named by countname, to scale counts; NULL: not a unit */
    const char *encoding;          /* NULL: not given */
    double width, height, fontsize, fontwidth;
    bool ascii;            /* the encoding is not UTF-8: write other characters as references */
    bool html;             /* write an HTML page, not an SVG */
    bool default_title;    /* no title was given */
    bool follow;           /* in a browser, use the width of the window */
    double minwidth;       /* in pixels, or with minwidth_percent ... */
    bool minwidth_percent; /* ... in percent of the total */
    double total;          /* 0: the sum of the input */
    double factor;
    struct span clock; /* a time on the recording's clock with its calendar time; empty: unknown */
    const struct palette *palette;
    const char *background[2]; /* colours of the gradient */
    bool dark;                 /* browsers that prefer dark colours may darken the background */
    bool hash, random;
    uint32_t seed;
    struct shade shade; /* made from hash, random and seed */
    bool reverse, inverted, flamechart, negate, colormap, quiet, strict;
    bool to_stdout;       /* requested by "-": allow a terminal */
    const char *nameattr; /* file name, or NULL */
    const char *lines;    /* the same */
    const char *output;   /* file name; NULL: standard output */
    enum truncate truncate;
    enum sibling_order sort;
    struct pattern base;
    bool has_base;
    char **files;
    size_t nfiles;
    struct arena arena; /* holds the texts */
};

/* Read the command line; borrows argv. Wrong usage ends the program with a message. */
void options_read(struct options *o, int argc, char **argv);

/* If no title was given, change it to the title for a comparison of two profiles. */
void options_set_compared(struct options *o);

#endif
