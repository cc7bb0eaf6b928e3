#define _GNU_SOURCE /* pipe2, prctl */
#include "cmd/stackrecord/archivestore.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cmd/stackrecord/archivehour.h"
#include "cmd/stackrecord/archivepack.h"
#include "common/base/subprocess.h"

struct work {
    const struct archivestore *store;
    struct archivelist list;
    struct profile *profile;
    uint64_t begin;
};

/* Return the first free name of the slice: not that of a file, nor of a slice that an hour has. */
static struct slicefile
choose_name(const struct work *w)
{
    struct slicefile slice = {.begin = w->begin, .number = 1};
    const struct archivelist *list = &w->list;
    for (size_t i = list->first; i < list->files.n; i++) { /* by number, if the time is the same */
        const struct slicefile *is = &list->files.at[i].is, hour = slicefile_hour(slice);
        if (slicefile_compare(is, is->hour ? &hour : &slice) == 0)
            slice.number++;
    }
    return slice;
}

static void
print_slice(void *ctx, struct out *out)
{
    profile_write_rests(ctx, out);
}

static int
write_slice(struct work *w)
{
    const struct archivestore *s = w->store;
    struct archivepack_limit limit = {s->folder, &w->list, s->keep, SIZE_MAX};
    return archivepack_write(&limit, choose_name(w), print_slice, w->profile);
}

/* Merge the slices of each hour that ended an hour before this slice began. */
static int
merge_hours(struct work *w)
{
    const struct archivestore *s = w->store;
    struct archivelist *list = &w->list;
    int error = 0;
    for (size_t i = list->first; i < list->files.n && error == 0; i++) {
        struct slicefile hour = slicefile_hour(list->files.at[i].is);
        if (hour.begin + 2 * SLICEFILE_HOUR > w->begin)
            break;
        if (!list->files.at[i].is.hour && list->files.at[i].size > 0)
            error = archivehour_merge(s->folder, list, i, s->keep);
        i = i < list->first ? list->first : i;
    }
    return error;
}

static _Noreturn void
run(struct work *w, pid_t parent, int result)
{
    enum { NICE = 10 };
    const struct archivestore *s = w->store;
    const int keep[] = {s->folder->fd, result};
    subprocess_detach(keep, sizeof keep / sizeof *keep);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    setpriority(PRIO_PROCESS, 0, NICE);
    int error = archivefolder_read(s->folder, &w->list) ? 0 : errno;
    if (error == 0)
        error = write_slice(w);
    if (write(result, &error, sizeof error) != sizeof error || error != 0)
        _exit(1);
    if (s->keep_for > 0)
        archivefolder_forget(s->folder, &w->list, s->keep_for);
    if (s->merges)
        error = merge_hours(w);
    _exit(error != 0);
}

bool
archivestore_start(struct archivestore *s, uint64_t begin, struct profile *p)
{
    int ends[2];
    struct work w = {.store = s, .profile = p, .begin = begin};
    pid_t parent = getpid();
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    s->pid = fork();
    if (s->pid == 0)
        run(&w, parent, ends[1]);
    int error = errno;
    close(ends[1]);
    s->fd = ends[0];
    s->written = false;
    if (s->pid > 0)
        return true;
    s->pid = 0;
    close(ends[0]);
    errno = error;
    return false;
}

/* The process has ended. One that could not merge is not to try again with each slice. */
static void
end(struct archivestore *s)
{
    close(s->fd);
    if (subprocess_wait(s->pid) == 1 && s->written)
        s->merges = false;
    s->pid = 0;
}

/* Return true if the process has said something, or ended, after `ms` milliseconds at most. */
static bool
answers(const struct archivestore *s, int ms)
{
    struct pollfd p = {.fd = s->fd, .events = POLLIN};
    int n;
    do
        n = poll(&p, 1, ms);
    while (n < 0 && errno == EINTR && ms < 0);
    return n > 0;
}

enum archivestore_state
archivestore_look(struct archivestore *s, int ms, int *error)
{
    if (s->pid == 0)
        return STORE_FREE;
    if (!s->written) {
        if (!answers(s, ms))
            return STORE_WRITING;
        *error = EIO; /* it was killed */
        s->written = read(s->fd, error, sizeof *error) == sizeof *error && *error == 0;
        if (!s->written) {
            end(s);
            return STORE_FAILED;
        }
    }
    if (!answers(s, 0))
        return STORE_MERGING;
    end(s);
    return STORE_FREE;
}

void
archivestore_stop_merging(struct archivestore *s)
{
    kill(s->pid, SIGKILL);
    end(s);
}
