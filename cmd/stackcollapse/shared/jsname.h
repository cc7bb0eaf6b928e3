/* Names of JavaScript functions, as V8 writes them into a perf map. */
#ifndef STACKCOLLAPSE_JSNAME_H
#define STACKCOLLAPSE_JSNAME_H

#include "cmd/stackcollapse/shared/jsonfile.h"

/* A function as the DevTools protocol describes it (CallFrame). */
struct jsname {
    struct text function;  /* empty: anonymous */
    struct text url;       /* of its file; empty: the function is no JavaScript */
    uint64_t line, column; /* UINT64_MAX: unknown */
    uint64_t first;        /* the number of a file's first line, and of a line's first column */
};

/* The members of a CallFrame, to be read into a struct jsname. */
extern const struct jsonfield jsname_fields[];

/* Forget the function read last. */
void jsname_clear(struct jsname *n);

/* Write the name of a function to `name`, from its start: "JS:get total /srv/app.js:22:14", "JS:
 * node:internal/main/run_main_module:1:1", "(garbage collector)". V8's perf map counts lines and
 * columns from 1, and has the path of a file on disk in place of its URL. The tier of the code is
 * not known, so there is none in the name. */
void jsname_write(const struct jsname *n, struct text *name);

/* The same of the members of a struct jsname. */
void jsname_compose(struct text *name, struct span function, struct span url, uint64_t line,
                    uint64_t column, uint64_t first);

#endif
