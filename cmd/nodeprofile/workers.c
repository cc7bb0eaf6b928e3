/* Events of Node about workers, and messages of workers through it:
 *
 *     {"method":"NodeWorker.attachedToWorker","params":{"sessionId":"1","workerInfo":{"workerId":"1",
 *      "type":"worker","title":"[worker 3] name","url":"file:///srv/app.js"},...}}
 *     {"method":"NodeWorker.receivedMessageFromWorker","params":{"sessionId":"1",
 *      "message":"{\"id\":1,\"result\":{}}"}}
 *     {"method":"NodeWorker.detachedFromWorker","params":{"sessionId":"1"}}
 *
 * A busy worker answers, too: V8 interrupts it. */
#include "cmd/nodeprofile/workers.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/base/clock.h"
#include "common/base/json.h"
#include "common/base/num.h"
#include "common/base/utf8.h"

/* Limits of what a process may have and send. Workers above the limit are left out. */
enum { WORKERS_MAX = 4096, NAME_BYTES_MAX = 4096, ANSWERS_MAX = WEBSOCKET_MESSAGE_MAX };

/* Number of the request for the profile. The requests before it have numbers from 0 on. */
enum { STOP = INSPECTOR_BEGIN };

/* Append JSON text as it is written inside a string. It must not contain a backslash. */
static void
add_quoted(struct text *to, struct span json)
{
    for (size_t at; (at = span_find(json, '"')) != SPAN_NONE; json = span_from(json, at + 1))
        TEXT_ADD(to, span_of(json.ptr, at), SPAN("\\\""));
    text_add(to, json);
}

/* Send a request to a worker. The answer comes as an event. */
static void
ask(struct workers *w, const struct worker *worker, size_t request, const char *method,
    const char *parameters)
{
    enum { SECONDS = 10 };
    struct text all = {0};
    char start[32];
    int n = snprintf(start, sizeof start, "{\"id\":%zu,\"method\":\"", request);
    TEXT_ADD(&all, SPAN("{\"sessionId\":\""), text_span(&worker->session),
             SPAN("\",\"message\":\""));
    add_quoted(&all, span_of(start, (size_t)n));
    add_quoted(&all, span_cstr(method));
    add_quoted(&all, SPAN("\",\"params\":"));
    add_quoted(&all, span_cstr(parameters));
    text_add(&all, SPAN("}\"}"));
    if (!w->deaf)
        w->deaf = !inspector_send(w->inspector, "NodeWorker.sendMessageToWorker", text_span(&all),
                                  clock_now() + SECONDS * CLOCK_SECOND);
    free(all.ptr);
}

/* Return the string member of an object, without quotes. */
static struct span
member(struct span object, struct span key)
{
    return json_unquoted(json_find(object, key));
}

/* Name a worker by the bracketed part of its title, "[worker 3] name", and the name of its file; if
 * it has no file, by that part and the rest of the title. */
static void
set_name(struct text *name, struct span title, struct span url)
{
    size_t slash = span_rfind(url, '/');
    struct span thread = title, more = slash != SPAN_NONE ? span_from(url, slash + 1) : url;
    if (span_skip(&title, SPAN("["))) {
        thread = span_take(&title, ']');
        more = more.len > 0 ? more : span_trim(title);
    }
    TEXT_SET(name, thread, more.len > 0 ? SPAN(": ") : SPAN(""), more);
    utf8_mask(name->ptr, name->len);
}

static void
attach(struct workers *w, struct span session, struct span info)
{
    struct worker worker = {.answered = false};
    struct span title = member(info, SPAN("title")), url = member(info, SPAN("url"));
    if (w->n == WORKERS_MAX || session.len > NAME_BYTES_MAX || title.len > NAME_BYTES_MAX ||
        url.len > NAME_BYTES_MAX) {
        w->left_out++;
        return;
    }
    text_set(&worker.session, session);
    set_name(&worker.name, title, url);
    for (size_t i = 0; i < w->kind->n; i++)
        ask(w, &worker, i, w->kind->begin[i], w->parameters);
    MEM_ADD(w->list, w->n, w->cap, worker);
}

static void
leave_out(struct workers *w, struct worker *worker)
{
    free(worker->session.ptr);
    free(worker->name.ptr);
    free(worker->answer.ptr);
    w->n--;
    w->left_out++;
    memmove(worker, worker + 1, (size_t)(w->list + w->n - worker) * sizeof *worker);
}

/* Handle a worker's message in a string. If it is its profile, keep it. */
static void
take_answer(struct workers *w, struct worker *worker, struct span message)
{
    struct text answer = {0};
    uint64_t request = UINT64_MAX;
    if (message.len > ANSWERS_MAX - w->size) {
        leave_out(w, worker);
        return;
    }
    json_decode(&answer, message);
    num_u64(json_find(text_span(&answer), SPAN("id")), &request);
    if (worker->answered || request != STOP) {
        free(answer.ptr);
        return;
    }
    utf8_mask(answer.ptr, answer.len);
    w->size += message.len;
    worker->answer = answer;
    worker->answered = true;
    worker->profile = json_find(json_find(text_span(&answer), SPAN("result")), SPAN("profile"));
}

static struct worker *
find_worker(struct workers *w, struct span session)
{
    for (size_t i = 0; i < w->n; i++)
        if (span_eq(text_span(&w->list[i].session), session))
            return &w->list[i];
    return NULL;
}

static void
take_event(void *ctx, struct span method, struct span message)
{
    struct workers *w = ctx;
    if (!span_skip(&method, SPAN("NodeWorker.")))
        return;
    struct span parameters = json_find(message, SPAN("params"));
    struct span session = member(parameters, SPAN("sessionId"));
    struct worker *worker = find_worker(w, session);
    if (span_eq(method, SPAN("attachedToWorker")) && worker == NULL && !w->stopping)
        attach(w, session, json_find(parameters, SPAN("workerInfo")));
    else if (span_eq(method, SPAN("detachedFromWorker")) && worker != NULL && !worker->answered)
        leave_out(w, worker);
    else if (span_eq(method, SPAN("receivedMessageFromWorker")) && worker != NULL)
        take_answer(w, worker, json_find(parameters, SPAN("message")));
}

const char *
workers_start(struct workers *w, struct inspector *i, const struct inspector_profile *kind,
              const char *parameters, uint64_t until)
{
    struct span result;
    *w = (struct workers){.inspector = i, .kind = kind, .parameters = parameters};
    i->event = take_event;
    i->ctx = w;
    return inspector_ask(i, "NodeWorker.enable", "{\"waitForDebuggerOnStart\":false}", until,
                         &result);
}

void
workers_stop(struct workers *w)
{
    w->stopping = true;
    for (size_t i = 0; i < w->n; i++)
        ask(w, &w->list[i], STOP, w->kind->stop, "{}");
}

static bool
all_answered(const struct workers *w)
{
    size_t i = 0;
    while (i < w->n && w->list[i].answered)
        i++;
    return i == w->n;
}

void
workers_wait(struct workers *w, uint64_t until, uint64_t patience)
{
    for (bool open = true; open && !all_answered(w);) {
        uint64_t end = clock_now() + patience;
        open = inspector_receive(w->inspector, end < until ? end : until, NULL);
    }
    for (size_t i = w->n; i-- > 0;)
        if (w->list[i].profile.len == 0)
            leave_out(w, &w->list[i]);
}

void
workers_free(struct workers *w)
{
    while (w->n > 0)
        leave_out(w, &w->list[w->n - 1]);
    free(w->list);
    *w = (struct workers){0};
}
