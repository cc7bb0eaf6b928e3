#include "common/stage/derived.h"

#include "common/base/num.h"

struct recordsink *
derived_init(struct derived *d, const struct derive_options *o, const struct session *session,
             struct recordsink *next, const char **problem)
{
    *d = (struct derived){.options = *o};
    *problem = NULL;
    if (o->wall) {
        wall_init(&d->wall, session, next, o->min_block, o->turns);
        return &d->wall.sink;
    }
    if (o->syscalls) {
        *problem = syscalls_init(&d->syscalls, session, next, o->calls);
        return &d->syscalls.sink;
    }
    if (!o->off_cpu)
        return next;
    *problem = offcpu_init(&d->offcpu, session, next, o->min_block);
    return &d->offcpu.sink;
}

const struct session *
derived_session(const struct derived *d, const struct session *session)
{
    return d->options.wall       ? &d->wall.session
           : d->options.off_cpu  ? &d->offcpu.session
           : d->options.syscalls ? &d->syscalls.session
                                 : session;
}

bool
derived_takes(const struct derived *d, const struct record *r)
{
    return r->type != PERF_RECORD_SAMPLE ||
           ((!d->options.off_cpu || offcpu_takes(&d->offcpu, r)) &&
            (!d->options.syscalls || syscalls_takes(&d->syscalls, r)));
}

bool
derived_is_refused(const struct derived *d)
{
    return d->options.wall      ? d->wall.refused
           : d->options.off_cpu ? d->offcpu.refused
                                : d->options.syscalls && d->syscalls.refused;
}

uint64_t
derived_too_short(const struct derived *d)
{
    return d->options.wall ? d->wall.too_short : d->offcpu.too_short;
}

uint64_t
derived_cut_turns(const struct derived *d)
{
    return d->options.wall ? d->wall.cut_turns : 0;
}

uint64_t
derived_endless(const struct derived *d)
{
    return d->offcpu.endless;
}

uint64_t
derived_unknown_calls(const struct derived *d)
{
    return d->syscalls.unknown;
}

uint64_t
derived_unended_calls(const struct derived *d)
{
    return d->syscalls.unended;
}

void
derived_explain_calls(uint64_t unknown, uint64_t unended, struct diag *diag)
{
    if (unknown > 0)
        diag_note(diag,
                  "system calls that are left out, since their beginning was not recorded, or "
                  "records were lost in them: %s",
                  NUM_TEXT(unknown));
    if (unended > 0)
        diag_note(diag,
                  "system calls that are left out, since the recording or their thread ended in "
                  "them: %s",
                  NUM_TEXT(unended));
}

bool
derived_lacks_turns(const struct derived *d)
{
    return d->options.wall && d->options.turns > 0 && !d->wall.has_boundaries;
}

void
derived_free(struct derived *d)
{
    if (d->options.wall)
        wall_free(&d->wall);
    else if (d->options.off_cpu)
        offcpu_free(&d->offcpu);
    else if (d->options.syscalls)
        syscalls_free(&d->syscalls);
}
