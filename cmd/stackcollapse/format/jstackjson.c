/* Thread dumps of Java that jcmd Thread.dump_to_file -format=json writes, one thread after the
 * other, leaf first (threadDump.schema.json in the API of com.sun.management):
 *
 *     {"threadDump": {"processId": 4242, "time": "2026-01-05T06:31:54Z", "runtimeVersion": "25",
 *       "threadContainers": [
 *         {"container": "<root>", "parent": null, "owner": null, "threadCount": 2, "threads": [
 *           {"tid": 1, "name": "main", "state": "WAITING",
 *            "stack": ["java.base\/java.lang.Object.wait0(Native Method)", "app//J.main(J.java:9)"]},
 *           {"tid": 26, "virtual": true, "name": "", "state": "RUNNABLE", "carrier": 27,
 *            "stack": ["app//J.fib(J.java:5)"]}]}]}}
 *
 * Up to JDK 24 there are no states, and numbers are strings. Only running threads are folded. */
#include "cmd/stackcollapse/shared/javathread.h"
#include "cmd/stackcollapse/shared/jsonfile.h"

struct jstackjson {
    struct javathread thread;
    struct text name, tid, state; /* of the current thread */
};

static void
read_method(void *ctx, struct json *j)
{
    if (j->item == JSON_STRING)
        javathread_push(ctx, span_before(j->text, '('));
}

static void
read_stack(void *ctx, struct json *j)
{
    jsonfile_elements(j, read_method, ctx, false);
}

/* Read a thread's number: a number or a string. */
static void
read_tid(void *ctx, struct json *j)
{
    enum json_item item = json_scalar(j);
    bool number = item == JSON_STRING || item == JSON_NUMBER;
    text_set(&((struct jstackjson *)ctx)->tid, number ? j->text : SPAN(""));
}

/* Read a thread, after its "{". */
static void
read_thread(void *ctx, struct json *j)
{
    static const struct jsonfield fields[] = {
        FIELD_TEXT("name", struct jstackjson, name),
        FIELD_TEXT("state", struct jstackjson, state),
        FIELD_VALUE("tid", read_tid),
        FIELD_VALUE("stack", read_stack),
        FIELD_END,
    };
    struct jstackjson *f = ctx;
    struct javathread *t = &f->thread;
    f->name.len = f->tid.len = f->state.len = t->base.n = 0;
    while (json_member(j))
        jsonfile_member(j, fields, f);
    bool stateless = f->state.len == 0;
    javathread_begin(t, text_span(&f->name), text_span(&f->tid));
    t->state = stateless ? JAVATHREAD_RUNS : javathread_state(text_span(&f->state));
    javathread_end(t, javathread_runs(t, stateless));
}

static bool
is_ours(struct span head)
{
    return jsonfile_has(head, SPAN("threadContainers"));
}

static const struct jsonfield members[] = {
    FIELD_INSIDE("threadDump", JSON_OBJECT),
    FIELD_INSIDE("threadContainers", JSON_ARRAY),
    FIELD_OBJECTS("threads", read_thread),
    FIELD_END,
};

const struct format format_jstackjson = {
    .is_json = is_ours,
    .members = members,
    .state_size = sizeof(struct jstackjson),
    .buffers = MEMBERS(struct jstackjson, thread.name, name, tid, state),
    .left_out = "threads wait or have no Java frames"};
