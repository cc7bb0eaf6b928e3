/* Chooses the colour of a frame by its name. */
#ifndef FLAMESVG_PALETTE_H
#define FLAMESVG_PALETTE_H

#include <stdint.h>

#include "common/base/span.h"
#include "common/stack/frames/framekind.h"

/* The values of --colors, in the order of the table in palette.c. */
#define PALETTE_NAMES                                                                              \
    "hot|mem|io|wakeup|chain|java|js|perl|red|green|blue|aqua|yellow|purple|orange|node|"          \
    "wait|diff-cb"

struct palette {
    const char *name;
    const char *background; /* "yellow", "blue", "green" or "grey" */
    /* Private: one hue for all frames, or rules by name; neither if the palette is by kind. */
    const struct hue *hue;
    const struct rule *rules;
    bool kinds;  /* "node": colour by kind of frame, and waits as in "wait" */
    bool wakers; /* "chain": stacks have the sleeper's frames, then after a frame "--" those of its
                  * waker */
    bool colour_blind; /* use colours for differences that colour-blind people can distinguish */
};

/* In the order of PALETTE_NAMES. */
extern const struct palette palettes[];

struct colour {
    int r, g, b;
};

enum { COLOUR_TEXT = sizeof "rgb(,,)" + 3 * 11 };

/* How to choose a shade: three numbers from 0 to 1, which select a colour in a palette's range. The
 * same name always has the same numbers, unless they are random. */
enum shade_rule {
    SHADE_SUM,    /* from the sum of the name's characters */
    SHADE_HASH,   /* from a hash of its first and its last three characters */
    SHADE_RANDOM, /* the next three random numbers */
};

struct shade {
    enum shade_rule rule;
    uint64_t random; /* the state of drand48(3) */
};

/* Start. `seed` is for SHADE_RANDOM: the same seed gives the same numbers. */
void shade_init(struct shade *s, enum shade_rule rule, uint32_t seed);

/* Set v to the shade of a name. SHADE_RANDOM advances the random state. */
void shade_of(struct shade *s, struct span name, double v[static 3]);

/* Return the colour of a frame by its name and its shade v (see shade_of). */
struct colour palette_colour(const struct palette *p, struct span name, const double v[static 3]);

/* Return true for a frame that is not a function, but marks something unknown: "[lost]",
 * "(JavaScript without names)". Every palette uses palette_quiet_colour for it, except under the
 * name flamegraph.pl. */
bool palette_is_quiet(struct span name);

/* Return the colour of such a frame, a grey. v is as in palette_colour. */
struct colour palette_quiet_colour(struct span name, const double v[static 3]);

/* Return the kind of a frame; KIND_COUNT for frames that are not code: the root, "-" and "--". */
enum frame_kind palette_kind(struct span name);

/* Return the text and the colour of a kind in a legend. */
const char *palette_kind_label(enum frame_kind kind);
struct colour palette_kind_colour(enum frame_kind kind);

/* Return the colour of a difference: red if value is above 0, blue if below (with "diff-cb" orange
 * and purple), and paler the smaller value is compared to max, which is above 0. */
struct colour palette_delta(const struct palette *p, double value, double max);

/* Write a colour as "rgb(205,0,23)" to `text`, and return it. */
struct span palette_text(char text[static COLOUR_TEXT], struct colour c);

#endif
