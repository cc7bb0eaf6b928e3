#include "common/machine/refusal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/base/num.h"
#include "common/machine/perfopen.h"
#include "common/machine/procfs.h"

/* The conditions of reasons. */
enum when {
    ALWAYS,
    EVERY,     /* counters of every task */
    CGROUP,    /* counters of a cgroup */
    COMMAND,   /* the command, before it is executed */
    OWN,       /* a task of the user */
    FORBIDDEN, /* a seccomp filter or a security module forbids the system call */
    TRACEPOINT,
    KERNEL,    /* the kernel's own code, if the setting forbids it */
    PARANOID_3 /* the setting is above 2, as added by some distributions: nothing is permitted */
};

/* The first reason that applies is printed. In its text, %e is the event's name, %t the task, %p
 * the setting kernel.perf_event_paranoid, %l the limit of open files, %s the system's error
 * message, %v the verb. */
static const struct reason {
    enum refused what;
    int error, or_error; /* 0: any */
    enum when when;
    const char *text;
} reasons[] = {
    {REFUSED_COUNTER, EPERM, 0, FORBIDDEN,
     "the system call perf_event_open is forbidden: in a container, by its seccomp profile; start "
     "the container with the capability CAP_PERFMON (docker run --cap-add PERFMON), or %v from "
     "outside"},
    {REFUSED_COUNTER, EACCES, 0, PARANOID_3,
     "only root may %v here: kernel.perf_event_paranoid is %p; as root, "
     "'sysctl kernel.perf_event_paranoid=2' permits to %v one's own processes"},
    {REFUSED_COUNTER, EACCES, 0, CGROUP,
     "%ving a cgroup needs root, or CAP_PERFMON, or kernel.perf_event_paranoid at 0, and it is "
     "%p: as root, 'sysctl kernel.perf_event_paranoid=0' permits it"},
    {REFUSED_COUNTER, EACCES, 0, EVERY,
     "%ving all processes (-a, -C) needs root, or CAP_PERFMON, or kernel.perf_event_paranoid "
     "at 0, and it is %p: as root, 'sysctl kernel.perf_event_paranoid=0' permits it; without, "
     "%v your own processes with -p"},
    {REFUSED_COUNTER, EACCES, EPERM, TRACEPOINT,
     "%ving %e needs root, or CAP_PERFMON, or kernel.perf_event_paranoid at -1, and it is %p: "
     "as root, 'sysctl kernel.perf_event_paranoid=-1' permits it"},
    {REFUSED_COUNTER, EACCES, 0, KERNEL,
     "%ving the kernel's code (--kernel) needs root, or CAP_PERFMON, or "
     "kernel.perf_event_paranoid at 1, and it is %p: as root, 'sysctl "
     "kernel.perf_event_paranoid=1' "
     "permits it"},
    /* ptrace(2), "Ptrace access mode checking": even for the same user, only dumpable processes may
     * be examined; see prctl(2), PR_SET_DUMPABLE. */
    {REFUSED_COUNTER, EACCES, 0, COMMAND,
     "the command may not be %ved: the kernel protects what this program starts, since its "
     "file "
     "is set-user-ID, has capabilities, or may not be read by you; correct that, or %v as "
     "root"},
    {REFUSED_COUNTER, EACCES, 0, OWN,
     "process %t may not be %ved, though it is yours: it has gained rights by its program "
     "(set-user-ID, capabilities), its program's file may not be read by you, or it has forbidden "
     "it (PR_SET_DUMPABLE, as agents that keep secrets do); %v as root, or with CAP_PERFMON "
     "and "
     "CAP_SYS_PTRACE"},
    {REFUSED_COUNTER, EACCES, 0, ALWAYS,
     "process %t may not be %ved: it is another user's; "
     "%v as its user, as root, or with CAP_PERFMON and CAP_SYS_PTRACE"},
    {REFUSED_COUNTER, EPERM, 0, ALWAYS,
     "%e may not be %ved: it needs root, or the capability CAP_PERFMON"},
    {REFUSED_COUNTER, ENOSYS, 0, ALWAYS,
     "this kernel cannot sample: it has no perf_event_open (CONFIG_PERF_EVENTS, or a sandbox such "
     "as gVisor)"},
    {REFUSED_COUNTER, ESRCH, 0, ALWAYS, "there is no process %t: has it ended?"},
    {REFUSED_COUNTER, EMFILE, 0, ALWAYS,
     "too many threads for %l open files: each needs one for each CPU and event; raise "
     "the limit (as root 'ulimit -Hn 1000000; ulimit -n 1000000'), or %v fewer CPUs (-C)"},
    {REFUSED_COUNTER, ENFILE, 0, ALWAYS,
     "the machine has no open files left: as root, raise fs.file-max with sysctl"},
    {REFUSED_COUNTER, EBUSY, 0, ALWAYS,
     "%e: another program uses the hardware counters; use the event cpu-clock"},
    {REFUSED_COUNTER, ENOENT, ENODEV, ALWAYS,
     "%e: this machine has no such counter, as many virtual machines; use the event cpu-clock, or "
     "one that --list shows"},
    {REFUSED_COUNTER, EOPNOTSUPP, 0, ALWAYS,
     "%e: this machine's counters cannot do that: use the event cpu-clock, or leave out its "
     "modifiers"},
    /* perf_event_validate_size() in the kernel's events/core.c. */
    {REFUSED_COUNTER, E2BIG, 0, ALWAYS,
     "%e: its group is too large: the kernel reads at most 16 KiB at once; make several groups"},
    {REFUSED_COUNTER, EINVAL, EBADF, CGROUP,
     "that is not the directory of a cgroup that can be %ved: is it below /sys/fs/cgroup, and "
     "not a thread's?"},
    {REFUSED_COUNTER, EINVAL, 0, ALWAYS,
     "%e: the kernel takes the event's settings for invalid: is it one that --list shows?"},
    {REFUSED_FILTER, EINVAL, 0, ALWAYS,
     "%e: the kernel does not understand the filter: it compares fields of the event with numbers "
     "or texts, as in 'len > 100 && name == \"a\"'"},
    {REFUSED_RING, EPERM, 0, ALWAYS,
     "no memory may be locked for the kernel's ring buffers: as root, raise "
     "kernel.perf_event_mlock_kb with sysctl, or the limit of locked memory ('ulimit -l')"},
    {REFUSED_RING, ENOMEM, 0, ALWAYS,
     "there is no memory for the kernel's ring buffers: give them less with --memory"},
    {REFUSED_COUNTER, 0, 0, ALWAYS, "%e cannot be %ved: %s"},
    {REFUSED_FILTER, 0, 0, ALWAYS, "%e: the kernel does not accept the filter: %s"},
    {REFUSED_LIST, 0, 0, ALWAYS, "the threads of process %t cannot be listed: %s"},
    {REFUSED_RING, 0, 0, ALWAYS, "the kernel's ring buffer cannot be mapped: %s"},
};

struct refusal_facts
refusal_facts(void)
{
    const struct event clock = {.type = PERF_TYPE_SOFTWARE}; /* cpu-clock has the number 0 */
    struct refusal_facts facts = {.paranoid = procfs_setting("kernel/perf_event_paranoid", 2),
                                  .forbidden = perfopen_try_own(&clock) == EPERM};
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
        facts.limit = (unsigned long)limit.rlim_cur;
    return facts;
}

static bool
applies(enum when when, const struct refusal *r, const struct refusal_facts *facts)
{
    switch (when) {
    case EVERY:
        return r->task == EVERY_TASK;
    case CGROUP:
        return facts->cgroup;
    case COMMAND:
        return facts->command;
    case OWN:
        return facts->own;
    case FORBIDDEN:
        return facts->forbidden;
    case TRACEPOINT:
        return r->event != NULL && r->event->type == PERF_TYPE_TRACEPOINT;
    case KERNEL:
        return facts->paranoid > 1 && !event_flag(r->event, FLAG_EXCLUDE_KERNEL);
    case PARANOID_3:
        return facts->paranoid > 2;
    default:
        return true;
    }
}

static bool
has_error(const struct reason *reason, int error)
{
    return reason->error == 0 || reason->error == error || reason->or_error == error;
}

static void
expand(char what, const struct refusal *r, const struct refusal_facts *facts, struct text *out)
{
    char number[32], commas[NUM_COMMAS];
    snprintf(number, sizeof number, "%ld", what == 't' ? (long)r->task : facts->paranoid);
    text_add(out, what == 'e'   ? r->event->name
                  : what == 's' ? span_cstr(strerror(r->error))
                  : what == 'v' ? span_cstr(facts->verb)
                  : what == 'l' ? num_commas(commas, facts->limit)
                                : span_cstr(number));
}

void
refusal_text(const struct refusal *r, const struct refusal_facts *facts, struct text *out)
{
    const struct reason *reason = reasons;
    while (reason->what != r->what || !has_error(reason, r->error) ||
           !applies(reason->when, r, facts))
        reason++; /* the last four apply to any error */
    for (const char *p = reason->text; *p != '\0'; p++) {
        if (*p == '%')
            expand(*++p, r, facts, out);
        else
            text_add(out, span_of(p, 1));
    }
}

bool
refusal_report(const struct refusal *r, const struct target *t, const char *verb, struct diag *diag)
{
    struct refusal_facts facts = refusal_facts();
    struct text text = {0};
    facts.verb = verb;
    facts.cgroup = t->kind == TARGET_CGROUP;
    facts.command = t->kind == TARGET_COMMAND;
    facts.own = r->task > 0 && procfs_status(r->task, SPAN("Uid")) == (int32_t)getuid();
    refusal_text(r, &facts, &text);
    diag_error(diag, NOWHERE, "%.*s", SPAN_ARG(text_span(&text)));
    free(text.ptr);
    return false;
}
