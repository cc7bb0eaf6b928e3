/* How each frame reads in each process: canonical, and code made at run time under the name that a
 * perf map has for it. The text of a frame is made once for a process that has a map, and once for
 * all others. */
#ifndef PERF_SCRIPT_NAMING_H
#define PERF_SCRIPT_NAMING_H

#include "common/base/diag.h"
#include "common/base/text.h"
#include "common/stack/perftext.h"
#include "common/sym/perfmap.h"

/* A process: its map, and by frame number the number of the frame's text. */
struct process {
    const char *path; /* NULL: it has no map */
    struct perfmap map;
    uint32_t *lines;
    size_t cap;
};

struct naming {
    struct diag *diag;
    const char *dir;     /* where maps of further processes are looked for; NULL: nowhere */
    struct intern pids;  /* as they are printed */
    struct process **of; /* by a pid's number */
    size_t of_cap;
    struct process plain; /* all that have no map */
    struct intern texts;
    uint32_t *lines; /* of the sample at hand */
    size_t lines_cap;
    struct arena arena; /* processes and paths */
    struct text scratch;
    uint64_t lone_tids; /* samples that print no pid, where one was needed */
    uint64_t nameless;  /* JIT frames without a name, each counted once in a process */
    uint64_t named;     /* of them, by a map */
};

/* Borrows the diag. */
void naming_init(struct naming *n, struct diag *diag);

/* Sets the directory, whose name is borrowed. One that cannot be opened is an error, and then there
 * is none. */
void naming_set_dir(struct naming *n, const char *dir);

/* Loads the map of a process; the pid and the path are borrowed. A file that cannot be read is an
 * error. A later map for the same pid takes the place of the earlier. */
void naming_add_map(struct naming *n, struct span pid, const char *path);

/* The process of a sample. */
struct process *naming_process(struct naming *n, const struct perf_header *h);

/* The numbers of the sample's frames' texts in that process, leaf first; naming_text gives the
 * texts. Good until the next call. */
const uint32_t *naming_lines(struct naming *n, struct process *p, const struct perftext *t,
                             const struct perf_sample *s);

static inline struct span
naming_text(const struct naming *n, uint32_t line)
{
    return intern_text(&n->texts, line);
}

#endif
