/* Which of the two formats an input is in. */
#ifndef STACKFILTER_GUESS_H
#define STACKFILTER_GUESS_H

#include "common/base/lines.h"

/* In the order of --from=perf|folded|guess. */
enum wire { WIRE_PERF, WIRE_FOLDED, WIRE_GUESS };

/* Tells by the first line that can only be one's; takes nothing. Where there is no such line near
 * the beginning it says perf. */
enum wire guess_wire(struct lines *l);

#endif
