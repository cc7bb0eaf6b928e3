/* The scripts of a process: their names and line ends.
 *
 * A script is found by its address, which another script may have later. Its Script.id is
 * unique. */
#ifndef V8_SCRIPT_H
#define V8_SCRIPT_H

#include "common/base/intern.h"
#include "common/v8/lineends.h"

struct script {
    uint64_t word, id, name, source; /* tagged; id is a Smi */
    struct span url;                 /* its name, or empty */
    int32_t line, column;            /* position in its file, from 0 on */
    uint64_t alive; /* last time that one of its functions is known to have run; set by the owner */
};

/* {0} is an empty table. */
struct scripts {
    VEC(struct script) of; /* by number */

    /* private */
    struct addresses places;  /* addresses of scripts, by number */
    struct addresses sources; /* addresses of sources, by number */
    VEC(struct script_source) source;
    struct intern urls;
    struct text text;
    size_t ends; /* bytes of all line ends */
};

/* Set *number to the number of the script at this place now. If another script has taken the place,
 * the number stays the same, but the script with that number has another id. */
enum v8status scripts_at(struct scripts *t, struct heap *h, uint64_t word, uint32_t *number);

/* Set *line and *column of an offset in the script, as V8 counts them, from 1 on. */
enum v8status scripts_position(struct scripts *t, struct heap *h, uint32_t number, uint32_t offset,
                               struct lineends_budget *budget, int32_t *line, int32_t *column);

/* Return the table's size in memory, in bytes. */
size_t scripts_size(const struct scripts *t);

/* Free the table; it is then empty, as {0}. */
void scripts_free(struct scripts *t);

#endif
