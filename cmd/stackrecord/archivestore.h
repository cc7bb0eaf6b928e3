/* Writes the files of an archive in a process of its own, a fork of the recorder, which goes on
 * meanwhile: a slice, then the hours that slices can be merged into. Each file is written under
 * another name, and gets its own when it is whole and on the disk: whoever is killed, a file is there
 * whole or not at all. */
#ifndef STACKRECORD_ARCHIVESTORE_H
#define STACKRECORD_ARCHIVESTORE_H

#include <sys/types.h>

#include "cmd/stackrecord/archivefolder.h"
#include "common/stack/model/profile.h"

struct archivestore {
    const struct archivefolder *folder;
    uint64_t keep;     /* bytes that all files may take */
    uint64_t keep_for; /* seconds of recorded time; 0: no limit */
    bool merges;       /* slices that are older than an hour */
    uint64_t unmerged; /* when the hour begins that could not be merged: it and those before it are
                        * not tried again */

    /* private from here */
    pid_t pid; /* of the process; 0: none runs */
    int fd;    /* of a pipe from it */
    bool written;
};

enum archivestore_state {
    STORE_FREE,     /* no process runs */
    STORE_WRITING,  /* the slice */
    STORE_MERGING,  /* the slice is written */
    STORE_FAILED,   /* the slice is lost: *error. No process runs */
    STORE_UNMERGED, /* the slice is written, an hour could not be merged: *error. The same */
};

/* Start to write the profile's stacks as the slice that begins at that second. Nothing may be being
 * written. Return false, with errno set, if no process can be started. */
bool archivestore_start(struct archivestore *s, uint64_t begin, struct profile *p);

/* Return what the process does now, and how it ended. While it writes, wait for up to `ms`
 * milliseconds; below 0: without limit. What has failed is returned once, with *error an errno. */
enum archivestore_state archivestore_look(struct archivestore *s, int ms, int *error);

/* End the merging of hours, which is begun again after the next slice. */
void archivestore_stop_merging(struct archivestore *s);

#endif
