/* What stackcollapse-xdebug.php computes: see xdebug.c. */
#ifndef STACKCOLLAPSE_XDEBUGSCRIPT_H
#define STACKCOLLAPSE_XDEBUGSCRIPT_H

#include "cmd/stackcollapse/formats.h"

/* As the functions of struct format. */
void xdebugscript_fold(struct collapse *c, void **state);
void xdebugscript_finish(void *state);
void xdebugscript_end(void *state);

#endif
