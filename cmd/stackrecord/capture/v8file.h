/* The V8 in a program or library, such as node or libnode.so. The section .dynsym of such a file
 * has some 500 symbols for debuggers, whose names begin with "v8dbg_":
 * tools/gen-postmortem-metadata.py in V8's source makes them. The variables at these symbols hold
 * numbers that describe the layout of V8's objects in memory. The version of V8 is in other
 * variables (v8::internal::Version). */
#ifndef STACKRECORD_V8FILE_H
#define STACKRECORD_V8FILE_H

#include "common/v8/layout.h"

enum v8file_has {
    V8FILE_NONE,    /* no V8, or one without these symbols */
    V8FILE_KNOWN,   /* a V8 whose memory can be read */
    V8FILE_UNKNOWN, /* a V8 whose memory cannot be read */
};

/* Read the ELF file at the path. Set *layout for V8FILE_KNOWN, and for V8FILE_UNKNOWN *problem to
 * the reason, such as "its V8 9.4 is not known". */
enum v8file_has v8file_read(const char *path, struct v8layout *layout, const char **problem);

#endif
