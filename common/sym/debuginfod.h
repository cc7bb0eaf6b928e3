/* Debug files by build-id from the servers of $DEBUGINFOD_URLS, and the cache where debuginfod's
 * client keeps them: debuginfod(8), debuginfod-find(1). */
#ifndef SYM_DEBUGINFOD_H
#define SYM_DEBUGINFOD_H

#include "common/base/diag.h"
#include "common/base/text.h"

/* Return the folder of the cache, which may not exist; "" where there is no home folder. */
const char *debuginfod_cache_dir(void);

/* A process that runs debuginfod-find when it is asked to. It is started before a program is
 * confined (confine.h), and takes nothing but build-ids. */
struct debuginfod {
    /* private */
    int to, from;
    struct text path;
};

/* Start the process, once, where it is wanted; it ends with this program. Return it, or NULL: it is
 * not wanted, or, after a message, debuginfod-find cannot be run. */
struct debuginfod *debuginfod_start(bool wanted, struct diag *diag);

/* Wait until the debug file of a build-id, in hexadecimal, is in the cache. Return its path, valid
 * until the next call; NULL: no server has it. */
const char *debuginfod_find(struct debuginfod *d, const char *build_id);

#endif
