/* The note in the picture that much of it is code without names, and how to get names. It is in the
 * picture because its later readers have not seen the messages printed when it was made. */
#ifndef FLAMESVG_NAMELESS_H
#define FLAMESVG_NAMELESS_H

#include "cmd/flamesvg/frames.h"
#include "cmd/flamesvg/options.h"

/* Append the note to the subtitle, if frames that stackfilter --node prints for such code have more
 * than a twentieth of the total. The note is about the runtime that has most of them. */
void nameless_note(struct options *o, const struct frames *frames, double total);

#endif
