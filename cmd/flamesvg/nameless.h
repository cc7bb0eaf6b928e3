/* The note on the picture itself that much of it is code without names, and how to get them: who
 * looks at the picture later has not seen what was printed when it was made. */
#ifndef FLAMESVG_NAMELESS_H
#define FLAMESVG_NAMELESS_H

#include "cmd/flamesvg/frames.h"
#include "cmd/flamesvg/options.h"

/* Append the note to the subtitle, by the frames that stackfilter --node makes of such code. Only
 * of the runtime that has most of it, and only if that is more than a twentieth of the total. */
void nameless_note(struct options *o, const struct frames *frames, double total);

#endif
