#include "cmd/stackrecord/output/dataout.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cmd/stackrecord/procfs.h"

static bool
is_stdout(const struct dataout *d)
{
    return strcmp(d->name, "-") == 0;
}

static struct place
place_of(const struct dataout *d)
{
    return (struct place){is_stdout(d) ? "standard output" : d->name, 0};
}

static _Noreturn void
fail(const struct dataout *d)
{
    diag_error(d->diag, place_of(d), "%s", d->write.fault);
    exit(d->diag->status);
}

/* What `perf report --header` prints of the machine. */
static void
describe(struct dataout *d)
{
    const struct session *s = d->session;
    struct timespec resolution = {0};
    procfs_read(&d->arguments, "/proc/self/cmdline");
    uname(&d->machine);
    clock_getres(CLOCK_MONOTONIC, &resolution);
    d->about = (struct datawrite_about){
        .events = &s->events,
        .tracing = s->tracing,
        .hostname = span_cstr(d->machine.nodename),
        .os_release = span_cstr(d->machine.release),
        .arch = span_cstr(d->machine.machine),
        .version = SPAN("flamepipe " VERSION),
        .arguments = text_span(&d->arguments),
        .cpus = (uint32_t)sysconf(_SC_NPROCESSORS_CONF),
        .cpus_online = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN),
        .clock_resolution = (uint64_t)resolution.tv_nsec,
    };
}

/* The counters have all been opened now, so that their ids are known. */
static void
begin(struct dataout *d)
{
    if (d->begun)
        return;
    d->begun = true;
    describe(d);
    bool pipe = is_stdout(d) || lseek(d->fd, 0, SEEK_CUR) < 0;
    if (!pipe && ftruncate(d->fd, 0) != 0 && errno != EINVAL) { /* of a device */
        d->write.fault = strerror(errno);
        fail(d);
    }
    if (!datawrite_open(&d->write, d->fd, pipe, &d->about))
        fail(d);
}

static void
take(struct rawsink *sink, struct span bytes)
{
    struct dataout *d = (struct dataout *)sink; /* its first member */
    begin(d);
    if (!datawrite_record(&d->write, bytes))
        fail(d);
}

static void
end_round(struct rawsink *sink)
{
    struct dataout *d = (struct dataout *)sink;
    begin(d);
    if (!datawrite_round(&d->write))
        fail(d);
}

static void
finish(struct rawsink *sink)
{
    struct dataout *d = (struct dataout *)sink;
    begin(d);
    if (!datawrite_close(&d->write))
        fail(d);
    free(d->arguments.ptr);
}

static struct rawsink *
sink_of(struct recordsink *decoded)
{
    return &((struct dataout *)(void *)((char *)decoded - offsetof(struct dataout, decoded)))->sink;
}

static void
take_decoded(struct recordsink *decoded, const struct record *r)
{
    take(sink_of(decoded), r->bytes);
}

static void
end_decoded_round(struct recordsink *decoded)
{
    end_round(sink_of(decoded));
}

static void
finish_decoded(struct recordsink *decoded)
{
    finish(sink_of(decoded));
}

void
dataout_init(struct dataout *d, const char *name, const struct session *session, struct diag *diag)
{
    *d = (struct dataout){.sink = {take, end_round, finish},
                          .decoded = {take_decoded, end_decoded_round, finish_decoded},
                          .name = name,
                          .session = session,
                          .diag = diag};
}

/* Open the file by its name, as perf does: only its owner may read a new one. Set *problem and
 * return -1 if that fails. Another user's link or FIFO, as anyone may put into /tmp, is refused. */
static int
open_file(struct dataout *d, const char **problem)
{
    struct stat st;
    int flags = O_WRONLY | O_CREAT | O_CLOEXEC;
    int fd = open(d->name, flags | O_EXCL, 0600);
    d->created = fd >= 0;
    if (fd < 0 && errno == EEXIST && lstat(d->name, &st) == 0) {
        bool trap = S_ISLNK(st.st_mode) || S_ISFIFO(st.st_mode);
        if (trap && st.st_uid != geteuid() && st.st_uid != 0) {
            *problem = "is another user's link or FIFO";
            return -1;
        }
        fd = open(d->name, flags | (S_ISLNK(st.st_mode) ? 0 : O_NOFOLLOW), 0600);
    }
    *problem = fd < 0 ? strerror(errno) : NULL;
    return fd;
}

bool
dataout_open(struct dataout *d)
{
    const char *problem = NULL;
    d->fd = is_stdout(d) ? dup(STDOUT_FILENO) : open_file(d, &problem);
    if (d->fd < 0) {
        diag_error(d->diag, place_of(d), "%s", problem != NULL ? problem : strerror(errno));
        return false;
    }
    if (!isatty(d->fd))
        return true;
    diag_error(d->diag, place_of(d),
               "is a terminal, and the records are not text: write to a file or "
               "a pipe, or leave -o out to get text");
    close(d->fd);
    return false;
}

void
dataout_drop(struct dataout *d)
{
    if (d->created)
        unlink(d->name);
}
