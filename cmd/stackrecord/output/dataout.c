#include "cmd/stackrecord/output/dataout.h"

#include <errno.h>
#include <stdlib.h>

static _Noreturn void
fail(const struct dataout *d)
{
    diag_error(d->diag, outfile_place(d->file), "%s", d->write.fault);
    d->before_exit(d->ctx);
    exit(d->diag->status);
}

/* Begin the file. By now all counters are open, so their ids are known. */
static void
begin(struct dataout *d)
{
    if (d->begun)
        return;
    d->begun = true;
    if (!outfile_empty(d->file)) {
        d->write.fault = strerror(errno);
        fail(d);
    }
    if (!datawrite_open(&d->write, d->file->fd, outfile_is_pipe(d->file), d->about))
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
}

static struct dataout *
dataout_of(struct recordsink *decoded)
{
    return (struct dataout *)(void *)((char *)decoded - offsetof(struct dataout, decoded));
}

static void
take_decoded(struct recordsink *decoded, const struct record *r)
{
    take(&dataout_of(decoded)->sink, r->bytes);
    if (decoded->next != NULL)
        decoded->next->record(decoded->next, r);
}

static void
end_decoded_round(struct recordsink *decoded)
{
    end_round(&dataout_of(decoded)->sink);
    sink_round(decoded->next);
}

static void
finish_decoded(struct recordsink *decoded)
{
    finish(&dataout_of(decoded)->sink);
    sink_finish(decoded->next);
}

void
dataout_init(struct dataout *d, const struct outfile *file, const struct datawrite_about *about,
             struct diag *diag)
{
    *d = (struct dataout){.sink = {take, end_round, finish},
                          .decoded = {take_decoded, end_decoded_round, finish_decoded, NULL},
                          .file = file,
                          .about = about,
                          .diag = diag};
}
