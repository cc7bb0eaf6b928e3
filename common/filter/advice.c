#include "common/filter/advice.h"

#include "common/base/num.h"

/* Return the runtime of the interpreter that is nearest to the root. */
static enum runtime
interpreter_of(const struct decisions *d, const uint32_t *stack, size_t n)
{
    while (n > 0 && !(d->list[stack[n - 1]].traits & TRAIT_LOOP))
        n--;
    return n > 0 ? (enum runtime)d->list[stack[n - 1]].runtime : RUNTIME_UNKNOWN;
}

unsigned
advice_add(struct advice *a, const struct decisions *d, const uint32_t *stack, size_t n,
           struct span comm, uint64_t times)
{
    unsigned traits = 0;
    for (size_t i = 0; i < n; i++)
        traits |= d->list[stack[i]].traits;
    a->traits |= traits;
    a->all += times;
    if ((traits & (TRAIT_LOOP | TRAIT_NAMED)) == TRAIT_LOOP)
        a->hidden[interpreter_of(d, stack, n)] += times;
    if (traits & TRAIT_NODE ||
        runtime_of_comm(comm) ==
            RUNTIME_NODE) { /* chromium and others that have V8 have other options */
        a->samples += times;
        a->interpreted += traits & TRAIT_INTERPRETER ? times : 0;
    }
    return traits;
}

static void
report_node(const struct advice *a, struct diag *diag)
{
    char part[NUM_COMMAS], whole[NUM_COMMAS];
    diag_note(diag,
              "interpreted functions have no name in %.*s of %.*s stacks of node: stackrecord and "
              "flamepipe read it from the memory of a node that writes no perf map",
              SPAN_ARG(num_commas(part, a->interpreted)), SPAN_ARG(num_commas(whole, a->samples)));
}

/* Report each other interpreter that hides functions in more than a tenth of the stacks. */
static void
report_hidden(const struct advice *a, struct diag *diag)
{
    char part[NUM_COMMAS], whole[NUM_COMMAS];
    for (int i = 0; i < RUNTIMES; i++)
        if (a->all >= ADVICE_LEAST && a->hidden[i] > a->all / 10)
            diag_note(diag,
                      "%.*s of %.*s stacks are in the interpreter of %.*s, which hides the "
                      "functions that it runs: %s; %s",
                      SPAN_ARG(num_commas(part, a->hidden[i])), SPAN_ARG(num_commas(whole, a->all)),
                      SPAN_ARG(runtime_name((enum runtime)i)), runtime_remedy((enum runtime)i),
                      runtime_other_profiler((enum runtime)i));
}

void
advice_report(const struct advice *a, bool has_interpreted, struct diag *diag)
{
    /* Some functions, such as those of node's start-up snapshot, have no name even in a good
     * recording. A recording is bad if no interpreted function has a name. */
    if (a->samples >= ADVICE_LEAST && !has_interpreted && a->interpreted > a->samples / 100)
        report_node(a, diag);
    report_hidden(a, diag);
}
