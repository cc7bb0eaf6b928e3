#include "common/machine/procfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/base/helper.h"
#include "common/base/num.h"
#include "common/base/regular.h"
#include "common/stack/frames/dso.h"
#include "common/symbolize/procroot.h"

bool
procfs_read(struct text *text, const char *path)
{
    enum { STEP = 4096 };
    text->len = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t got;
    do {
        text->ptr = mem_grow(text->ptr, &text->cap, text->len + STEP, 1);
        got = read(fd, text->ptr + text->len, text->cap - text->len);
        text->len += got > 0 ? (size_t)got : 0;
    } while (got > 0 || (got < 0 && errno == EINTR));
    int error = errno;
    close(fd);
    errno = error;
    if (got < 0)
        text->len = 0;
    return got == 0;
}

bool
procfs_read_of(struct text *text, int32_t pid, const char *file)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, file);
    return procfs_read(text, path);
}

bool
procfs_ask(struct text *text, int32_t pid, const char *file)
{
    char path[64];
    struct regular_file f;
    text->len = 0;
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, file);
    if (regular_open(&f, path, &(struct regular){.pid = pid, .kernel = true}) != NULL)
        return false;
    ssize_t got;
    do {
        text->ptr = mem_grow(text->ptr, &text->cap, text->len + HELPER_READ_MAX, 1);
        got = regular_read(&f, text->len, text->ptr + text->len, text->cap - text->len, NULL);
        text->len += got > 0 ? (size_t)got : 0;
    } while (got > 0);
    int error = errno;
    regular_close(&f);
    errno = error;
    if (got < 0)
        text->len = 0;
    return got == 0;
}

long
procfs_setting(const char *name, long otherwise)
{
    char path[128], *end;
    struct text text = {0};
    snprintf(path, sizeof path, "/proc/sys/%s", name);
    procfs_read(&text, path);
    text_add(&text, span_of("", 1)); /* a NUL */
    long value = strtol(text.ptr, &end, 10);
    if (end == text.ptr)
        value = otherwise;
    free(text.ptr);
    return value;
}

/* Add the numbers that are names of entries of the directory. */
static bool
add_entries(struct numbers *n, const char *path, size_t from)
{
    DIR *dir = opendir(path);
    size_t known = n->count;
    if (dir == NULL)
        return false;
    struct dirent *e;
    while (errno = 0, (e = readdir(dir)) != NULL) {
        uint64_t id;
        struct numbers part = {n->at + from, known - from, 0};
        if (num_u64(span_cstr(e->d_name), &id) && id <= INT32_MAX &&
            (known == from || !numbers_has(&part, (int32_t)id)))
            numbers_add(n, (int32_t)id);
    }
    int error = errno;
    closedir(dir);
    errno = error;
    return error == 0;
}

bool
procfs_processes(struct numbers *pids)
{
    return add_entries(pids, "/proc", pids->count);
}

bool
procfs_threads(struct numbers *tids, int32_t pid, size_t from)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    return add_entries(tids, path, from);
}

int32_t
procfs_status(int32_t pid, struct span name)
{
    struct text text = {0};
    uint64_t value = 0;
    bool found = false;
    bool read = procfs_read_of(&text, pid, "status");
    for (struct span rest = text_span(&text); rest.len > 0 && !found;) {
        struct span line = span_take(&rest, '\n');
        if (span_skip(&line, name) && span_skip(&line, SPAN(":")))
            found = num_u64(span_take_word(&line), &value);
    }
    free(text.ptr);
    if (read)
        errno = ENOENT; /* the line does not exist */
    return found && value <= INT32_MAX ? (int32_t)value : -1;
}

int32_t
procfs_process_of(int32_t tid)
{
    return procfs_status(tid, SPAN("Tgid"));
}

bool
procfs_start_time(struct text *text, int32_t pid, uint64_t *time)
{
    return procfs_read_of(text, pid, "stat") &&
           num_u64(procroot_stat_field(text_span(text), PROCROOT_STARTTIME), time);
}

static bool
has_name(struct text *text, int32_t pid, struct span name)
{
    if (procfs_read_of(text, pid, "comm") && span_eq(span_trim(text_span(text)), name))
        return true;
    if (!procfs_ask(text, pid, "cmdline"))
        return false;
    struct span argv = text_span(text);
    size_t end = span_find(argv, '\0');
    return span_eq(dso_base(span_head(argv, end != SPAN_NONE ? end : argv.len)), name);
}

/* Return the second number of schedstat (Documentation/scheduler/sched-stats.rst). The first one is
 * the time on a CPU. */
uint64_t
procfs_queued(struct text *text, int32_t tid)
{
    uint64_t queued;
    if (!procfs_read_of(text, tid, "schedstat"))
        return 0;
    struct span line = text_span(text);
    span_take_word(&line);
    return num_u64(span_take_word(&line), &queued) ? queued : 0;
}

/* Return true if the task is stopped or frozen. wchan is the kernel's function in which it waits.
 * The state in /proc/PID/status does not show tasks frozen by a cgroup of version 2. */
bool
procfs_is_stopped(struct text *text, int32_t tid)
{
    static const struct span stops[] = {SPAN("do_signal_stop"), SPAN("ptrace_stop"),
                                        SPAN("do_freezer_trap"), SPAN("__refrigerator"),
                                        SPAN("get_signal")}; /* where the others are inlined */
    return procfs_read_of(text, tid, "wchan") &&
           span_eq_any(text_span(text), stops, sizeof stops / sizeof *stops);
}

int32_t
procfs_newest(const char *name)
{
    struct numbers pids = {0};
    struct text text = {0};
    uint64_t newest = 0, time;
    int32_t found = -1;
    procfs_processes(&pids);
    for (size_t i = 0; i < pids.count; i++) {
        int32_t pid = pids.at[i];
        if (pid == getpid() || !has_name(&text, pid, span_cstr(name)) ||
            !procfs_start_time(&text, pid, &time) || (found >= 0 && time < newest))
            continue;
        newest = time;
        found = pid;
    }
    free(text.ptr);
    free(pids.at);
    return found;
}
