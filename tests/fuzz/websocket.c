#include "tests/fuzz/fuzz.h"

#include <sys/socket.h>
#include <unistd.h>

#include "cmd/nodeprofile/websocket.h"
#include "common/base/clock.h"

enum { TAKEN = 32 * 1024 /* what a socket takes at once */ };

/* A connection to a server that says this and closes. */
static struct websocket
connection(const uint8_t *data, size_t size)
{
    int ends[2];
    MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    MUST(write(ends[1], data, size) == (ssize_t)size);
    MUST(shutdown(ends[1], SHUT_WR) == 0);
    struct websocket w = {.fd = ends[0], .port = 9229};
    /* What is sent to it is not read. */
    close(ends[1]);
    return w;
}

/* Whatever a server says as a page or as messages, it ends, and no message is longer than all. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct websocket_frame f;
    const char *why = NULL;
    uint64_t until = clock_now() + 600 * CLOCK_SECOND; /* a busy machine ends no wait */
    size = size < TAKEN ? size : TAKEN;
    if (websocket_parse(fuzz_span(data, size), &f, &why) == WEBSOCKET_FRAME)
        MUST(f.size <= size && fuzz_inside(f.payload, fuzz_span(data, size)));
    struct websocket w = connection(data, size);
    for (size_t n = 0; websocket_receive(&w, until, NULL); n++)
        MUST(w.message.len <= size && n <= size);
    MUST(w.why != NULL);
    websocket_close(&w);
    w = connection(data, size);
    w.why = NULL;
    if (websocket_ask(&w, SPAN("/"), until))
        MUST(w.message.len <= size);
    websocket_close(&w);
    return 0;
}
