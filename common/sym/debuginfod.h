/* Debug files by build-id, from the servers of $DEBUGINFOD_URLS and the cache of debuginfod's
 * client: debuginfod(8), debuginfod-find(1). */
#ifndef SYM_DEBUGINFOD_H
#define SYM_DEBUGINFOD_H

#include "common/base/diag.h"
#include "common/base/text.h"

/* Return the cache folder, which may not exist; "" if there is no home folder. */
const char *debuginfod_cache_dir(void);

/* A process that runs debuginfod-find on request. It is started before the program is confined
 * (confine.h), and accepts nothing but build-ids. */
struct debuginfod {
    /* private */
    int to, from;
    struct text path;
};

/* Start the process if `wanted`; call this once. The process ends with this program. Return NULL if
 * it is not wanted, or, after a message, if debuginfod-find cannot be run. */
struct debuginfod *debuginfod_start(bool wanted, struct diag *diag);

/* Wait until the debug file with this build-id, in hexadecimal, is in the cache. Return its path,
 * valid until the next call; NULL if no server has the file. */
const char *debuginfod_find(struct debuginfod *d, const char *build_id);

#endif
