#include "common/machine/readopt.h"

#include <stdlib.h>

#include "common/base/diag.h"

void
readopt_numbers(struct numbers *n, const struct opt_reader *r, bool ranges)
{
    if (!numbers_parse(n, span_cstr(r->value), ranges))
        opt_usage(r->program, "option --%s: '%s' is not a list of numbers%s", r->name, r->value,
                  r->value[0] == '\0' ? ": does the process run?" : "");
}

void
readopt_events(struct events *e, const struct opt_reader *r)
{
    const char *problem = events_parse(e, span_cstr(r->value));
    if (problem != NULL && e->refused) {
        struct diag diag;
        diag_init(&diag, r->program->name);
        diag_error(&diag, NOWHERE, "%s", problem);
        exit(diag.status);
    }
    if (problem != NULL)
        opt_usage(r->program, "option --%s: %s", r->name, problem);
}

char **
readopt_command(const struct opt_reader *r)
{
    if (r->noperands == 0)
        return NULL;
    if (!r->ended)
        opt_usage(r->program, "'%s': a command stands after '--'", r->argv[0]);
    r->argv[r->noperands] = NULL; /* the operands were moved to the front */
    return r->argv;
}
