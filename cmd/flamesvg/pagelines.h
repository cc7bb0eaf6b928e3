/* The part of a page's table with source lines. */
#ifndef FLAMESVG_PAGELINES_H
#define FLAMESVG_PAGELINES_H

#include "cmd/flamesvg/names.h"

/* Write the members of the table about source lines, each after a comma. Write nothing without
 * --lines. */
void pagelines_put(const struct canvas *c, const struct names *names);

#endif
