#include "cmd/stackrecord/output/dataout.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "cmd/stackrecord/capture/procfs.h"

static _Noreturn void
fail(const struct dataout *d)
{
    diag_error(d->diag, outfile_place(d->file), "%s", d->write.fault);
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
    if (!outfile_empty(d->file)) {
        d->write.fault = strerror(errno);
        fail(d);
    }
    if (!datawrite_open(&d->write, d->file->fd, outfile_is_pipe(d->file), &d->about))
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
dataout_init(struct dataout *d, const struct outfile *file, const struct session *session,
             struct diag *diag)
{
    *d = (struct dataout){.sink = {take, end_round, finish},
                          .decoded = {take_decoded, end_decoded_round, finish_decoded},
                          .file = file,
                          .session = session,
                          .diag = diag};
}
