/* What a program says on standard error: "program: file:line: what is wrong". */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include "common/base/span.h"

enum { DIAG_KINDS = 16, DIAG_SHOWN = 3 };

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

/* A place in the input. `file` NULL: no place; line 0: the file as a whole. */
struct place {
    const char *file;
    size_t line;
};

#define NOWHERE ((struct place){NULL, 0})

void diag_init(struct diag *d, const char *program);

/* Prints an error, quiet or not, and sets the status to 1. In all messages control characters and
 * bytes that are no UTF-8 are shown as "?" (utf8_mask). */
void diag_error(struct diag *d, struct place at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Prints a warning; the status stays. Of one kind (a string literal, in the plural: it is the
 * closing line's text, "12 attributes left out in all") the first DIAG_SHOWN are printed; those of
 * no kind, NULL, all are. */
void diag_warn(struct diag *d, const char *kind, struct place at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Prints a note that belongs to no kind, unless quiet; the status stays. */
void diag_note(struct diag *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Says of each kind that was cut short how many there were. To be called once, at the end. */
void diag_finish(struct diag *d);

#endif
