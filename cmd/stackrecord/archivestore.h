/* Writes the files of an archive in a fork of the recorder, which continues to record: a slice,
 * then the files of the hours that can be merged. Each file is written under a temporary name and
 * renamed when it is complete and on the disk, so that it exists completely or not at all, even if
 * a process is killed. */
#ifndef STACKRECORD_ARCHIVESTORE_H
#define STACKRECORD_ARCHIVESTORE_H

#include <sys/types.h>

#include "cmd/stackrecord/archivefolder.h"
#include "common/stack/model/profile.h"

struct archivestore {
    const struct archivefolder *folder;
    uint64_t keep;     /* maximum bytes of all files */
    uint64_t keep_for; /* maximum seconds of recorded time; 0: no limit */
    uint32_t tick;     /* of the stacks' times: milliseconds */
    bool merges;       /* merge the slices of hours that are over */
    uint64_t unmerged; /* start of the last hour that could not be merged: do not try it, or earlier
                        * hours, again */

    /* private from here */
    pid_t pid; /* the writing process; 0: none runs */
    int fd;    /* of a pipe from it */
    bool written;
};

enum archivestore_state {
    STORE_FREE,     /* no process runs */
    STORE_WRITING,  /* the slice is being written */
    STORE_MERGING,  /* the slice is written, and hours are being merged */
    STORE_FAILED,   /* the slice is lost, see *error; no process runs */
    STORE_UNMERGED, /* the slice is written, but an hour not merged, see *error; no process runs */
};

/* Start to write the profile's stacks as the slice that begins at the second `begin`. No process
 * may be running. Return false, with errno set, if none can be started. */
bool archivestore_start(struct archivestore *s, uint64_t begin, struct profile *p);

/* Return the state of the process. While it writes the slice, wait for up to `ms` milliseconds, or
 * without limit if that is below 0. A failure is returned once, with *error set to an errno. */
enum archivestore_state archivestore_look(struct archivestore *s, int ms, int *error);

/* Stop merging hours. Merging begins again after the next slice. */
void archivestore_stop_merging(struct archivestore *s);

#endif
