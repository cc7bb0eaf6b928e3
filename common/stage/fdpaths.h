/* What the descriptors of processes stand for at this point of the recording, as the OWN_DESCRIPTOR
 * records say (ownrecord.h). If this takes more than FDPATHS_MAX bytes, all are forgotten; each
 * is known again from its next record on. */
#ifndef STAGE_FDPATHS_H
#define STAGE_FDPATHS_H

#include "common/base/intern.h"
#include "common/base/vec.h"

enum { FDPATHS_MAX = 4 << 20 };

/* {0} is empty. */
struct fdpaths {
    /* private */
    struct intern keys;    /* a process and a descriptor; the process alone has the descriptor -1 */
    VEC(struct fdpath) of; /* by number of the key */
    struct intern paths;
};

/* Set what a descriptor stands for; an empty path: this is unknown. */
void fdpaths_set(struct fdpaths *f, uint32_t pid, int32_t fd, struct span path);

/* Note that a descriptor is closed. fdpaths_find() then finds its path only with `closed`, until it
 * is closed once more, or set. */
void fdpaths_close(struct fdpaths *f, uint32_t pid, int32_t fd);

/* Forget all descriptors of a process. */
void fdpaths_forget(struct fdpaths *f, uint32_t pid);

/* Return what a descriptor stands for or, with `closed`, stood for until it was closed. Return an
 * empty span if that is unknown. Valid until the next call of another function. */
struct span fdpaths_find(const struct fdpaths *f, uint32_t pid, int32_t fd, bool closed);

/* Forget everything, and free its memory. */
void fdpaths_free(struct fdpaths *f);

#endif
