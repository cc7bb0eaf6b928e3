#include "cmd/stackfilter/advice.h"

#include "common/base/num.h"

/* With fewer samples a share says little. */
enum { SAMPLES_LEAST = 50 };

/* Return true if the part is more than a hundredth: a good recording lacks some names too. */
static bool
is_share(uint64_t part, uint64_t whole)
{
    return part > whole / 100;
}

static bool
is_node_comm(struct span comm)
{
    return span_eq(comm, SPAN("node")) || span_eq(comm, SPAN("nodejs"));
}

void
advice_add(struct advice *a, const struct decisions *d, const uint32_t *stack, size_t n,
           struct span comm)
{
    unsigned traits = 0;
    for (size_t i = 0; i < n; i++)
        traits |= d->list[stack[i]].traits;
    a->traits |= traits;
    if (!(traits & TRAIT_NODE) && !is_node_comm(comm))
        return; /* java, chromium and others that compile at run time have other options */
    a->samples++;
    a->frames += n;
    a->interpreted += (traits & TRAIT_INTERPRETER) != 0;
    for (size_t i = 0; i < n && traits & TRAIT_NAMELESS_JIT; i++)
        a->nameless += (d->list[stack[i]].traits & TRAIT_NAMELESS_JIT) != 0;
}

/* Print the note "BEFORE12,345 of 90,000AFTER". */
static void
note_share(struct diag *diag, const char *before, uint64_t part, uint64_t whole, const char *after)
{
    char part_text[NUM_COMMAS], whole_text[NUM_COMMAS];
    struct span some = num_commas(part_text, part), all = num_commas(whole_text, whole);
    diag_note(diag, "%s%.*s of %.*s%s", before, SPAN_ARG(some), SPAN_ARG(all), after);
}

void
advice_report(const struct advice *a, bool has_js, bool has_interpreted, struct diag *diag)
{
    if (a->samples < SAMPLES_LEAST)
        return;
    if (is_share(a->nameless, a->frames))
        note_share(diag, "", a->nameless, a->frames,
                   has_js ? " frames of node are JIT-compiled code without a name and were "
                            "dropped: was its perf map copied before the recording ended?"
                          : " frames of node are JIT-compiled code without a name and were "
                            "dropped: start node with --perf-basic-prof, and print the recording "
                            "while its perf map is there");
    /* With the option, too, functions of node's start-up snapshot run without a name of their own:
     * what shows that it was not given is that no interpreted function has one. */
    if (!has_interpreted && is_share(a->interpreted, a->samples))
        note_share(
            diag, "interpreted functions have no name in ", a->interpreted, a->samples,
            " stacks of node: start node with --interpreted-frames-native-stack, unless you did");
}
