#include "common/event/datawrite.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/base/pipe.h"
#include "common/event/append.h"
#include "common/event/datastart.h"
#include "common/event/feature.h"

enum { SECTION = 16, BUFFER = 256 * 1024 };

static bool
fail(struct datawrite *w, const char *what)
{
    if (w->fault == NULL)
        w->fault = what;
    return false;
}

/* Writes at the descriptor's position. */
static bool
write_all(struct datawrite *w, struct span s)
{
    if (w->fault == NULL && !pipe_write(w->fd, s))
        fail(w, strerror(errno));
    return w->fault == NULL;
}

static bool
flush(struct datawrite *w)
{
    bool ok = write_all(w, text_span(&w->buffer));
    w->at += w->buffer.len;
    w->buffer.len = 0;
    return ok;
}

bool
datawrite_open(struct datawrite *w, int fd, bool pipe, const struct datawrite_about *about)
{
    *w = (struct datawrite){.about = about, .fd = fd, .pipe = pipe, .first = UINT64_MAX};
    if (pipe)
        w->fault = datastart_pipe(about, &w->buffer);
    else
        datastart_file(w, &w->buffer);
    return flush(w);
}

static void
note_time(struct datawrite *w, uint64_t time)
{
    w->first = time < w->first ? time : w->first;
    w->last = time > w->last ? time : w->last;
}

bool
datawrite_record(struct datawrite *w, struct span record)
{
    if (w->buffer.len + record.len > BUFFER)
        flush(w);
    text_add(&w->buffer, record);
    if (load_u32(record.ptr) == RECORD_SAMPLE)
        note_time(w, record_time(w->about->events, record));
    return w->fault == NULL;
}

bool
datawrite_round(struct datawrite *w)
{
    append_header(&w->buffer, RECORD_FINISHED_ROUND, 0, 0);
    return flush(w);
}

/* Writes at an offset of the file. */
static void
write_at(struct datawrite *w, uint64_t offset, struct span s)
{
    if (w->fault == NULL && lseek(w->fd, (off_t)offset, SEEK_SET) < 0)
        fail(w, strerror(errno));
    write_all(w, s);
}

/* The offset of a feature, whose section stands in the table in the order of the features' bits. */
static uint64_t
feature_offset(const struct datawrite *w, unsigned feature)
{
    size_t at = 0;
    for (unsigned i = 0; i < feature; i++)
        at += (w->features >> i & 1) != 0 ? SECTION : 0;
    return load_u64(w->table.ptr + at);
}

/* Writes the table of features again, after the data, and last of all the header that refers to
 * it. */
static void
complete(struct datawrite *w)
{
    char header[DATASTART_HEADER];
    uint64_t times[] = {w->first, w->last};
    datastart_header(w, w->at - w->start, header);
    write_all(w, text_span(&w->table));
    if (w->last > 0)
        write_at(w, feature_offset(w, FEATURE_SAMPLE_TIME), span_of((char *)times, sizeof times));
    write_at(w, 0, span_of(header, sizeof header));
}

bool
datawrite_close(struct datawrite *w)
{
    datawrite_round(w); /* in a file that is complete the data are not empty */
    if (!w->pipe)
        complete(w);
    if (close(w->fd) != 0)
        fail(w, strerror(errno));
    free(w->buffer.ptr);
    free(w->table.ptr);
    w->buffer = w->table = (struct text){0};
    return w->fault == NULL;
}
