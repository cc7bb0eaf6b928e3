/* Black or white: which of the two can be read on a colour. */
#ifndef FLAMESVG_CONTRAST_H
#define FLAMESVG_CONTRAST_H

#include <stdbool.h>

#include "common/base/span.h"

/* Return whether white contrasts more than black with a colour written as "rgb(205,0,23)",
 * "#cd0017" or "#c01", or with one of the common names, such as "navy". False for any other
 * text. */
bool contrast_is_white(struct span colour);

#endif
