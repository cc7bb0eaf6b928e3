#include "cmd/flamesvg/nameless.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/base/text.h"
#include "common/stack/frames/runtime.h"

/* Even a good recording lacks some names: those of functions in node's start-up snapshot. */
static const double least = 0.05;

/* Return true if some name is of this kind. Most pictures have none: then their frames need not be
 * searched. */
static bool
has_nameless(const struct intern *names)
{
    enum runtime runtime;
    for (uint32_t i = 0; i < names->count; i++)
        if (runtime_is_nameless(intern_text(names, i), &runtime))
            return true;
    return false;
}

/* For each runtime, set sums[] to the count of stacks with nameless code. */
static void
sum_nameless(const struct frames *frames, double sums[static RUNTIMES])
{
    double ends[RUNTIMES] = {0};
    for (size_t i = 0; i < frames->count; i++) {
        const struct merged_frame *f = &frames->list[i];
        enum runtime runtime;
        if (!runtime_is_nameless(frames_name(frames, f), &runtime) || f->start < ends[runtime])
            continue; /* below a counted frame */
        sums[runtime] += f->end - f->start;
        ends[runtime] = f->end;
    }
}

void
nameless_note(struct options *o, const struct frames *frames, double total)
{
    double sums[RUNTIMES] = {0};
    enum runtime most = RUNTIME_UNKNOWN;
    char share[64];
    struct text note = {0};
    if (has_nameless(&frames->names))
        sum_nameless(frames, sums);
    for (int i = 0; i < RUNTIMES; i++)
        if (sums[i] > sums[most])
            most = (enum runtime)i;
    if (sums[most] <= total * least)
        return;
    bool samples = span_eq(o->countname, SPAN("samples"));
    snprintf(share, sizeof share, "%.0f %% %s ", 100 * sums[most] / total,
             samples ? "of samples are in" : "is in");
    struct span code = runtime_nameless(most);
    TEXT_SET(&note, o->subtitle, o->subtitle.len > 0 ? SPAN("; ") : SPAN(""), span_cstr(share),
             span_of(code.ptr + 1, code.len - 2), SPAN(": "), span_cstr(runtime_remedy(most)));
    o->subtitle = arena_copy(&o->arena, text_span(&note));
    free(note.ptr);
}
