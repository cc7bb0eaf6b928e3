/* Messages on standard error: "program: file:line: what is wrong". */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include "common/base/span.h"

enum { DIAG_KINDS = 32, DIAG_SHOWN = 3 };

struct diag {
    const char *program;
    bool quiet; /* warnings are counted, not printed */
    int status; /* what main returns: 0, or 1 after an error */
    size_t nkinds;
    struct diag_kind {
        const char *name;
        size_t count;
    } kinds[DIAG_KINDS];
};

/* A place in the input, for messages. file NULL: none; line 0: the file as a whole. */
struct place {
    const char *file;
    size_t line;
};

#define NOWHERE ((struct place){NULL, 0})

/* Start; the program's name, which starts each message, is borrowed. */
void diag_init(struct diag *d, const char *program);

/* Print an error, quiet or not, and set the status to 1. In all messages control characters and
 * bytes that are not valid UTF-8 are shown as "?" (utf8_mask). */
void diag_error(struct diag *d, struct place at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Print a warning; the status does not change. `kind` is a string literal in the plural: of one
 * kind only the first DIAG_SHOWN are printed, and diag_finish prints "12 attributes left out in
 * all". A warning of kind NULL is always printed. A program has DIAG_KINDS kinds at most:
 * warnings of further ones are dropped. */
void diag_warn(struct diag *d, const char *kind, struct place at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Print a note unless quiet; the status does not change. */
void diag_note(struct diag *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Print the number of warnings of each kind that was not printed each time. Call it once, at the
 * end. */
void diag_finish(struct diag *d);

#endif
