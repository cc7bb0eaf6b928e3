/* The table of all frames that the script of a picture reads. */
#ifndef FLAMESVG_TABLE_H
#define FLAMESVG_TABLE_H

#include "cmd/flamesvg/box.h"
#include "cmd/flamesvg/names.h"

/* Write the table as JSON, without any text that could end a CDATA section or an HTML script
 * element. */
void table_put(const struct canvas *c, const struct names *names);

#endif
