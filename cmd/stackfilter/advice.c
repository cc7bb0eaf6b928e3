#include "cmd/stackfilter/advice.h"

#include "common/base/num.h"

unsigned
advice_add(struct advice *a, const struct decisions *d, const uint32_t *stack, size_t n,
           struct span comm)
{
    unsigned traits = 0;
    for (size_t i = 0; i < n; i++)
        traits |= d->list[stack[i]].traits;
    a->traits |= traits;
    if (traits & TRAIT_NODE ||
        runtime_of_comm(comm) ==
            RUNTIME_NODE) { /* chromium and others that have V8 have other options */
        a->samples++;
        a->interpreted += (traits & TRAIT_INTERPRETER) != 0;
    }
    return traits;
}

void
advice_report(const struct advice *a, bool has_interpreted, struct diag *diag)
{
    char part[NUM_COMMAS], whole[NUM_COMMAS];
    /* With the option, too, functions of node's start-up snapshot run without a name of their own:
     * what shows that it was not given is that no interpreted function has one. */
    if (a->samples < ADVICE_LEAST || has_interpreted || a->interpreted <= a->samples / 100)
        return;
    struct span some = num_commas(part, a->interpreted), all = num_commas(whole, a->samples);
    diag_note(diag,
              "interpreted functions have no name in %.*s of %.*s stacks of node: start node with "
              "--interpreted-frames-native-stack, unless you did",
              SPAN_ARG(some), SPAN_ARG(all));
}
