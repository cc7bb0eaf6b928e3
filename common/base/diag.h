/* Messages on standard error: "program: file:line: what is wrong". */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include "common/base/span.h"

enum { DIAG_KINDS = 32, DIAG_SHOWN = 3 };

struct diag {
    const char *program;
    bool quiet; /* count warnings, but do not print them */
    int status; /* exit status for main: 0, or 1 after an error */
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

/* Initialize; the program's name, which starts each message, is borrowed. */
void diag_init(struct diag *d, const char *program);

/* Print an error, even if quiet, and set the status to 1. In all messages, control characters and
 * bytes that are not valid UTF-8 are printed as "?" (utf8_mask). */
void diag_error(struct diag *d, struct place at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Print a warning; the status does not change. `kind` is a string literal in the plural: only the
 * first DIAG_SHOWN warnings of a kind are printed, and diag_finish prints "12 attributes left out
 * in all". Warnings with kind NULL are always printed. A program has at most DIAG_KINDS kinds:
 * warnings of further kinds are dropped. */
void diag_warn(struct diag *d, const char *kind, struct place at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Print a note unless quiet; the status does not change. */
void diag_note(struct diag *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* For each kind of warning of which some were suppressed, print how many. Call this once, at the
 * end. */
void diag_finish(struct diag *d);

#endif
