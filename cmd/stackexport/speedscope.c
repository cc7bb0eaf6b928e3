/* Files of speedscope (https://www.speedscope.app/file-format-schema.json):
 *
 *     {"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"flamepipe",
 *      "shared":{"frames":[{"name":"node"},{"name":"main","file":"app.c","line":3}]},
 *      "profiles":[{"type":"sampled","name":"node-4242/4242","unit":"none",
 *                   "startValue":0,"endValue":3,"samples":[[0,1],[0]],"weights":[2,1]}],
 *      "activeProfileIndex":0}
 *
 * There is one profile for each thread. A stack is indexes of frames, root first. Consecutive
 * samples with the same stack become one. */
#include <stdlib.h>

#include "cmd/stackexport/formats.h"
#include "cmd/stackexport/samplelist.h"
#include "common/base/jsontext.h"

struct speedscope {
    struct samplelist samples;
    VEC(uint32_t) stack; /* stack being written, leaf first */
};

static const char *const units[] = {
    [UNIT_SAMPLES] = "none",
    [UNIT_NANOSECONDS] = "nanoseconds",
    [UNIT_MICROSECONDS] = "microseconds",
    [UNIT_MILLISECONDS] = "milliseconds",
    [UNIT_SECONDS] = "seconds",
    [UNIT_BYTES] = "bytes",
    [UNIT_EVENTS] = "none",
};

static void
add(struct export *e, const struct stack *s)
{
    samplelist_add(&((struct speedscope *)e->state)->samples, s);
}

static void
write_count(struct out *o, struct decimal count)
{
    char text[DECIMAL_TEXT];
    out_span(o, decimal_text(text, count));
}

static void
write_frames(struct export *e)
{
    struct out *o = e->out;
    for (uint32_t i = 0; i < framelist_count(&e->frames); i++) {
        struct named_frame frame = framelist_get(&e->frames, i);
        out_span(o, i > 0 ? SPAN(",\n{\"name\":") : SPAN("\n{\"name\":"));
        jsontext_string(o, framelist_name(&e->frames, i));
        if (frame.file != FRAMELIST_NONE) {
            out_text(o, ",\"file\":");
            jsontext_string(o, framelist_text(&e->frames, frame.file));
            out_format(o, ",\"line\":%u", frame.line);
        }
        out_char(o, '}');
    }
}

static void
write_stack(struct export *e, uint32_t node)
{
    struct speedscope *f = e->state;
    f->stack.n = 0;
    for (; node != STACKTREE_ROOT; node = f->samples.tree.nodes[node].parent)
        VEC_ADD(f->stack, f->samples.tree.nodes[node].name);
    for (size_t i = f->stack.n; i-- > 0;) {
        out_char(e->out, i + 1 == f->stack.n ? '[' : ',');
        out_u64(e->out, f->stack.at[i]);
    }
    out_char(e->out, ']');
}

/* Return the end of the run of samples, from the i-th on and before `end`, that have the same
 * stack. */
static size_t
same_end(const struct samplelist *l, size_t i, size_t end)
{
    uint32_t node = l->list.at[i].node;
    while (i < end && l->list.at[i].node == node)
        i++;
    return i;
}

static struct decimal
sum(const struct samplelist *l, size_t from, size_t to)
{
    struct decimal all = {0, 0};
    for (size_t i = from; i < to; i++)
        all = decimal_add(all, l->list.at[i].count);
    return all;
}

/* Write the profile of a thread, whose samples these are. */
static void
write_profile(struct export *e, size_t from, size_t to, struct decimal all)
{
    struct speedscope *f = e->state;
    struct samplelist *l = &f->samples;
    struct out *o = e->out;
    uint32_t name = e->threads.list.at[l->list.at[from].thread].name;
    out_text(o, "{\"type\":\"sampled\",\"name\":");
    jsontext_string(o, profile_name_text(&e->frames.names, name));
    out_format(o, ",\"unit\":\"%s\",\"startValue\":0,\"endValue\":", units[e->unit]);
    write_count(o, all);
    out_text(o, ",\n\"samples\":[");
    for (size_t i = from, next; i < to; i = next) {
        next = same_end(l, i, to);
        if (i > from)
            out_char(o, ',');
        write_stack(e, l->list.at[i].node);
    }
    out_text(o, "],\n\"weights\":[");
    for (size_t i = from, next; i < to; i = next) {
        next = same_end(l, i, to);
        if (i > from)
            out_char(o, ',');
        write_count(o, sum(l, i, next));
    }
    out_text(o, "]}");
}

static bool
is_less(struct decimal a, struct decimal b)
{
    struct decimal rest;
    return !decimal_subtract(a, b, &rest);
}

/* Write the profiles, and which of them to show first: that of the busiest thread. */
static void
write_profiles(struct export *e)
{
    const struct samplelist *l = &((struct speedscope *)e->state)->samples;
    struct decimal most = {0, 0};
    size_t profiles = 0, active = 0;
    for (size_t from = 0, to; from < l->list.n; from = to) {
        to = samplelist_thread_end(l, from);
        struct decimal all = sum(l, from, to);
        out_span(e->out, profiles > 0 ? SPAN(",\n") : SPAN("\n"));
        write_profile(e, from, to, all);
        active = is_less(most, all) ? profiles : active;
        most = is_less(most, all) ? all : most;
        profiles++;
    }
    out_format(e->out, "\n],\"activeProfileIndex\":%zu}\n", active);
}

static void
end(struct export *e)
{
    struct speedscope *f = e->state;
    out_text(e->out, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
                     "\"exporter\":\"flamepipe\",");
    if (e->host.len > 0) {
        out_text(e->out, "\"name\":");
        jsontext_string(e->out, text_span(&e->host));
        out_char(e->out, ',');
    }
    out_text(e->out, "\n\"shared\":{\"frames\":[");
    write_frames(e);
    out_text(e->out, "\n]},\n\"profiles\":[");
    samplelist_sort_by_thread(&f->samples);
    write_profiles(e);
    samplelist_free(&f->samples);
    free(f->stack.at);
}

const struct format format_speedscope = {
    .state_size = sizeof(struct speedscope), .add = add, .end = end};
