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
#include "cmd/stackrecord/archivetext.h"
#include "common/base/subprocess.h"

/* The message of the writing process on the pipe: first, whether the slice is written (error 0);
 * later, if an hour could not be merged, the error and the hour. */
struct said {
    int error;
    uint64_t hour;
};

struct work {
    const struct archivestore *store;
    struct archivelist list;
    struct profile *profile;
    uint64_t begin;
};

/* Return an unused name for the slice: its number is one above those of files that begin at the
 * same time, and of hours that may contain such a slice. */
static struct slicefile
choose_name(const struct work *w)
{
    struct slicefile slice = {.begin = w->begin, .number = 1};
    const uint64_t hour = slicefile_hour(slice).begin;
    const struct archivelist *list = &w->list;
    for (size_t i = list->first; i < list->files.n; i++) {
        const struct slicefile *is = &list->files.at[i].is;
        if (is->begin == (is->hour ? hour : slice.begin) && is->number >= slice.number)
            slice.number = is->number + 1;
    }
    return slice;
}

static void
print_slice(void *ctx, struct out *out)
{
    const struct work *w = ctx;
    archivetext_write(w->profile, w->store->tick, out);
}

static int
write_slice(struct work *w)
{
    const struct archivestore *s = w->store;
    struct archivepack_limit limit = {s->folder, &w->list, s->keep, SIZE_MAX};
    return archivepack_write(&limit, choose_name(w), print_slice, w);
}

/* Merge the slices of each hour that ended before this slice began. */
static struct said
merge_hours(struct work *w)
{
    const struct archivestore *s = w->store;
    struct archivelist *list = &w->list;
    struct said said = {0, 0};
    for (size_t i = list->first; i < list->files.n && said.error == 0; i++) {
        const struct archivefile *file = &list->files.at[i];
        said.hour = slicefile_hour(file->is).begin;
        if (said.hour + SLICEFILE_HOUR > w->begin)
            break;
        if (!file->is.hour && file->size > 0 && said.hour > s->unmerged)
            said.error = archivehour_merge(s->folder, list, i, s->keep, s->tick);
    }
    return said;
}

static bool
say(int result, struct said said)
{
    return write(result, &said, sizeof said) == sizeof said; /* a pipe takes that as a whole */
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
    struct said said = {archivefolder_read(s->folder, &w->list) ? 0 : errno, 0};
    if (said.error == 0)
        said.error = write_slice(w);
    if (!say(result, said) || said.error != 0)
        _exit(1);
    if (s->keep_for > 0)
        archivefolder_forget(s->folder, &w->list, s->keep_for);
    if (s->merges)
        said = merge_hours(w);
    _exit(said.error != 0 && !say(result, said));
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

static void
end(struct archivestore *s)
{
    close(s->fd);
    subprocess_wait(s->pid);
    s->pid = 0;
}

/* Read a message. Return false if the process has ended without one. */
static bool
hear(const struct archivestore *s, struct said *said)
{
    return read(s->fd, said, sizeof *said) == sizeof *said;
}

/* Wait up to `ms` milliseconds. Return true if there is a message, or if the process has ended. */
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
    struct said said = {0, 0};
    if (s->pid == 0)
        return STORE_FREE;
    if (!s->written) {
        if (!answers(s, ms))
            return STORE_WRITING;
        bool killed = !hear(s, &said);
        *error = killed ? EIO : said.error;
        s->written = *error == 0;
        if (!s->written) {
            end(s);
            return STORE_FAILED;
        }
    }
    if (!answers(s, 0))
        return STORE_MERGING;
    bool unmerged = hear(s, &said);
    end(s);
    if (!unmerged)
        return STORE_FREE;
    s->unmerged = said.hour;
    *error = said.error;
    return STORE_UNMERGED;
}

void
archivestore_stop_merging(struct archivestore *s)
{
    kill(s->pid, SIGKILL);
    end(s);
    unlinkat(s->folder->fd, ARCHIVE_UNFINISHED, 0);
}
