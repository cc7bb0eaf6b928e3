/* Reads the records of a jitdump; private to jitdump.c. */
#ifndef SYM_JITREAD_H
#define SYM_JITREAD_H

#include "common/sym/jitdump.h"

/* Appends the loads, in the order of the file, and sets cpu_time, damaged and line_shift. A move is
 * a load without name, `moved`. Returns NULL, or what is wrong with the file as a whole. */
const char *jitread(struct jitdump *j, struct lines *in, bool with_lines);

#endif
