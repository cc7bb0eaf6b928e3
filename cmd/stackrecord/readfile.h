/* Reads the files of /proc, /sys and tracefs, which say nothing of their size before they are read.
 */
#ifndef STACKRECORD_READFILE_H
#define STACKRECORD_READFILE_H

#include "common/base/text.h"

/* Appends all that is in the file. False, with errno set, if it cannot be opened or read. */
bool readfile(const char *path, struct text *out);

#endif
