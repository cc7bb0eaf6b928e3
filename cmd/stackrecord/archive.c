#include "cmd/stackrecord/archive.h"

#include <errno.h>

#include "common/base/num.h"
#include "common/stack/model/measure.h"

#define SECOND UINT64_C(1000000000)

enum {
    TICK_MS = 10000, /* of the times in a slice: a day of them is shown as a heat map at once */
    SHORT = 10,      /* seconds: slices below it have times of a second */
    WAIT_MS = 2000,  /* for the slice before, which is written */
};

bool
archive_open(struct archive *a, const struct archive_options *o, struct diag *diag)
{
    *a = (struct archive){.options = o, .diag = diag};
    const char *problem = archivefolder_open(&a->folder, o->folder);
    if (problem != NULL)
        diag_error(diag, (struct place){o->folder, 0}, "%s", problem);
    return problem == NULL;
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
                                     .merges = true};
    a->folding = (struct fold_options){
        .names = {.dialect = &foldname_native, .tidy = TIDY_BRACKETS, .tid = true, .kernel = true},
        .slice = a->options->slice < SHORT ? 1000 : TICK_MS,
        .host = host};
    start_fold(a);
}

/* Say it once, and count how much is lost. */
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

/* Return what the process that writes does; count what it has done. */
static enum archivestore_state
look(struct archive *a, int ms)
{
    int error = 0;
    bool merged = a->store.merges;
    enum archivestore_state state = archivestore_look(&a->store, ms, &error);
    if (state == STORE_FAILED)
        lose(a, a->stored, error);
    else if (state != STORE_WRITING && a->stored > 0)
        a->samples += a->stored, a->slices++;
    if (state != STORE_WRITING)
        a->stored = 0;
    if (merged && !a->store.merges)
        diag_error(a->diag, (struct place){a->folder.name, 0},
                   "the slices of an hour could not be merged, and stay as they are: is one of "
                   "them damaged?");
    return state;
}

/* Begin a slice with this sample's time. */
static void
begin_slice(struct archive *a, uint64_t time)
{
    a->shift = a->offset();
    a->begin = (time + a->shift) / SECOND;
    uint64_t end = (a->begin / a->options->slice + 1) * a->options->slice;
    a->end = end * SECOND - a->shift;
}

/* The next stacks are those of another slice. */
static void
forget_slice(struct archive *a)
{
    fold_free(&a->fold);
    profile_free(&a->profile);
    start_fold(a);
    a->held = 0;
    a->end = 0;
}

/* End the slice, if no other is being written, for which to wait up to `ms` milliseconds; below 0:
 * without limit. Return false if the slice goes on. */
static bool
end_slice(struct archive *a, int ms)
{
    enum archivestore_state state = look(a, ms);
    if (state == STORE_MERGING && ms != 0)
        archivestore_stop_merging(&a->store);
    else if (state == STORE_MERGING || state == STORE_WRITING)
        return false;
    if (ms < 0)
        a->store.merges = false;
    if (archivestore_start(&a->store, a->begin, &a->profile))
        a->stored = a->held;
    else
        lose(a, a->held, errno);
    forget_slice(a);
    return true;
}

/* A slice that has no more memory ends, or is lost. */
static void
relieve(struct archive *a)
{
    if (end_slice(a, WAIT_MS)) {
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
    if (a->end != 0 && time >= a->end && !end_slice(a, 0))
        a->end = time + SECOND; /* to try again then */
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
    bool over = a->end != 0 && (asked || now > a->end + SECOND);
    if (!over)
        look(a, 0);
    else if (!end_slice(a, asked ? WAIT_MS : 0))
        a->end = now;
}

void
archive_finish(struct archive *a)
{
    if (a->end != 0)
        end_slice(a, -1);
    if (look(a, -1) == STORE_MERGING)
        archivestore_stop_merging(&a->store);
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
