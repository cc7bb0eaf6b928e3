/* Frames in another order than that of their names. */
#ifndef FLAMESVG_ORDER_H
#define FLAMESVG_ORDER_H

#include "cmd/flamesvg/frames.h"

/* Moves frames so that of those with the same caller the largest stands first; what they called
 * moves along. */
void order_by_size(struct frames *f);

#endif
