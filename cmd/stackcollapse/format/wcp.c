/* The report of wallClockProfiler, leaf first (github.com/jasonrohrer/wallClockProfiler):
 *
 *     Full stacks with at least 0.100% of samples:
 *
 *     99.791% ===================================== (17194 samples)
 *            1: poll   (at /home/user/app/loop.c:343)
 *            2: main   (at /home/user/app/main.c:12)
 *
 * Two blank lines are between stacks. */
#include "cmd/stackcollapse/shared/stacker.h"
#include "cmd/stackcollapse/shared/parts.h"

struct wcp {
    struct stacker base;
    bool started;         /* "Full stacks" was read */
    bool open;            /* the line with the count was read, and its stack is not emitted yet */
    struct decimal count; /* of that stack */
};

static void
emit(struct stacker *f)
{
    struct wcp *w = (struct wcp *)f;
    if (!stacker_emit(f, LEAF_FIRST, w->count) && w->open)
        stacker_skip(f, "a stack without frames ends here");
    w->open = false;
}

static void
take(struct stacker *f, struct span line)
{
    struct wcp *w = (struct wcp *)f;
    struct decimal samples;
    line = span_trim(line);
    struct span name = line;
    if (span_starts(line, SPAN("Full stacks"))) {
        w->started = true;
    } else if (!w->started) {
        return;
    } else if (parts_wcp_samples(line, &samples)) {
        emit(f);
        w->count = samples;
        w->open = true;
    } else if (w->open && span_take_run(&name, is_digit).len > 0 &&
               span_skip(&name, SPAN(": "))) { /* "1: poll   (at /home/user/app/loop.c:343)" */
        stacker_push(f, name);
    } else if (line.len == 0) {
        emit(f);
    } else {
        stacker_skip(f, "not a line of wallClockProfiler");
    }
}

static bool
is_wcp(struct span line)
{
    struct decimal samples;
    return span_starts(line, SPAN("Full stacks with at least ")) ||
           parts_wcp_samples(span_trim(line), &samples);
}

const struct format format_wcp = {
    .is = is_wcp, .state_size = sizeof(struct wcp), .per_file = true, .take = take, .finish = emit};
