/* Writes one file of an archive: text, compressed by zstd or else gzip, if one is installed. */
#ifndef STACKRECORD_ARCHIVEPACK_H
#define STACKRECORD_ARCHIVEPACK_H

#include "cmd/stackrecord/archivefolder.h"
#include "common/base/out.h"

/* The limit on the bytes of all files, and the files that may be removed to keep it. */
struct archivepack_limit {
    const struct archivefolder *folder;
    struct archivelist *list;
    uint64_t keep; /* maximum bytes of all files */
    size_t end;    /* do not remove files from this index on */
};

/* Write a file with this name, which must not exist. print() writes its text, in a separate
 * process, which must exit with a status other than 0 on failure. Before each block is written,
 * older files are removed if necessary. Return 0, or an errno, with no file left: EFBIG if there is
 * no room even without older files. */
int archivepack_write(const struct archivepack_limit *limit, struct slicefile name,
                      void (*print)(void *ctx, struct out *out), void *ctx);

#endif
