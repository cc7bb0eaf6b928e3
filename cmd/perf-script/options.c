#include "cmd/perf-script/options.h"

#include "common/base/num.h"
#include "common/base/opt.h"

enum {
    OPT_PID = 1, /* in the order of enum field */
    OPT_TID,
    OPT_COMM,
    OPT_CPU,
    OPT_EVENT,
    OPT_TIME,
    OPT_RANGE,
    OPT_TIMERAW,
    OPT_TIMEZEROSECS,
    OPT_PERF_MAP,
    OPT_MAP_DIR,
    OPT_CHECK,
    OPT_STATS
};

static const struct opt table[] = {
    {"pid", 0, OPT_TEXT, true, OPT_PID, "LIST", "only samples of these processes"},
    {"tid", 0, OPT_TEXT, true, OPT_TID, "LIST", "only samples of these threads"},
    {"comm", 0, OPT_TEXT, true, OPT_COMM, "LIST", "only samples of these commands"},
    {"cpu", 0, OPT_TEXT, true, OPT_CPU, "LIST", "only samples on these CPUs"},
    {"event", 0, OPT_TEXT, true, OPT_EVENT, "LIST", "only samples of these events"},
    {"time", 0, OPT_TEXT, true, OPT_TIME, "FROM,TO",
     "only samples of these times: seconds as printed, or 10%,20% of all"},
    {"range", 0, OPT_TEXT, true, OPT_RANGE, "FROM,TO",
     "only samples of these times, in seconds since the first sample"},
    {"timeraw", 0, OPT_FLAG, true, OPT_TIMERAW, NULL, "--range counts from zero, as printed"},
    {"timezerosecs", 0, OPT_FLAG, true, OPT_TIMEZEROSECS, NULL,
     "--range counts from the full second before the first sample"},
    {"perf-map", 0, OPT_TEXT, true, OPT_PERF_MAP, "PID=FILE",
     "name the JIT frames of a process from this perf map"},
    {"map-dir", 0, OPT_TEXT, true, OPT_MAP_DIR, "DIR",
     "name the JIT frames of each process from DIR/perf-PID.map"},
    {"check", 0, OPT_FLAG, true, OPT_CHECK, NULL,
     "write no samples, but what is in the input and what to do about it"},
    {"stats", 0, OPT_TEXT, true, OPT_STATS, "text|json", "as --check, in this format"},
    OPT_COMMON,
};

static const struct opt_program program = {
    .name = "perf-script",
    .synopsis = "[option ...] [file ...]",
    .about = "Reads perf script text, selects samples, and writes them as perf prints them.",
    .table = table,
    .usage_status = 2,
};

static void
add_window(const struct opt_reader *r, struct window *w, bool percent)
{
    struct span text = span_cstr(r->value);
    if (!window_parse(text, w))
        opt_usage(&program, "option --%s: '%s' is not FROM,TO", r->name, r->value);
    if (!percent && window_has_percent(w))
        opt_usage(&program, "option --%s: '%s': a percent is for --time", r->name, r->value);
}

static void
add_map(struct options *o, const struct opt_reader *r)
{
    uint64_t pid;
    struct span text = span_cstr(r->value);
    size_t equals = span_find(text, '=');
    if (equals == SPAN_NONE || !num_u64(span_head(text, equals), &pid) || equals + 1 == text.len)
        opt_usage(&program, "option --%s: '%s' is not PID=FILE", r->name, r->value);
    o->maps = mem_grow(o->maps, &o->maps_cap, o->nmaps + 1, sizeof *o->maps);
    o->maps[o->nmaps++] = (struct map_option){span_head(text, equals), text.ptr + equals + 1};
}

void
options_read(struct options *o, int argc, char **argv)
{
    struct opt_reader r;
    opt_start(&r, &program, argc, argv);
    *o = (struct options){.stats = STATS_NONE};
    for (int id; (id = opt_next(&r)) != OPT_DONE;) {
        switch (id) {
        case OPT_PID:
        case OPT_TID:
        case OPT_COMM:
        case OPT_CPU:
        case OPT_EVENT:
            selection_add(&o->selection, (enum field)(id - OPT_PID), span_cstr(r.value));
            break;
        case OPT_TIME:
            add_window(&r, &o->selection.time, true);
            break;
        case OPT_RANGE:
            add_window(&r, &o->selection.range, false);
            break;
        case OPT_TIMERAW:
            o->selection.origin = ORIGIN_RAW;
            break;
        case OPT_TIMEZEROSECS:
            o->selection.origin = ORIGIN_FLOOR;
            break;
        case OPT_PERF_MAP:
            add_map(o, &r);
            break;
        case OPT_MAP_DIR:
            o->map_dir = r.value;
            break;
        case OPT_CHECK:
            if (o->stats == STATS_NONE)
                o->stats = STATS_TEXT;
            break;
        case OPT_STATS:
            o->stats = (enum stats)opt_choice(&r);
            break;
        case OPT_QUIET:
            o->quiet = true;
            break;
        }
    }
    if (o->selection.origin != ORIGIN_FIRST && window_is_open(&o->selection.range))
        opt_usage(&program, "--timeraw and --timezerosecs need --range");
    o->operands = (struct operands){r.argv, NULL, (size_t)r.noperands};
}
