/* Profiles of the Firefox Profiler, in its processed format (docs-developer/CHANGELOG-formats.md
 * and src/types/profile.ts of https://github.com/firefox-devtools/profiler):
 *
 *     {"meta":{"interval":1,"startTime":0,"preprocessedProfileVersion":70,"categories":[],...},
 *      "libs":[],
 *      "shared":{"stackTable":{"frame":[0,1],"prefixOffset":[0,1],"length":2},
 *                "frameTable":{"func":[0,1],"category":[0,1],...,"length":2},
 *                "funcTable":{"name":[0,1],...,"length":2},
 *                "stringArray":["node","main"],...},
 *      "threads":[{"name":"node-4242/4242","pid":"4242","tid":4242,
 *                  "samples":{"stack":[1],"time":[0.5],"weight":[1],"weightType":"samples",
 *                             "length":1},
 *                  "markers":{"name":[],"startTime":[],"endTime":[],...,"length":0}}]}
 *
 * A table has an array for each column. A stack is a frame, and the distance in rows back to its
 * caller's stack, or 0 without a caller. Times are milliseconds. */
#include <inttypes.h>
#include <stdlib.h>

#include "cmd/stackexport/formats.h"
#include "cmd/stackexport/samplelist.h"
#include "common/base/jsontext.h"
#include "common/stack/frames/waitkind.h"

enum { GECKO_VERSION = 36, PROCESSED_VERSION = 70, INTERVAL = 1 };

struct firefox {
    struct samplelist samples;
    struct intern functions;    /* name and DSO, as bytes */
    VEC(uint32_t) functions_of; /* for each frame: its function */
    VEC(uint32_t) frames_of;    /* for each function: its first frame */
    VEC(uint32_t) all;          /* all frames */
    bool dated;                 /* there was a sample with a time; of the first one: */
    uint64_t date, dated_time;
    bool known_date;
};

/* Indexed by enum frame_kind; the last is that of the command's frame, and the default. Colours are
 * those that the viewer has. */
static const struct {
    const char *name, *colour;
} categories[KIND_COUNT + 1] = {
    [KIND_APP] = {"JavaScript", "yellow"},
    [KIND_DEP] = {"npm packages", "green"},
    [KIND_CORE] = {"Node.js library", "brown"},
    [KIND_REGEXP] = {"Regular expressions", "magenta"},
    [KIND_WASM] = {"WebAssembly", "purple"},
    [KIND_BUILTIN] = {"V8 builtins", "lightblue"},
    [KIND_V8] = {"V8", "lightblue"},
    [KIND_GC] = {"Garbage collection", "red"},
    [KIND_COMPILER] = {"Compiler", "lightred"},
    [KIND_CPP] = {"Node.js C++", "blue"},
    [KIND_NATIVE] = {"Native", "blue"},
    [KIND_KERNEL] = {"Kernel", "orange"},
    [KIND_NAMELESS] = {"JIT without names", "yellow"},
    [KIND_MARK] = {"Incomplete", "darkgrey"},
    [KIND_WAIT] = {"Waiting", "transparent"},
    [KIND_COUNT] = {"Other", "grey"},
};

static bool
is_js(uint32_t kind)
{
    return kind == KIND_APP || kind == KIND_DEP || kind == KIND_CORE || kind == KIND_REGEXP ||
           kind == KIND_WASM;
}

static void
add(struct export *e, const struct stack *s)
{
    struct firefox *f = e->state;
    if (!f->dated && s->has_time) {
        f->dated = true;
        f->dated_time = s->time;
        f->known_date = wallclock_real(&e->clock, s->time, &f->date);
    }
    samplelist_add(&f->samples, s);
}

/* Write a column with the same value in all n rows. */
static void
write_same(struct out *o, const char *name, const char *value, size_t n)
{
    out_format(o, "\"%s\":[", name);
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            out_char(o, ',');
        out_cstr(o, value);
    }
    out_text(o, "],\n");
}

/* Find the functions of the frames: frames with the same name and DSO, but different lines, are of
 * one function. */
static void
find_functions(struct export *e)
{
    struct firefox *f = e->state;
    for (uint32_t i = 0; i < framelist_count(&e->frames); i++) {
        struct named_frame frame = framelist_get(&e->frames, i);
        const uint32_t key[] = {frame.name, frame.dso, frame.kind};
        uint32_t function;
        if (intern_put(&f->functions, SPAN_BYTES(key), &function))
            VEC_ADD(f->frames_of, i);
        VEC_ADD(f->functions_of, function);
        VEC_ADD(f->all, i);
    }
}

/* Write a column with a value for each of n frames. */
static void
write_of(struct export *e, const uint32_t *frames, size_t n, const char *name,
         void (*write)(struct export *e, uint32_t frame))
{
    out_format(e->out, "\"%s\":[", name);
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            out_char(e->out, ',');
        write(e, frames[i]);
    }
    out_text(e->out, "],\n");
}

/* Write a column of the table of frames. */
static void
write_column(struct export *e, const char *name, void (*write)(struct export *e, uint32_t frame))
{
    const struct firefox *f = e->state;
    write_of(e, f->all.at, f->all.n, name, write);
}

/* Write a column of the table of functions. */
static void
write_functions(struct export *e, const char *name, void (*write)(struct export *e, uint32_t frame))
{
    const struct firefox *f = e->state;
    write_of(e, f->frames_of.at, f->frames_of.n, name, write);
}

static void
write_function(struct export *e, uint32_t frame)
{
    out_u64(e->out, ((struct firefox *)e->state)->functions_of.at[frame]);
}

static void
write_number(struct export *e, uint32_t frame)
{
    out_u64(e->out, frame);
}

static void
write_category(struct export *e, uint32_t frame)
{
    out_u64(e->out, framelist_get(&e->frames, frame).kind);
}

static void
write_line(struct export *e, uint32_t frame)
{
    uint32_t line = framelist_get(&e->frames, frame).line;
    if (line > 0)
        out_u64(e->out, line);
    else
        out_text(e->out, "null");
}

static void
write_source(struct export *e, uint32_t frame)
{
    uint32_t file = framelist_get(&e->frames, frame).file;
    if (file != FRAMELIST_NONE)
        out_u64(e->out, file);
    else
        out_text(e->out, "null");
}

static void
write_resource(struct export *e, uint32_t frame)
{
    uint32_t dso = framelist_get(&e->frames, frame).dso;
    if (dso != FRAMELIST_NONE)
        out_u64(e->out, dso);
    else
        out_text(e->out, "-1");
}

static void
write_is_js(struct export *e, uint32_t frame)
{
    out_cstr(e->out, is_js(framelist_get(&e->frames, frame).kind) ? "true" : "false");
}

/* Write the column "name" of resources, or "filename" of sources: all texts of the framelist. */
static void
write_text_column(struct export *e, const char *name)
{
    out_format(e->out, "\"%s\":[", name);
    for (size_t i = 0; i < e->frames.texts.count; i++)
        out_format(e->out, "%s%zu", i > 0 ? "," : "", framelist_count(&e->frames) + i);
    out_text(e->out, "],\n");
}

/* Write the names of frames, then the texts of the framelist. */
static void
write_strings(struct export *e)
{
    out_text(e->out, "\"stringArray\":[");
    for (uint32_t i = 0; i < framelist_count(&e->frames); i++) {
        out_cstr(e->out, i > 0 ? ",\n" : "\n");
        jsontext_string(e->out, framelist_name(&e->frames, i));
    }
    for (uint32_t i = 0; i < e->frames.texts.count; i++) {
        out_cstr(e->out, framelist_count(&e->frames) + i > 0 ? ",\n" : "\n");
        jsontext_string(e->out, framelist_text(&e->frames, i));
    }
    out_text(e->out, "]");
}

static void
write_stacks(struct export *e)
{
    const struct stacktree *tree = &((struct firefox *)e->state)->samples.tree;
    size_t n = tree->n > 0 ? tree->n : 1;
    out_text(e->out, "\"stackTable\":{\"frame\":[");
    for (size_t i = 1; i < n; i++)
        out_format(e->out, "%s%" PRIu32, i > 1 ? "," : "", tree->nodes[i].name);
    out_text(e->out, "],\n\"prefixOffset\":[");
    for (size_t i = 1; i < n; i++) {
        size_t parent = tree->nodes[i].parent;
        out_format(e->out, "%s%zu", i > 1 ? "," : "", parent != STACKTREE_ROOT ? i - parent : 0);
    }
    out_format(e->out, "],\n\"length\":%zu},\n", n - 1);
}

/* Write what all threads share. */
static void
write_shared(struct export *e)
{
    struct out *o = e->out;
    size_t n = framelist_count(&e->frames), texts = e->frames.texts.count;
    size_t functions = ((struct firefox *)e->state)->frames_of.n;
    out_text(o, "\"shared\":{\n");
    write_stacks(e);
    out_text(o, "\"frameTable\":{");
    write_same(o, "address", "-1", n);
    write_same(o, "lib", "-1", n);
    write_same(o, "inlineDepth", "0", n);
    write_column(e, "category", write_category);
    write_same(o, "subcategory", "0", n);
    write_column(e, "func", write_function);
    write_same(o, "nativeSymbol", "null", n);
    write_same(o, "innerWindowID", "0", n);
    write_column(e, "line", write_line);
    write_same(o, "column", "null", n);
    write_same(o, "originalLocation", "null", n);
    out_format(o, "\"length\":%zu},\n\"funcTable\":{", n);
    n = functions;
    write_functions(e, "name", write_number);
    write_functions(e, "isJS", write_is_js);
    write_same(o, "relevantForJS", "false", n);
    write_functions(e, "resource", write_resource);
    write_functions(e, "source", write_source);
    write_same(o, "lineNumber", "null", n);
    write_same(o, "columnNumber", "null", n);
    write_same(o, "originalLocation", "null", n);
    out_format(o, "\"length\":%zu},\n\"resourceTable\":{", n);
    write_text_column(e, "name");
    write_same(o, "host", "null", texts);
    write_same(o, "type", "1", texts);
    out_format(o, "\"length\":%zu},\n\"sources\":{", texts);
    write_text_column(e, "filename");
    write_same(o, "id", "null", texts);
    write_same(o, "startLine", "1", texts);
    write_same(o, "startColumn", "1", texts);
    write_same(o, "sourceMapURL", "null", texts);
    write_same(o, "content", "null", texts);
    out_format(o, "\"length\":%zu},\n", texts);
    out_text(o,
             "\"nativeSymbols\":{\"libIndex\":[],\"address\":[],\"name\":[],\"functionSize\":[],"
             "\"length\":0},\n"
             "\"sourceLocationTable\":{\"source\":[],\"line\":[],\"column\":[],\"length\":0},\n");
    write_strings(e);
    out_text(o, "},\n");
}

static void
write_count(struct out *o, struct decimal count)
{
    char text[DECIMAL_TEXT];
    out_span(o, decimal_text(text, count));
}

/* Return a count as a weight. Times are in milliseconds. */
static struct decimal
weight(const struct export *e, struct decimal count)
{
    int places;
    return export_time_places(e->unit, &places) ? decimal_shift(count, places - 3) : count;
}

static const char *
weight_type(enum unit unit)
{
    int places;
    return export_time_places(unit, &places) ? "tracing-ms"
           : unit == UNIT_BYTES              ? "bytes"
                                             : "samples";
}

/* Write nanoseconds as milliseconds. */
static void
write_ms(struct out *o, uint64_t ns)
{
    write_count(o, decimal_shift((struct decimal){ns, 0}, -6));
}

/* Write the times of samples since `zero`. Samples without times follow each other at intervals of
 * their weights. */
static void
write_times(struct export *e, size_t from, size_t to, uint64_t zero)
{
    const struct samplelist *l = &((struct firefox *)e->state)->samples;
    struct decimal at = {0, 0};
    for (size_t i = from; i < to; i++) {
        if (i > from)
            out_char(e->out, ',');
        if (!l->untimed)
            write_ms(e->out, l->list.at[i].time - zero);
        else
            write_count(e->out, at);
        at = decimal_add(at, weight(e, l->list.at[i].count));
    }
}

static void
write_samples(struct export *e, size_t from, size_t to, uint64_t zero)
{
    const struct samplelist *l = &((struct firefox *)e->state)->samples;
    out_text(e->out, "\"samples\":{\"stack\":[");
    for (size_t i = from; i < to; i++)
        out_format(e->out, "%s%" PRIu32, i > from ? "," : "", l->list.at[i].node - 1);
    out_text(e->out, "],\n\"time\":[");
    write_times(e, from, to, zero);
    out_text(e->out, "],\n\"weight\":[");
    for (size_t i = from; i < to; i++) {
        if (i > from)
            out_char(e->out, ',');
        write_count(e->out, weight(e, l->list.at[i].count));
    }
    out_format(e->out, "],\n\"weightType\":\"%s\",\"length\":%zu},\n", weight_type(e->unit),
               to - from);
}

/* Return the leaf of a sample if it is a wait with a time, which gets a marker; else
 * FRAMELIST_NONE. */
static uint32_t
wait_of(const struct export *e, const struct listed *sample)
{
    const struct samplelist *l = &((struct firefox *)e->state)->samples;
    uint32_t leaf = l->tree.nodes[sample->node].name;
    int places;
    return !l->untimed && export_time_places(e->unit, &places) &&
                   framelist_get(&e->frames, leaf).kind == KIND_WAIT
               ? leaf
               : FRAMELIST_NONE;
}

/* Columns of the table of markers. */
static void
write_marker_name(struct export *e, const struct listed *sample, uint64_t zero)
{
    (void)zero;
    out_u64(e->out, wait_of(e, sample));
}

/* A wait ends at the time of its sample, and began earlier by its count. */
static void
write_marker_start(struct export *e, const struct listed *sample, uint64_t zero)
{
    struct decimal start = decimal_shift((struct decimal){sample->time - zero, 0}, -6);
    if (!decimal_subtract(start, weight(e, sample->count), &start))
        start = (struct decimal){0, 0};
    write_count(e->out, start);
}

static void
write_marker_end(struct export *e, const struct listed *sample, uint64_t zero)
{
    write_ms(e->out, sample->time - zero);
}

static void
write_marker_phase(struct export *e, const struct listed *sample, uint64_t zero)
{
    (void)sample;
    (void)zero;
    out_text(e->out, "1"); /* an interval */
}

static void
write_marker_category(struct export *e, const struct listed *sample, uint64_t zero)
{
    (void)sample;
    (void)zero;
    out_u64(e->out, KIND_WAIT);
}

static void
write_marker_data(struct export *e, const struct listed *sample, uint64_t zero)
{
    (void)sample;
    (void)zero;
    out_text(e->out, "{\"type\":\"wait\"}");
}

static void
write_markers(struct export *e, size_t from, size_t to, uint64_t zero)
{
    static const struct {
        const char *name;
        void (*write)(struct export *e, const struct listed *sample, uint64_t zero);
    } columns[] = {
        {"name", write_marker_name},         {"startTime", write_marker_start},
        {"endTime", write_marker_end},       {"phase", write_marker_phase},
        {"category", write_marker_category}, {"data", write_marker_data},
    };
    const struct samplelist *l = &((struct firefox *)e->state)->samples;
    size_t n = 0;
    out_text(e->out, "\"markers\":{");
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
        out_format(e->out, "\"%s\":[", columns[c].name);
        n = 0;
        for (size_t i = from; i < to; i++)
            if (wait_of(e, &l->list.at[i]) != FRAMELIST_NONE) {
                if (n++ > 0)
                    out_char(e->out, ',');
                columns[c].write(e, &l->list.at[i], zero);
            }
        out_text(e->out, "],\n");
    }
    out_format(e->out, "\"length\":%zu}", n);
}

static void
write_thread(struct export *e, size_t from, size_t to, uint64_t zero)
{
    const struct samplelist *l = &((struct firefox *)e->state)->samples;
    uint32_t number = l->list.at[from].thread;
    const struct thread *t = &e->threads.list.at[number];
    /* If ids are not known, show each thread as a process. */
    int64_t pid = t->pid >= 0 ? t->pid : number, tid = t->tid >= 0 ? t->tid : number;
    out_text(e->out, "{\"processType\":\"default\",\"processStartupTime\":0,"
                     "\"processShutdownTime\":null,\"registerTime\":0,\"unregisterTime\":null,"
                     "\"pausedRanges\":[],\"showMarkersInTimeline\":true,\"name\":");
    jsontext_string(e->out, profile_name_text(&e->frames.names, t->name));
    out_format(e->out, ",\"isMainThread\":%s,\"pid\":\"%" PRId64 "\",\"tid\":%" PRId64 ",\n",
               pid == tid ? "true" : "false", pid, tid);
    write_samples(e, from, to, zero);
    write_markers(e, from, to, zero);
    out_text(e->out, "}");
}

/* Set the first and the last time of all samples. */
static void
find_times(const struct samplelist *l, uint64_t *first, uint64_t *last)
{
    *first = l->list.n > 0 ? l->list.at[0].time : 0;
    *last = *first;
    for (size_t i = 0; i < l->list.n; i++) {
        uint64_t time = l->list.at[i].time;
        *first = time < *first ? time : *first;
        *last = time > *last ? time : *last;
    }
}

/* Return the interval of samples in milliseconds: that of the thread with most samples. */
static double
interval(const struct samplelist *l)
{
    size_t most = 1;
    double ms = INTERVAL;
    for (size_t from = 0, to; from < l->list.n; from = to) {
        to = samplelist_thread_end(l, from);
        uint64_t time = l->list.at[to - 1].time - l->list.at[from].time;
        if (to - from <= most || time == 0)
            continue;
        most = to - from;
        ms = (double)time / (double)(most - 1) / 1e6; /* ns in one */
    }
    return ms;
}

static void
write_meta(struct export *e, uint64_t first, uint64_t last)
{
    const struct firefox *f = e->state;
    struct out *o = e->out;
    uint64_t before = f->dated_time - first, start = 0;
    if (f->known_date && f->date >= before)
        start = f->date - before;
    out_format(o, "{\"meta\":{\"interval\":%.6f,\"startTime\":", interval(&f->samples));
    write_ms(o, start);
    if (!f->samples.untimed) {
        out_text(o, ",\"profilingStartTime\":0,\"profilingEndTime\":");
        write_ms(o, last - first);
    }
    out_format(o,
               ",\"processType\":0,\"product\":\"flamepipe\",\"importedFrom\":\"flamepipe\","
               "\"stackwalk\":1,\"debug\":false,\"version\":%d,\"preprocessedProfileVersion\":%d,"
               "\"symbolicated\":true,\"symbolicationNotSupported\":true,"
               "\"sourceCodeIsNotOnSearchfox\":true,\"oscpu\":",
               GECKO_VERSION, PROCESSED_VERSION);
    jsontext_string(o, text_span(&e->host));
    out_text(o, ",\n\"categories\":[");
    for (size_t i = 0; i <= KIND_COUNT; i++)
        out_format(o, "%s{\"name\":\"%s\",\"color\":\"%s\",\"subcategories\":[\"Other\"]}",
                   i > 0 ? ",\n" : "", categories[i].name, categories[i].colour);
    out_text(o, "],\n\"markerSchema\":[{\"name\":\"wait\",\"display\":[\"marker-chart\","
                "\"marker-table\",\"timeline-overview\"],\"fields\":[]}]},\n\"libs\":[],\n");
}

static void
end(struct export *e)
{
    struct firefox *f = e->state;
    uint64_t first, last;
    samplelist_sort_by_thread(&f->samples);
    find_times(&f->samples, &first, &last);
    find_functions(e);
    write_meta(e, first, last);
    write_shared(e);
    out_text(e->out, "\"threads\":[");
    for (size_t from = 0, to; from < f->samples.list.n; from = to) {
        to = samplelist_thread_end(&f->samples, from);
        out_cstr(e->out, from > 0 ? ",\n" : "\n");
        write_thread(e, from, to, first);
    }
    out_text(e->out, "]}\n");
    samplelist_free(&f->samples);
    intern_free(&f->functions);
    free(f->functions_of.at);
    free(f->frames_of.at);
    free(f->all.at);
}

const struct format format_firefox = {.state_size = sizeof(struct firefox), .add = add, .end = end};
