#include "cmd/nodeprofile/websocket.h"

#include "tests/unit/test.h"

#include <sys/socket.h>
#include <unistd.h>

#include "common/base/clock.h"

/* Parse the frame; the bytes that are good for one are too few for it if they are cut anywhere. */
static struct websocket_frame
parse(struct span bytes)
{
    struct websocket_frame f = {.size = 0}, cut;
    const char *why = "not parsed";
    for (size_t len = 0; len < bytes.len; len++)
        CHECK(websocket_parse(span_head(bytes, len), &cut, &why) == WEBSOCKET_MORE);
    CHECK(websocket_parse(bytes, &f, &why) == WEBSOCKET_FRAME);
    CHECK(why == NULL);
    CHECK(f.size == bytes.len);
    return f;
}

TEST("a frame has its length in one byte, in two or in eight")
{
    static char text[70000];
    struct websocket_frame f = parse(SPAN("\x81\x03"
                                          "abc"));
    CHECK(f.opcode == 1 && f.last && span_eq(f.payload, SPAN("abc")));
    f = parse(SPAN("\x02\x7e\x00\x02xy"));
    CHECK(f.opcode == 2 && !f.last && span_eq(f.payload, SPAN("xy")));
    memcpy(text, "\x80\x7f\x00\x00\x00\x00\x00\x01\x00\x00", 10);
    f = parse(span_of(text, 10 + 65536));
    CHECK(f.opcode == 0 && f.last && f.payload.len == 65536);
}

TEST("what a server may not send is refused as soon as its header is there")
{
    static const struct span wrong[] = {
        SPAN("\xc1\x00"),
        SPAN("\x81\x83"),
        SPAN("\x83\x00"),
        SPAN("\x8b\x00"),
        SPAN("\x09\x00"),
        SPAN("\x89\x7e\x00\x7e"),
        SPAN("\x8f\x00"),
        SPAN("\x81\x7f\x00\x00\x00\x00\x20\x00\x00\x01"),
        SPAN("\x81\x7f\xff\xff\xff\xff\xff\xff\xff\xff"),
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct websocket_frame f;
        const char *why = NULL;
        CHECK(websocket_parse(wrong[i], &f, &why) == WEBSOCKET_BAD);
        CHECK(why != NULL);
    }
}

/* A connection on which a server has said this, and no more comes. */
static struct websocket
connection(struct span said, int *server)
{
    int ends[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    CHECK(write(ends[1], said.ptr, said.len) == (ssize_t)said.len);
    *server = ends[1];
    return (struct websocket){.fd = ends[0], .port = 9229};
}

TEST("messages come in parts, between them pings, which are answered")
{
    int server;
    char sent[16];
    uint64_t until = clock_now() + 10 * CLOCK_SECOND;
    struct websocket w = connection(SPAN("\x01\x02"
                                         "ab"
                                         "\x89\x01p"
                                         "\x80\x01"
                                         "c"
                                         "\x8a\x00"
                                         "\x81\x01"
                                         "d"),
                                    &server);
    CHECK(websocket_receive(&w, until, NULL));
    CHECK(span_eq(w.message, SPAN("abc")));
    CHECK(read(server, sent, sizeof sent) == 2 + 4 + 1); /* with a mask */
    CHECK((unsigned char)sent[0] == 0x8a && (unsigned char)sent[1] == 0x81);
    CHECK((sent[6] ^ sent[2]) == 'p');
    CHECK(websocket_receive(&w, until, NULL));
    CHECK(span_eq(w.message, SPAN("d")));
    struct text kept = websocket_keep(&w);
    CHECK(span_eq(w.message, SPAN("d")));
    CHECK(!websocket_receive(&w, clock_now(), NULL) && w.why == NULL); /* the time is over */
    close(server);
    CHECK(!websocket_receive(&w, until, NULL) && w.why != NULL);
    free(kept.ptr);
    websocket_close(&w);
}

TEST("a server that never pauses gets no more time")
{
    int server;
    struct websocket w = connection(SPAN("\x8a\x00\x8a\x00\x81\x01"
                                         "a"),
                                    &server);
    CHECK(!websocket_receive(&w, clock_now(), NULL) && w.why == NULL);
    CHECK(websocket_receive(&w, clock_now() + 10 * CLOCK_SECOND, NULL));
    CHECK(span_eq(w.message, SPAN("a")));
    close(server);
    websocket_close(&w);
}

TEST("a signal ends the wait for a message")
{
    int server;
    volatile sig_atomic_t stopped = 1;
    struct websocket w = connection(SPAN("\x81"), &server);
    CHECK(!websocket_receive(&w, clock_now() + 3600 * CLOCK_SECOND, &stopped) && w.why == NULL);
    close(server);
    websocket_close(&w);
}

TEST("the page is what comes after the header, of the length that the header says")
{
    int server;
    uint64_t until = clock_now() + 10 * CLOCK_SECOND;
    struct websocket w = connection(
        SPAN("HTTP/1.0 200 OK\r\nContent-Type: x\r\nContent-Length: 2\r\n\r\n[]"), &server);
    CHECK(websocket_ask(&w, SPAN("/json/list"), until));
    CHECK(span_eq(w.message, SPAN("[]")));
    close(server);
    websocket_close(&w);
    w = connection(SPAN("HTTP/1.1 404 Not Found\r\n\r\n"), &server);
    CHECK(!websocket_ask(&w, SPAN("/json/list"), until) && w.why != NULL);
    close(server);
    websocket_close(&w);
}
