/* A frame's colour, from its name. */
#ifndef FLAMESVG_PALETTE_H
#define FLAMESVG_PALETTE_H

#include <stdint.h>

#include "common/base/span.h"
#include "common/stack/frames/framekind.h"

/* The names for the option, in the order of the table in palette.c. */
#define PALETTE_NAMES                                                                              \
    "hot|mem|io|wakeup|chain|java|js|perl|red|green|blue|aqua|yellow|purple|orange|node|"          \
    "wait|diff-cb"

struct palette {
    const char *name;
    const char *background; /* "yellow", "blue", "green" or "grey" */
    /* Private: one hue for all frames, or rules by name; neither if the palette is by kind. */
    const struct hue *hue;
    const struct rule *rules;
    bool kinds;  /* "node" colours by kind of frame, and waits as "wait" does */
    bool wakers; /* the stacks of "chain" hold the sleeper's frames and, after a frame "--", its
                  * waker's */
    bool colour_blind; /* differences are in colours that colour-blind people tell apart */
};

/* In the order of PALETTE_NAMES. */
extern const struct palette palettes[];

struct colour {
    int r, g, b;
};

enum { COLOUR_TEXT = sizeof "rgb(,,)" + 3 * 11 };

/* A shade says where in a palette's range of colours a frame's colour is: three numbers from 0 to
 * 1. This is how they are chosen. The same name always has the same numbers, unless they are
 * random. */
enum shade_rule {
    SHADE_SUM,    /* from the sum of the name's characters */
    SHADE_HASH,   /* from a hash of its first and its last three characters */
    SHADE_RANDOM, /* the next three random numbers */
};

struct shade {
    enum shade_rule rule;
    uint64_t random; /* the state of drand48(3) */
};

/* Start. `seed` is the random seed of SHADE_RANDOM: the same seed gives the same numbers. */
void shade_init(struct shade *s, enum shade_rule rule, uint32_t seed);

/* Set v to the numbers of a name; random ones advance s. */
void shade_of(struct shade *s, struct span name, double v[static 3]);

/* Return the colour of a frame by its name and by v, three numbers from 0 to 1 (see shade_of). */
struct colour palette_colour(const struct palette *p, struct span name, const double v[static 3]);

/* Return true for a frame that is no function, but says what is not known: "[lost]", "(JavaScript
 * without names)". It has a colour of its own in every palette, but not under the name
 * flamegraph.pl. */
bool palette_is_quiet(struct span name);

/* Return that colour, a grey. v is as in palette_colour. */
struct colour palette_quiet_colour(struct span name, const double v[static 3]);

/* Return the kind of a frame; KIND_COUNT for those that are not code: the root, "-" and "--". */
enum frame_kind palette_kind(struct span name);

/* Return the text and the colour of a kind in a legend. */
const char *palette_kind_label(enum frame_kind kind);
struct colour palette_kind_colour(enum frame_kind kind);

/* Return red if value is above 0, blue if below, with "diff-cb" orange and purple; paler the
 * smaller it is compared to max, which is above 0. */
struct colour palette_delta(const struct palette *p, double value, double max);

/* Write a colour as "rgb(205,0,23)" and return it, a span of `text`. */
struct span palette_text(char text[static COLOUR_TEXT], struct colour c);

#endif
