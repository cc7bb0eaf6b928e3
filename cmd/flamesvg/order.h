/* --sort=size. */
#ifndef FLAMESVG_ORDER_H
#define FLAMESVG_ORDER_H

#include "cmd/flamesvg/frames.h"

/* Moves frames so that among those with the same caller the largest is first; their callees move
 * with them. The list is in preorder again. */
void order_by_size(struct frames *f);

#endif
