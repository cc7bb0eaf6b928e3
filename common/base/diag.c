#include "common/base/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "common/base/num.h"
#include "common/base/pipe.h"
#include "common/base/utf8.h"

void
diag_init(struct diag *d, const char *program)
{
    *d = (struct diag){.program = program};
}

/* Print a message with a single write(2), so that the programs of a pipeline do not mix their
 * lines. */
static void
print(const struct diag *d, struct place at, const char *format, va_list args)
{
    char text[2048];
    int n = snprintf(text, sizeof text, "%s: ", d->program);
    size_t len = n > 0 && (size_t)n < sizeof text - 1 ? (size_t)n : 0;
    if (at.file != NULL) {
        if (at.file[0] == '\0')
            at.file = "''"; /* an empty operand, perhaps an empty variable of a shell */
        n = at.line > 0 ? snprintf(text + len, sizeof text - len, "%s:%zu: ", at.file, at.line)
                        : snprintf(text + len, sizeof text - len, "%s: ", at.file);
        if (n > 0 && (size_t)n < sizeof text - len - 1)
            len += (size_t)n;
    }
    n = vsnprintf(text + len, sizeof text - len, format, args);
    if (n > 0)
        len += (size_t)n < sizeof text - len - 1 ? (size_t)n : sizeof text - len - 2;
    utf8_mask(text, len);
    text[len] = '\n';
    /* If standard error cannot be written, that cannot be reported either. */
    (void)pipe_write(STDERR_FILENO, span_of(text, len + 1));
}

void
diag_error(struct diag *d, struct place at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print(d, at, format, args);
    va_end(args);
    d->status = 1;
}

static size_t
count_kind(struct diag *d, const char *kind)
{
    size_t i = 0;
    while (i < d->nkinds && strcmp(d->kinds[i].name, kind) != 0)
        i++;
    if (i == d->nkinds) {
        if (i == DIAG_KINDS)
            return DIAG_SHOWN + 1; /* the table is full: print no further ones of this kind */
        d->kinds[d->nkinds++] = (struct diag_kind){kind, 0};
    }
    return ++d->kinds[i].count;
}

void
diag_warn(struct diag *d, const char *kind, struct place at, const char *format, ...)
{
    if ((kind != NULL && count_kind(d, kind) > DIAG_SHOWN) || d->quiet)
        return;
    va_list args;
    va_start(args, format);
    print(d, at, format, args);
    va_end(args);
}

void
diag_note(struct diag *d, const char *format, ...)
{
    if (d->quiet)
        return;
    va_list args;
    va_start(args, format);
    print(d, NOWHERE, format, args);
    va_end(args);
}

void
diag_finish(struct diag *d)
{
    for (size_t i = 0; i < d->nkinds; i++) {
        if (d->kinds[i].count > DIAG_SHOWN)
            diag_note(d, "%s %s in all", NUM_TEXT(d->kinds[i].count), d->kinds[i].name);
    }
}
