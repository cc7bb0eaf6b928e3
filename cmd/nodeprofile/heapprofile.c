/* Two heap profiles
 *
 *     {"head":{"callFrame":{"functionName":"(root)",...},"selfSize":0,"id":1,"children":[
 *         {"callFrame":{"functionName":"fill",...},"selfSize":32792,"id":2,"children":[]}]},
 *      "samples":[{"size":32792,"nodeId":2,"ordinal":1}]}
 *
 * become one. Its head calls their heads, which get the names of the threads; the same number is
 * added to all ids of a thread. Everything else is printed unchanged. */
#include "cmd/nodeprofile/heapprofile.h"

#include "common/base/json.h"
#include "common/base/num.h"

/* Return true if the last item read is the key of a node's id. Then set *id to the id, and *written
 * to its text. */
static bool
read_id(struct json *j, uint64_t *id, struct span *written)
{
    if (!json_is(j, SPAN("id")) && !json_is(j, SPAN("nodeId")))
        return false;
    json_next(j);
    *written = json_raw(j);
    return num_u64(*written, id);
}

static uint64_t
find_highest_id(struct span profile)
{
    struct json j;
    struct span written;
    uint64_t id, highest = 0;
    json_start_text(&j, profile);
    while (json_next(&j) != JSON_END && j.item != JSON_ERROR)
        if (read_id(&j, &id, &written) && id > highest)
            highest = id;
    return highest;
}

/* Print JSON text with `more` added to all ids. Give the first function the name `name`, unless
 * that is empty. */
static void
print_changed(struct out *o, struct span text, struct span name, uint64_t more)
{
    struct json j;
    struct span written;
    uint64_t id;
    const char *end = text.ptr + text.len;
    json_start_text(&j, text);
    while (json_next(&j) != JSON_END && j.item != JSON_ERROR) {
        bool names = name.len > 0 && json_is(&j, SPAN("functionName"));
        if (names) {
            json_next(&j);
            written = json_raw(&j);
        }
        if (!names && !read_id(&j, &id, &written))
            continue;
        if (written.len == 0)
            break;
        out_span(o, span_of(text.ptr, (size_t)(written.ptr - text.ptr)));
        text.ptr = written.ptr + written.len;
        if (names) {
            out_char(o, '"');
            out_span(o, name);
            out_char(o, '"');
            name = SPAN("");
        } else {
            out_u64(o, id + more);
        }
    }
    out_span(o, span_of(text.ptr, (size_t)(end - text.ptr)));
}

static void
print_samples(struct out *o, struct span samples, uint64_t more, bool *any)
{
    struct json j;
    json_start_text(&j, samples);
    for (json_enter(&j, JSON_ARRAY); json_element(&j); *any = true) {
        if (*any)
            out_char(o, ',');
        print_changed(o, json_raw(&j), SPAN(""), more);
    }
}

void
heapprofile_print(struct out *o, const struct cpuprofile *profiles, size_t n)
{
    if (n == 1) {
        out_span(o, profiles->json);
        return;
    }
    out_text(o, "{\"head\":{\"callFrame\":{\"functionName\":\"(root)\",\"scriptId\":\"0\","
                "\"url\":\"\",\"lineNumber\":-1,\"columnNumber\":-1},\"selfSize\":0,\"id\":1,"
                "\"children\":[");
    uint64_t more = 1;
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            out_char(o, ',');
        print_changed(o, json_find(profiles[i].json, SPAN("head")), profiles[i].name, more);
        more += find_highest_id(profiles[i].json);
    }
    out_text(o, "]},\"samples\":[");
    bool any = false;
    more = 1;
    for (size_t i = 0; i < n; i++) {
        print_samples(o, json_find(profiles[i].json, SPAN("samples")), more, &any);
        more += find_highest_id(profiles[i].json);
    }
    out_text(o, "]}");
}
