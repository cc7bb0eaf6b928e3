/* Temporary files without a name, which are removed when they are closed. */
#ifndef BASE_TEMPORARY_H
#define BASE_TEMPORARY_H

#include "common/base/span.h"

/* Return the folder of temporary files: $TMPDIR, or /tmp. */
const char *temporary_folder(void);

/* Open an empty temporary file for reading and writing, in temporary_folder(); or in memory, if
 * that folder's file system has no nameless files (NFS; overlayfs before Linux 6.1). This also
 * works in a confined program (confine.h). Return the descriptor; -1, with errno set, if that
 * fails. */
int temporary_open(void);

/* Write all of the bytes to such a file. Return false, with errno set, if that fails. */
bool temporary_write(int fd, struct span bytes);

#endif
