/* Composes names of JavaScript functions as V8 writes them to a perf map. */
#ifndef STACKCOLLAPSE_JSNAME_H
#define STACKCOLLAPSE_JSNAME_H

#include "cmd/stackcollapse/shared/jsonfile.h"

/* A function as the DevTools protocol describes it (CallFrame). */
struct jsname {
    struct text function;  /* empty: anonymous */
    struct text url;       /* URL of its file; empty: not JavaScript */
    uint64_t line, column; /* UINT64_MAX: unknown */
    uint64_t first;        /* number of the first line and of the first column: 0 or 1 */
};

/* Fields to read the members of a CallFrame into a struct jsname. */
extern const struct jsonfield jsname_fields[];

/* Forget the function read last. */
void jsname_clear(struct jsname *n);

/* Set `name` to the name of a function: "JS:get total /srv/app.js:22:14", "JS:
 * node:internal/main/run_main_module:1:1", "(garbage collector)". As in V8's perf map, lines and
 * columns count from 1, and a file on disk is shown by its path, not its URL. The name has no tier,
 * since the tier of the code is unknown. */
void jsname_write(const struct jsname *n, struct text *name);

/* As jsname_write, from the values of the members of a struct jsname. */
void jsname_compose(struct text *name, struct span function, struct span url, uint64_t line,
                    uint64_t column, uint64_t first);

#endif
