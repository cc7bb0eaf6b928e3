#include "cmd/perf-script/folding.h"

#include <errno.h>

#include "common/base/num.h"
#include "common/demangle/demangle_rust.h"
#include "common/stack/model/measure.h"

bool
folding_init(struct folding *f, const struct folding_options *options, struct diag *diag,
             struct frametab *frames)
{
    *f = (struct folding){
        .options = options,
        .how.names = {.dialect = &foldname_native,
                      .tidy = TIDY_BRACKETS,
                      .kernel = options->mark_kernel},
        .profile = {.masks = true, .demangle = demangle_rust_frame},
        .events.verb = "selects",
    };
    fold_init(&f->fold, &f->how, frames, &f->profile);
    if (options->source_maps && !sourcemaps_init(&f->maps, options->maps_folder, diag)) {
        diag_error(diag, (struct place){options->maps_folder, 0}, "%s", strerror(errno));
        return false;
    }
    filter_init(&f->filter, &options->rules, options->source_maps ? &f->maps : NULL, frames);
    return true;
}

bool
folding_takes(struct folding *f, const struct perf_header *h, struct decimal *weight)
{
    f->samples++;
    if (!eventchoice_take(&f->events, h->field[PERF_EVENT]))
        return false;
    *weight = measure_sample(WEIGHT_BY_EVENT, h, &f->no_period);
    return true;
}

void
folding_add(struct folding *f, const struct sample *s, uint64_t times, struct decimal weight)
{
    struct sample filtered = *s;
    if (f->options->rules.node && !filter_sample(&f->filter, &filtered, times))
        return;
    f->without_frames += fold_add(&f->fold, &filtered, weight) ? 0 : times;
    roots_add(&f->roots, f->fold.frames, &filtered, f->fold.comm, times);
}

void
folding_write(struct folding *f, struct out *out)
{
    profile_write(&f->profile, out);
}

void
folding_report(struct folding *f, struct diag *diag, bool advise)
{
    if (advise) {
        roots_report(&f->roots, &f->fold.comms, diag);
        eventchoice_report(&f->events, diag);
        filter_report_names(&f->filter, diag);
    }
    fold_report(&f->fold, f->no_period, diag);
    if (profile_is_full(&f->profile))
        diag_error(diag, NOWHERE, DECIMAL_FULL);
    if (f->without_frames > 0)
        diag_note(diag, "%s of %s samples have no frames and are left out",
                  NUM_TEXT(f->without_frames), NUM_TEXT(f->samples));
}
