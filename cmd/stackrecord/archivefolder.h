/* The folder of an archive: its files (common/stack/model/slicefile.h), and one that is being written,
 * ".unfinished". Who has it open has locked it, so nobody else writes to it. Files of other names are
 * neither counted nor touched. */
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

/* The files in order. {0}: not read. */
struct archivelist {
    VEC(struct archivefile) files;
    size_t first;   /* those before it have been removed */
    uint64_t total; /* size of all, with what is being written */
};

/* Make the folder, for its owner alone, if it is not there, and lock it; the name is borrowed. Where
 * another recorder has locked it, wait a second for the end of one that was killed just now. Return
 * NULL, or what is wrong. */
const char *archivefolder_open(struct archivefolder *f, const char *name);

/* Read the list of files. What a recorder that was killed has left is removed: a file that it had not
 * finished, and slices that are merged already. Return false, with errno set, if that fails. */
bool archivefolder_read(const struct archivefolder *f, struct archivelist *list);

/* Remove the oldest files until n more bytes fit in `keep`, but none from the end-th on. Return false
 * if they do not fit even then. */
bool archivefolder_make_room(const struct archivefolder *f, struct archivelist *list, uint64_t n,
                             uint64_t keep, size_t end);

/* Remove the oldest files as long as the newer ones hold `seconds` of recorded time. */
void archivefolder_forget(const struct archivefolder *f, struct archivelist *list,
                          uint64_t seconds);

/* Add a file of that size in bytes, which was written just now, in its place. */
void archivefolder_add(struct archivelist *list, const struct archivefile *file);

/* Remove the i-th file. It stays in the list, with size 0. */
void archivefolder_remove(const struct archivefolder *f, struct archivelist *list, size_t i);

#endif
