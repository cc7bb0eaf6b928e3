/* Unicode's controls of text direction, which can show a name reversed: "x<U+202E>gpj.exe". */
#ifndef FLAMESVG_BIDI_H
#define FLAMESVG_BIDI_H

#include "common/base/mem.h"

/* s with each such character written as "<U+202E>". s itself if it has none, else a text in the
 * arena. */
struct span bidi_visible(struct arena *a, struct span s);

#endif
