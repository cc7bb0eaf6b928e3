#include "cmd/nodeprofile/inspector.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/base/json.h"
#include "common/base/num.h"

#define NO_ANSWER      "its inspector does not answer"
#define NOT_UNDERSTOOD "its inspector answers what is not understood"

/* Code that V8 has optimized while no profile was taken does not say which functions are inlined
 * into it: their time would be that of their caller. Once the profiler is on, enabling coverage
 * makes V8 discard such code. */
const struct inspector_profile inspector_cpu = {
    .begin = {"Profiler.enable", "Profiler.setSamplingInterval", "Profiler.start",
              "Profiler.startPreciseCoverage", "Profiler.stopPreciseCoverage"},
    .n = 5,
    .stop = "Profiler.stop",
};

/* Before it answers the last request, V8 collects garbage once. */
const struct inspector_profile inspector_heap = {
    .begin = {"HeapProfiler.enable", "HeapProfiler.startSampling"},
    .n = 2,
    .stop = "HeapProfiler.stopSampling",
};

static const char *
why(const struct inspector *i)
{
    return i->socket.why != NULL ? i->socket.why : NO_ANSWER;
}

/* Find the path of the WebSocket in the list of inspectable targets. The first target is the
 * process. */
static struct span
find_path(struct span list)
{
    static const struct span name = SPAN("\"webSocketDebuggerUrl\""), scheme = SPAN("ws://");
    size_t at = span_search(list, name);
    size_t url = at != SPAN_NONE ? span_search(span_from(list, at), scheme) : SPAN_NONE;
    if (url == SPAN_NONE)
        return SPAN("");
    struct span rest = span_before(span_from(list, at + url + scheme.len), '"');
    size_t slash = span_find(rest, '/');
    struct span path = slash != SPAN_NONE ? span_from(rest, slash) : SPAN("");
    for (size_t k = 0; k < path.len; k++)
        if (!is_word(path.ptr[k]) && path.ptr[k] != '-' && path.ptr[k] != '/')
            return SPAN("");
    return path;
}

const char *
inspector_open(struct inspector *i, unsigned port, uint64_t until)
{
    enum { URL_PATH_MAX = 256 };
    char copy[URL_PATH_MAX];
    *i = (struct inspector){.socket.fd = -1};
    if (!websocket_open(&i->socket, port, until) ||
        !websocket_ask(&i->socket, SPAN("/json/list"), until))
        return why(i);
    struct span path = find_path(i->socket.message);
    if (path.len == 0 || path.len > sizeof copy)
        return NOT_UNDERSTOOD;
    memcpy(copy, path.ptr, path.len);
    websocket_close(&i->socket);
    if (!websocket_open(&i->socket, port, until) ||
        !websocket_upgrade(&i->socket, span_of(copy, path.len), until))
        return why(i);
    return NULL;
}

bool
inspector_send(struct inspector *i, const char *method, struct span parameters, uint64_t until)
{
    char start[64];
    int n = snprintf(start, sizeof start, "{\"id\":%u,\"method\":\"", ++i->request);
    TEXT_SET(&i->asked, span_of(start, (size_t)n), span_cstr(method), SPAN("\",\"params\":"),
             parameters, SPAN("}"));
    return websocket_send(&i->socket, text_span(&i->asked), until);
}

bool
inspector_receive(struct inspector *i, uint64_t until, const volatile sig_atomic_t *stopped)
{
    if (!websocket_receive(&i->socket, until, stopped))
        return false;
    struct span method = json_unquoted(json_find(i->socket.message, SPAN("method")));
    i->ending |= span_eq(method, SPAN("NodeRuntime.waitingForDisconnect"));
    if (i->event != NULL)
        i->event(i->ctx, method, i->socket.message);
    return true;
}

const char *
inspector_ask(struct inspector *i, const char *method, const char *parameters, uint64_t until,
              struct span *result)
{
    if (!inspector_send(i, method, span_cstr(parameters), until))
        return why(i);
    unsigned request = i->request; /* handling an event may send a request, too */
    uint64_t id;
    do
        if (!inspector_receive(i, until, NULL))
            return why(i);
    while (!num_u64(json_find(i->socket.message, SPAN("id")), &id) || id != request);
    *result = json_find(i->socket.message, SPAN("result"));
    return result->len > 0 ? NULL : NOT_UNDERSTOOD;
}

bool
inspector_wait(struct inspector *i, uint64_t until, const volatile sig_atomic_t *stopped)
{
    while (!i->ending && inspector_receive(i, until, stopped))
        ;
    return i->socket.why == NULL;
}

void
inspector_close(struct inspector *i)
{
    websocket_close(&i->socket);
    free(i->asked.ptr);
    i->asked = (struct text){0};
}
