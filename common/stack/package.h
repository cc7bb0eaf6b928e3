/* The package that a frame's code belongs to. */
#ifndef STACK_PACKAGE_H
#define STACK_PACKAGE_H

#include "common/stack/framekind.h"

enum { PACKAGE_TEXT = 32 };

/* Return the npm package of a JavaScript function below node_modules, borrowed from the name; of
 * all else the kind in parentheses, "(app)", written to `text`. `kind` is the frame's. */
struct span package_of(struct span name, enum frame_kind kind, char text[static PACKAGE_TEXT]);

#endif
