#include "cmd/stackrecord/archive.h"

#include <errno.h>
#include <stdlib.h>

#include "common/base/num.h"
#include "common/stack/model/measure.h"

#define SECOND UINT64_C(1000000000)

enum {
    TICK_MS = 10000, /* tick of the times in a slice, so that a heat map shows a whole day */
    SHORT = 10,      /* seconds: shorter slices have a tick of 1 s */
    WAIT_MS = 2000,  /* longest wait for the slice before to be written */
};

bool
archive_open(struct archive *a, const struct archive_options *o, struct diag *diag)
{
    *a = (struct archive){.options = o, .diag = diag};
    struct archivelist list = {0};
    const char *problem = archivefolder_open(&a->folder, o->folder);
    if (problem == NULL && !archivefolder_read(&a->folder, &list))
        problem = strerror(errno);
    if (problem != NULL)
        diag_error(diag, (struct place){o->folder, 0}, "%s", problem);
    else
        archivefolder_make_room(&a->folder, &list, 0, o->keep, SIZE_MAX);
    free(list.files.at);
    return problem == NULL;
}

/* Set the host's name. It becomes a frame, so replace characters that could end a frame or a
 * line. */
static void
set_host(struct archive *a, struct span host)
{
    a->host.len = 0;
    for (size_t i = 0; i < host.len; i++) {
        bool plain = host.ptr[i] > ' ' && host.ptr[i] < 0x7f && host.ptr[i] != ';';
        text_add(&a->host, plain ? span_of(host.ptr + i, 1) : SPAN("_"));
    }
}

static void
start_fold(struct archive *a)
{
    a->profile.masks = true;
    fold_init(&a->fold, &a->folding, a->frames, &a->profile);
}

void
archive_begin(struct archive *a, const struct frametab *frames, struct span host)
{
    a->frames = frames;
    a->store = (struct archivestore){.folder = &a->folder,
                                     .keep = a->options->keep,
                                     .keep_for = a->options->keep_for,
                                     .tick = a->options->slice < SHORT ? 1000 : TICK_MS,
                                     .merges = true};
    set_host(a, host);
    a->folding = (struct fold_options){
        .names = {.dialect = &foldname_native, .tidy = TIDY_BRACKETS, .tid = true, .kernel = true},
        .slice = a->store.tick,
        .host = text_span(&a->host)};
    start_fold(a);
}

/* Report a lost slice, once, and count the lost samples. */
static void
lose(struct archive *a, uint64_t samples, int error)
{
    const char *why = error == EFBIG       ? "it alone takes more than --keep"
                      : error == ETIMEDOUT ? "the one before it is still being written"
                                           : strerror(error);
    if (a->lost_slices == 0)
        diag_error(a->diag, (struct place){a->folder.name, 0}, "a slice is lost: %s", why);
    a->lost_slices++;
    a->lost += samples;
}

/* Report an hour that could not be merged: the first one only. */
static void
say_unmerged(struct archive *a, int error)
{
    char hour[SLICEFILE_NAME];
    const struct slicefile name = {.begin = a->store.unmerged, .number = 1, .hour = true};
    if (!a->unmerged)
        diag_error(a->diag, (struct place){a->folder.name, 0},
                   "the files of %s cannot be merged, and stay as they are: %s",
                   slicefile_name(hour, name),
                   error == EIO ? "one of them is damaged" : strerror(error));
    a->unmerged = true;
}

/* Return the state of the process that writes a slice. If it has ended, count its slice as written
 * or lost. */
static enum archivestore_state
look(struct archive *a, int ms)
{
    int error = 0;
    enum archivestore_state state = archivestore_look(&a->store, ms, &error);
    if (state == STORE_FAILED)
        lose(a, a->stored, error);
    else if (state != STORE_WRITING && a->stored > 0)
        a->samples += a->stored, a->slices++;
    if (state != STORE_WRITING)
        a->stored = 0;
    if (state == STORE_UNMERGED)
        say_unmerged(a, error);
    return state;
}

/* Begin a slice at the time of its first sample. */
static void
begin_slice(struct archive *a, uint64_t time)
{
    a->shift = a->offset();
    a->begin = (time + a->shift) / SECOND;
    uint64_t end = (a->begin / a->options->slice + 1) * a->options->slice;
    uint64_t hour = (a->begin / SLICEFILE_HOUR + 1) * SLICEFILE_HOUR;
    a->end = (end < hour ? end : hour) * SECOND - a->shift;
}

/* Drop the slice's stacks, so that the next stack begins another slice. */
static void
forget_slice(struct archive *a)
{
    fold_free(&a->fold);
    profile_free(&a->profile);
    start_fold(a);
    a->held = 0;
    a->end = 0;
    a->asked = false;
}

/* End the slice: wait up to `ms` milliseconds, or without limit if that is negative, until the
 * slice before is written, and start writing this one. If an hour is still being merged then, stop
 * that; with `time`, let this slice go on instead. Return false if the slice goes on. */
static bool
end_slice(struct archive *a, int ms, bool time)
{
    enum archivestore_state state = look(a, ms);
    if (state == STORE_WRITING || (state == STORE_MERGING && time))
        return false;
    if (state == STORE_MERGING)
        archivestore_stop_merging(&a->store);
    if (archivestore_start(&a->store, a->begin, &a->profile))
        a->stored = a->held;
    else
        lose(a, a->held, errno);
    forget_slice(a);
    return true;
}

/* End a slice that exceeds its memory; if the one before is still not written, lose it. */
static void
relieve(struct archive *a)
{
    if (end_slice(a, WAIT_MS, false)) {
        a->early++;
        return;
    }
    lose(a, a->held, ETIMEDOUT);
    forget_slice(a);
}

void
archive_add(struct archive *a, const struct sample *s)
{
    uint64_t time = s->header.time, no_period = 0;
    if (a->end != 0 && time >= a->end && !end_slice(a, 0, true))
        a->end = time + SECOND; /* try again then */
    if (a->end == 0)
        begin_slice(a, time);
    struct sample ours = *s;
    ours.header.time = time + a->shift;
    fold_add(&a->fold, &ours, measure_sample(WEIGHT_BY_EVENT, &s->header, &no_period));
    a->held++;
    if (profile_size(&a->profile) + fold_size(&a->fold) > a->most)
        relieve(a);
}

void
archive_beat(struct archive *a, uint64_t now, bool asked)
{
    const uint64_t moved = a->offset() - a->shift + SECOND; /* modulo 2^64; SECOND: no move */
    a->asked = a->end != 0 && (a->asked || asked || moved > 2 * SECOND);
    if (a->asked || (a->end != 0 && now > a->end + SECOND))
        end_slice(a, 0, !a->asked);
    else
        look(a, 0);
}

void
archive_finish(struct archive *a)
{
    a->store.merges = false;
    if (a->end != 0)
        end_slice(a, -1, false);
    if (look(a, -1) == STORE_MERGING)
        archivestore_stop_merging(&a->store);
    free(a->host.ptr);
    diag_note(a->diag, "%s: %s samples in %s slice%s", a->folder.name, NUM_TEXT(a->samples),
              NUM_TEXT(a->slices), a->slices == 1 ? "" : "s");
    if (a->early > 0)
        diag_note(a->diag,
                  "%s slices ended early, since their stacks took more than a share of --memory "
                  "(%s MB)",
                  NUM_TEXT(a->early), NUM_TEXT(a->most >> 20));
    if (a->lost_slices > 0)
        diag_error(a->diag, (struct place){a->folder.name, 0}, "%s samples in %s slice%s are lost",
                   NUM_TEXT(a->lost), NUM_TEXT(a->lost_slices), a->lost_slices == 1 ? "" : "s");
}
