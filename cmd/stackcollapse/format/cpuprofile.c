/* The CPU profiles of V8: node --cpu-prof, and "Save profile" of Chrome's developer tools. One JSON
 * object, the type Profile of the DevTools protocol (https://chromedevtools.github.io/
 * devtools-protocol/v8/Profiler/#type-Profile):
 *
 *     {"nodes": [
 *         {"id": 1, "callFrame": {"functionName": "(root)", "scriptId": "0", "url": "",
 *                                 "lineNumber": -1, "columnNumber": -1}, "children": [2]},
 *         {"id": 2, "callFrame": {"functionName": "get total", "scriptId": "80",
 *                                 "url": "file:///srv/app.js", "lineNumber": 21,
 *                                 "columnNumber": 13}, "hitCount": 2}],
 *      "startTime": 27552904445, "endTime": 27553284283,
 *      "samples": [2, 2], "timeDeltas": [3246, 20381]}
 *
 * A sample is the id of its stack's leaf; a time delta is the microseconds since the sample before
 * it, or since startTime. Lines and columns count from 0. Some writers give each node the id of its
 * parent in place of the children's, and what Profiler.stop returns has the object in a member:
 *
 *     {"id": 3, "result": {"profile": {"nodes": [], "startTime": 0, "endTime": 0}}} */
#include "cmd/stackcollapse/shared/sampletree.h"

static void
fold(struct stacker *f)
{
    struct sampletree t = {.r = f};
    struct json j;
    json_start(&j, &f->c->input.lines);
    sampletree_read(&t, &j);
    jsonfile_end(f, &j);
    sampletree_add(&t, 0, 0);
    sampletree_fold(&t);
    sampletree_free(&t);
}

/* Exclude traces, whose events may have nodes, too. */
static bool
is_ours(struct span head)
{
    bool events =
        span_starts(span_trim(head), SPAN("[")) || jsonfile_has(head, SPAN("traceEvents"));
    return !events && jsonfile_has(head, SPAN("nodes")) && jsonfile_has(head, SPAN("callFrame"));
}

const struct format format_cpuprofile = {.is_json = is_ours, .fold = fold, .per_file = true};
