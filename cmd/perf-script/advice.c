#include "cmd/perf-script/advice.h"

#include "common/stack/frameplace.h"

/* A hundredth is what any recording has of stray frames, since some library always lacks something;
 * from a tenth on a picture misleads. */
static bool
is_share(uint64_t part, uint64_t whole, uint64_t divisor)
{
    return part > 0 && part >= whole / divisor;
}

static bool
no_callchains(const struct check *c)
{
    return c->samples > 0 && c->chains == 0;
}

static bool
no_jit_names(const struct check *c)
{
    return is_share(c->nameless_jit, c->frames, 100);
}

static bool
no_frame_pointers(const struct check *c)
{
    return is_share(c->single, c->chains, 10);
}

static bool
cut_stacks(const struct check *c)
{
    return c->cut > 0;
}

static bool
cut_names(const struct check *c)
{
    return c->cut_names > 0;
}

static bool
lost(const struct check *c)
{
    return c->lost_records > 0;
}

static bool
mixed_events(const struct check *c)
{
    return c->events.names.count > 1;
}

static bool
no_times(const struct check *c)
{
    return c->no_time > 0;
}

static struct span
first_event(const struct check *c)
{
    return intern_text(&c->events.names, 0);
}

/* The DSO is a file, and so can have symbols. */
static bool
is_file(struct span dso)
{
    struct frame f = {.dso = dso};
    return dso.len > 0 && dso.ptr[0] == '/' && !frame_is_anonymous(&f);
}

/* The DSO with the most nameless frames among those that are files: where symbols are missing.
 * Empty where none has many. */
static struct span
worst_dso(const struct check *c)
{
    struct span worst = {"", 0};
    uint64_t most = 0;
    for (uint32_t i = 0; i < c->dsos.names.count; i++) {
        struct span dso = intern_text(&c->dsos.names, i);
        if (is_file(dso) && c->dsos.rows[i].sum > most) {
            most = c->dsos.rows[i].sum;
            worst = dso;
        }
    }
    return is_share(most, c->frames, 100) ? worst : SPAN("");
}

static bool
no_symbols(const struct check *c)
{
    return worst_dso(c).len > 0;
}

static const struct rule {
    bool (*applies)(const struct check *c);
    const char *before;
    struct span (*name)(const struct check *c);
    const char *after;
} rules[] = {
    {no_callchains, "no callchains: record with -g", NULL, ""},
    {no_jit_names, "JIT frames without names: start node with --perf-basic-prof", NULL, ""},
    {no_frame_pointers,
     "stacks that end after one user frame: frame pointers are missing, build with "
     "-fno-omit-frame-pointer or record with --call-graph dwarf",
     NULL, ""},
    {no_symbols, "frames without names in ", worst_dso, ": install its debug symbols"},
    {cut_stacks,
     "stacks cut at 127 frames: raise kernel.perf_event_max_stack (sysctl) before recording", NULL,
     ""},
    {cut_names,
     "names cut where a buffer of 512 or 4096 bytes was full: different functions may "
     "share a name",
     NULL, ""},
    {lost, "lost events: record with a lower -F, or with larger buffers (-m)", NULL, ""},
    {mixed_events, "several events: stackcollapse takes the first one, ", first_event,
     ", unless told by --event-filter"},
    {no_times, "no times: --time and --range cannot select, print them with perf script -F +time",
     NULL, ""},
};

bool
advice_next(const struct check *c, size_t *at, struct advice *a)
{
    while (*at < sizeof rules / sizeof *rules) {
        const struct rule *r = &rules[(*at)++];
        if (!r->applies(c))
            continue;
        *a = (struct advice){span_cstr(r->before), r->name != NULL ? r->name(c) : SPAN(""),
                             span_cstr(r->after)};
        return true;
    }
    return false;
}
