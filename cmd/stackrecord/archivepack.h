/* Writes one file of an archive: text, packed by zstd or else gzip, if one of them is there. */
#ifndef STACKRECORD_ARCHIVEPACK_H
#define STACKRECORD_ARCHIVEPACK_H

#include "cmd/stackrecord/archivefolder.h"
#include "common/base/out.h"

/* What all files may take, and which may be removed for that. */
struct archivepack_limit {
    const struct archivefolder *folder;
    struct archivelist *list;
    uint64_t keep; /* bytes */
    size_t end;    /* files from this one on are not removed */
};

/* Write what `print` prints, in a process of its own that exits with a status other than 0 if it
 * fails, to a file of this name, which is free. Room for each block is made before it is written.
 * Return 0, or the errno of what failed: EFBIG, if there is no room even without older files. Then
 * there is no file. */
int archivepack_write(const struct archivepack_limit *limit, struct slicefile name,
                      void (*print)(void *ctx, struct out *out), void *ctx);

#endif
