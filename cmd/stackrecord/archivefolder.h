/* The folder of an archive: its files (common/stack/model/slicefile.h), and the one that is being
 * written, ".unfinished". Opening the folder locks it, so that no other recorder writes to it.
 * Files with other names are neither counted nor touched. */
#ifndef STACKRECORD_ARCHIVEFOLDER_H
#define STACKRECORD_ARCHIVEFOLDER_H

#include "common/base/vec.h"
#include "common/stack/model/slicefile.h"

struct archivefolder {
    const char *name;
    int fd;
};

#define ARCHIVE_UNFINISHED ".unfinished"

struct archivefile {
    struct slicefile is;
    uint64_t size;                  /* bytes, in whole blocks */
    char name[SLICEFILE_NAME + 16]; /* with its suffix */
};

/* The files, oldest first. {0}: not read. */
struct archivelist {
    VEC(struct archivefile) files;
    size_t first;   /* files before this index have been removed */
    uint64_t total; /* bytes of all files, including the one that is being written */
};

/* Create the folder, accessible only to its owner, unless it exists, and lock it; the name is
 * borrowed. If it is locked, wait for a second: its recorder may just have been killed. Return
 * NULL, or what is wrong. */
const char *archivefolder_open(struct archivefolder *f, const char *name);

/* Read the list of files. Remove what a killed recorder has left: an unfinished file, and slices
 * that are already merged. Return false, with errno set, if that fails. */
bool archivefolder_read(const struct archivefolder *f, struct archivelist *list);

/* Remove the oldest files until n more bytes fit in `keep`, but no file from index `end` on. Return
 * false if they do not fit even then. */
bool archivefolder_make_room(const struct archivefolder *f, struct archivelist *list, uint64_t n,
                             uint64_t keep, size_t end);

/* Remove the oldest files while the remaining ones hold at least `seconds` of recorded time. */
void archivefolder_forget(const struct archivefolder *f, struct archivelist *list,
                          uint64_t seconds);

/* Insert a file that was just written, at its place in the order. */
void archivefolder_add(struct archivelist *list, const struct archivefile *file);

/* Remove the i-th file. It stays in the list, with size 0. */
void archivefolder_remove(const struct archivefolder *f, struct archivelist *list, size_t i);

#endif
