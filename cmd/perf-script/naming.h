/* Per-process symbolization from perf maps: JIT frames that perf printed without a name get the one
 * that the map of their process has for the address. */
#ifndef PERF_SCRIPT_NAMING_H
#define PERF_SCRIPT_NAMING_H

#include "common/base/diag.h"
#include "common/base/text.h"
#include "common/stack/frametab.h"
#include "common/stack/sample.h"
#include "common/sym/perfmap.h"
#include "common/sym/symbols.h"

/* A process: its map, and by frame number the number of the frame under its name there. */
struct process {
    const char *path; /* NULL: it has no map */
    struct perfmap map;
    struct symbols symbols;
    uint32_t *named; /* INTERN_NONE: not looked up yet */
    size_t cap;
};

struct naming {
    struct diag *diag;
    struct frametab *frames;
    const char *dir;     /* where maps of further processes are looked for; NULL: nowhere */
    struct intern pids;  /* as they are printed */
    struct process **of; /* by a pid's number */
    size_t of_cap;
    struct process plain; /* all that have no map */
    uint32_t *stack;      /* of the sample at hand */
    size_t stack_cap;
    struct arena arena; /* processes and paths */
    uint64_t lone_tids; /* samples that print no pid, where one was needed */
    uint64_t nameless;  /* JIT frames without a name, each counted once a process */
    uint64_t found;     /* of them, in a map */
};

/* Borrows both. */
void naming_init(struct naming *n, struct diag *diag, struct frametab *frames);

/* Sets the directory, whose name is borrowed. One that cannot be opened is an error, and then there
 * is none. */
void naming_set_dir(struct naming *n, const char *dir);

/* Loads the map of a process; the pid and the path are borrowed. A file that cannot be read is an
 * error. A later map for the same pid replaces the earlier. */
void naming_add_map(struct naming *n, struct span pid, const char *path);

/* Makes the sample's frames those that have their names, added to the frametab where needed. The
 * array is good until the next call. */
void naming_apply(struct naming *n, struct sample *s);

#endif
