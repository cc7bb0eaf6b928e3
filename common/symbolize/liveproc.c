#include "common/symbolize/liveproc.h"

#include <stdio.h>
#include <unistd.h>

#include "common/stack/dso.h"
#include "common/symbolize/procroot.h"

void
liveproc_identify(struct liveproc *p)
{
    char path[32], exe[4096];
    procroot_owners(p->pid, &p->owners);
    snprintf(path, sizeof path, "/proc/%d/comm", (int)p->pid);
    FILE *f = fopen(path, "re");
    if (f != NULL) {
        if (fgets(p->comm, sizeof p->comm, f) != NULL)
            p->comm[strcspn(p->comm, "\n")] = '\0';
        fclose(f);
    }
    snprintf(path, sizeof path, "/proc/%d/exe", (int)p->pid);
    ssize_t n = readlink(path, exe, sizeof exe);
    struct span name = dso_base(span_of(exe, n > 0 ? (size_t)n : 0));
    p->runtime = runtime_of_dso(name);
    if (p->runtime == RUNTIME_UNKNOWN)
        p->runtime = runtime_of_comm(name);
}

uint64_t
liveproc_age(const struct liveproc *p, uint64_t now)
{
    return now > p->since ? now - p->since : 0;
}

bool
liveproc_is_search_due(const struct liveproc *p, uint64_t now)
{
    uint64_t pause =
        liveproc_age(p, now) < 10 * LIVEPROC_SECOND ? LIVEPROC_SECOND / 4 : LIVEPROC_SECOND;
    if (p->given || p->searched == 0)
        return !p->given;
    return p->serial == 0 && now - p->searched >= pause;
}

bool
liveproc_lacks_map(const struct liveproc *p, bool later)
{
    bool unused = later && p->runtime != RUNTIME_UNKNOWN && !p->has_dump;
    return p->serial == 0 && !p->reported && !p->refused && (p->missing > 0 || unused);
}

void
liveproc_report(struct liveproc *p, struct diag *diag)
{
    const char *comm = p->comm[0] != '\0' ? p->comm : "it has ended";
    p->reported = true;
    if (p->found.problem != NULL)
        diag_warn(diag, "perf maps that are not read", (struct place){p->found.path, 0},
                  "%s; so the JIT-compiled code of process %d (%s) has no names", p->found.problem,
                  (int)p->pid, comm);
    else if (p->has_dump)
        diag_warn(diag, "processes without a perf map", NOWHERE,
                  "process %d (%s) writes a jitdump, which is not read while it grows: record to a "
                  "file (-o) and run perf-script on that, or %s",
                  (int)p->pid, comm, runtime_advice(p->runtime));
    else
        diag_warn(diag, "processes without a perf map", NOWHERE,
                  "process %d (%s) writes no perf map, so that its JIT-compiled code has no names: "
                  "%s",
                  (int)p->pid, comm, runtime_advice(p->runtime));
}

void
liveproc_report_given_up(struct liveproc *p, bool ends, struct diag *diag)
{
    static const char kind[] = "perf maps of which names are not known";
    bool given_up = p->map.given_up > 0 || p->map.too_long;
    if (p->given_up || !(given_up || (ends && p->map.behind)))
        return;
    p->given_up = true;
    if (p->map.too_long)
        diag_warn(diag, kind, NOWHERE,
                  "the perf map of process %d (%s) is larger than a gigabyte: its newest names are "
                  "not known",
                  (int)p->pid, p->comm);
    else if (given_up)
        diag_warn(diag, kind, NOWHERE,
                  "the perf map of process %d (%s) is larger than its share of --memory (%zu MB): "
                  "its newest names are not known",
                  (int)p->pid, p->comm, p->map.share->limit / 2 >> 20);
    else
        diag_warn(diag, kind, NOWHERE,
                  "the perf map of process %d (%s) was not read to its end: its newest names are "
                  "not known",
                  (int)p->pid, p->comm);
}
