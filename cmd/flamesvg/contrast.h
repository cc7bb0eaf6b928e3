/* Chooses black or white text for a background colour. */
#ifndef FLAMESVG_CONTRAST_H
#define FLAMESVG_CONTRAST_H

#include <stdbool.h>

#include "common/base/span.h"

/* Return true if white contrasts more than black with a colour: "rgb(205,0,23)", "#cd0017", "#c01",
 * or a common name, such as "navy". Return false for any other text. */
bool contrast_is_white(struct span colour);

#endif
