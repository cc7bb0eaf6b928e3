#define _GNU_SOURCE /* getrandom, SOCK_CLOEXEC */
#include "cmd/nodeprofile/websocket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/base/clock.h"
#include "common/base/num.h"

/* RFC 6455, 5.2: a frame begins with a byte with FIN, three reserved bits and the opcode, and a
 * byte with MASK and the length. The lengths 126 and 127 mean that the real length follows in two
 * or eight bytes. Four bytes of mask follow if MASK is set: never in frames of a server, always in
 * those of a client. */
enum { FIN = 0x80, RESERVED = 0x70, OPCODE = 0x0f, MASK = 0x80, LENGTH = 0x7f, MASK_BYTES = 4 };
enum { LENGTH_16 = 126, LENGTH_64 = 127, CONTROL_MAX = 125 };
enum { CONTINUES = 0, TEXT = 1, BINARY = 2, CLOSE = 8, PING = 9, PONG = 10 };

enum { HEAD_MAX = 14, BLOCK = 64 * 1024 };

/* Receiving */

static uint64_t
big_endian(const char *bytes, size_t n)
{
    uint64_t value = 0;
    for (size_t i = 0; i < n; i++)
        value = value << 8 | (unsigned char)bytes[i];
    return value;
}

static const char *
find_fault(const struct websocket_frame *f, unsigned char first, unsigned char second,
           uint64_t length)
{
    if ((first & RESERVED) != 0)
        return "it sent a frame with extensions";
    if ((second & MASK) != 0)
        return "it sent a frame as only clients do";
    if (f->opcode > PONG || (f->opcode > BINARY && f->opcode < CLOSE))
        return "it sent a frame of an unknown kind";
    if (f->opcode >= CLOSE && (!f->last || length > CONTROL_MAX))
        return "it sent a long control frame";
    return length > WEBSOCKET_MESSAGE_MAX ? "it sent more than 512 MB" : NULL;
}

enum websocket_parsed
websocket_parse(struct span bytes, struct websocket_frame *f, const char **why)
{
    enum { HEAD = 2 };
    if (bytes.len < HEAD)
        return WEBSOCKET_MORE;
    unsigned char first = (unsigned char)bytes.ptr[0], second = (unsigned char)bytes.ptr[1];
    uint64_t length = second & LENGTH;
    size_t more = length == LENGTH_16 ? 2 : length == LENGTH_64 ? 8 : 0;
    if (bytes.len < HEAD + more)
        return WEBSOCKET_MORE;
    if (more > 0)
        length = big_endian(bytes.ptr + HEAD, more);
    *f = (struct websocket_frame){.opcode = first & OPCODE, .last = (first & FIN) != 0};
    *why = find_fault(f, first, second, length);
    if (*why != NULL)
        return WEBSOCKET_BAD;
    f->size = HEAD + more + (size_t)length;
    if (bytes.len < f->size)
        return WEBSOCKET_MORE;
    f->payload = span_of(bytes.ptr + HEAD + more, (size_t)length);
    return WEBSOCKET_FRAME;
}

static bool
fail(struct websocket *w, const char *why)
{
    w->why = why;
    return false;
}

/* Wait until the socket can be read or written. */
static bool
wait_for(struct websocket *w, short events, uint64_t until, const volatile sig_atomic_t *stopped)
{
    enum { SLICE = 100 /* ms, after which a signal that came before poll(2) is seen */ };
    struct pollfd p = {.fd = w->fd, .events = events};
    w->why = NULL;
    /* Check the time first, since a server that never pauses is always ready. */
    for (uint64_t now; (stopped == NULL || !*stopped) && (now = clock_now()) < until;) {
        uint64_t left = (until - now) / (CLOCK_SECOND / 1000) + 1;
        int n = poll(&p, 1, left < SLICE ? (int)left : SLICE);
        if (n > 0)
            return true;
        if (n < 0 && errno != EINTR)
            return fail(w, strerror(errno));
    }
    return false;
}

/* Receive some bytes. */
static bool
fill(struct websocket *w, uint64_t until, const volatile sig_atomic_t *stopped)
{
    if (!wait_for(w, POLLIN, until, stopped))
        return false;
    w->input.ptr = mem_grow(w->input.ptr, &w->input.cap, w->input.len + BLOCK, 1);
    ssize_t n = recv(w->fd, w->input.ptr + w->input.len, BLOCK, MSG_DONTWAIT);
    if (n == 0)
        return fail(w, "it closed the connection");
    if (n < 0)
        return errno == EAGAIN || errno == EINTR || fail(w, strerror(errno));
    w->input.len += (size_t)n;
    return true;
}

static struct span
input_of(const struct websocket *w)
{
    return span_from(text_span(&w->input), w->taken);
}

/* Drop the bytes that were consumed. */
static void
drop_taken(struct websocket *w)
{
    if (w->taken == 0)
        return;
    w->input.len -= w->taken;
    memmove(w->input.ptr, w->input.ptr + w->taken, w->input.len);
    w->taken = 0;
}

/* Sending */

static bool
send_all(struct websocket *w, struct span s, uint64_t until)
{
    while (s.len > 0) {
        if (!wait_for(w, POLLOUT, until, NULL))
            return false;
        ssize_t n = send(w->fd, s.ptr, s.len, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (n < 0 && errno != EAGAIN && errno != EINTR)
            return fail(w, strerror(errno));
        s = span_from(s, n > 0 ? (size_t)n : 0);
    }
    return true;
}

/* Send a frame of at most 65,535 bytes. */
static bool
send_frame(struct websocket *w, unsigned opcode, struct span payload, uint64_t until)
{
    struct text frame = {0};
    unsigned char head[HEAD_MAX], *mask;
    size_t n = 0;
    head[n++] = (unsigned char)(FIN | opcode);
    head[n++] = (unsigned char)(MASK | (payload.len > CONTROL_MAX ? LENGTH_16 : payload.len));
    if (payload.len > CONTROL_MAX) {
        head[n++] = (unsigned char)(payload.len >> 8);
        head[n++] = (unsigned char)payload.len;
    }
    mask = head + n;
    n += MASK_BYTES;
    memset(mask, 0, MASK_BYTES);
    if (getrandom(mask, MASK_BYTES, GRND_NONBLOCK) < 0)
        mask[0] = 1; /* a mask protects proxies; here there are none */
    TEXT_ADD(&frame, span_of((const char *)head, n), payload);
    for (size_t i = 0; i < payload.len; i++)
        frame.ptr[n + i] = (char)((unsigned char)frame.ptr[n + i] ^ mask[i % MASK_BYTES]);
    bool sent = send_all(w, text_span(&frame), until);
    free(frame.ptr);
    return sent;
}

bool
websocket_send(struct websocket *w, struct span text, uint64_t until)
{
    return send_frame(w, TEXT, text, until);
}

/* Messages */

/* Append a frame to the message. Return true if the message is complete. */
static bool
take_frame(struct websocket *w, const struct websocket_frame *f, uint64_t until)
{
    w->taken += f->size;
    if (f->opcode == PING)
        send_frame(w, PONG, f->payload, until);
    else if (f->opcode == CLOSE)
        w->why = "it closed the connection";
    else if (f->opcode == PONG)
        return false;
    else if (f->payload.len > WEBSOCKET_MESSAGE_MAX - w->parts.len)
        w->why = "it sent more than 512 MB";
    else if (f->last && w->parts.len == 0)
        w->message = f->payload;
    else {
        text_add(&w->parts, f->payload);
        w->message = text_span(&w->parts);
    }
    return w->why == NULL && f->last && f->opcode < CLOSE;
}

bool
websocket_receive(struct websocket *w, uint64_t until, const volatile sig_atomic_t *stopped)
{
    struct websocket_frame f;
    w->why = NULL;
    w->parts.len = 0;
    drop_taken(w);
    for (;;) {
        const char *why = NULL;
        switch (websocket_parse(input_of(w), &f, &why)) {
        case WEBSOCKET_FRAME:
            if (take_frame(w, &f, until))
                return true;
            if (w->why != NULL)
                return false;
            break;
        case WEBSOCKET_BAD:
            return fail(w, why);
        case WEBSOCKET_MORE:
            drop_taken(w);
            if (!fill(w, until, stopped))
                return false;
        }
    }
}

/* HTTP */

bool
websocket_open(struct websocket *w, unsigned port, uint64_t until)
{
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port),
                             .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int error = 0;
    socklen_t size = sizeof error;
    *w = (struct websocket){.port = port};
    w->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (w->fd < 0)
        return fail(w, strerror(errno));
    if (connect(w->fd, (struct sockaddr *)&to, sizeof to) == 0)
        return true;
    if (errno != EINPROGRESS)
        return fail(w, strerror(errno));
    if (!wait_for(w, POLLOUT, until, NULL))
        return false;
    if (getsockopt(w->fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0 || error != 0)
        return fail(w, strerror(error != 0 ? error : errno));
    return true;
}

static bool
send_request(struct websocket *w, struct span path, struct span fields, uint64_t until)
{
    char host[64];
    struct text request = {0};
    snprintf(host, sizeof host, " HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n", w->port);
    TEXT_ADD(&request, SPAN("GET "), path, span_cstr(host), fields, SPAN("\r\n"));
    bool sent = send_all(w, text_span(&request), until);
    free(request.ptr);
    return sent;
}

/* Receive the header of the answer, which must have this status, and consume it. */
static bool
take_header(struct websocket *w, struct span status, struct span *header, uint64_t until)
{
    enum { SCHEME = sizeof "HTTP/1.0" - 1 };
    static const struct span blank_line = SPAN("\r\n\r\n");
    size_t end;
    while ((end = span_search(input_of(w), blank_line)) == SPAN_NONE)
        if (input_of(w).len > WEBSOCKET_ANSWER_MAX || !fill(w, until, NULL))
            return false;
    *header = span_head(input_of(w), end);
    w->taken += end + blank_line.len;
    return (span_starts(*header, SPAN("HTTP/1.")) && header->len > SCHEME &&
            span_starts(span_from(*header, SCHEME), status)) ||
           fail(w, "it answers as no inspector does");
}

/* Return the length of the page; WEBSOCKET_ANSWER_MAX if the header does not give it. */
static size_t
page_length(struct span header)
{
    static const struct span field = SPAN("\r\nContent-Length: ");
    size_t at = span_search(header, field);
    uint64_t length;
    if (at == SPAN_NONE)
        return WEBSOCKET_ANSWER_MAX;
    struct span line = span_from(header, at + field.len);
    bool is_number = num_u64(span_before(line, '\r'), &length);
    return is_number && length < WEBSOCKET_ANSWER_MAX ? (size_t)length : WEBSOCKET_ANSWER_MAX;
}

bool
websocket_ask(struct websocket *w, struct span path, uint64_t until)
{
    struct span header;
    if (!send_request(w, path, SPAN("Connection: close\r\n"), until) ||
        !take_header(w, SPAN(" 200 "), &header, until))
        return false;
    size_t length = page_length(header);
    while (input_of(w).len < length && fill(w, until, NULL))
        ;
    w->message = input_of(w);
    return w->message.len > 0;
}

bool
websocket_upgrade(struct websocket *w, struct span path, uint64_t until)
{
    /* The server must answer with a hash of the key. Any sixteen bytes in base64 will do. */
    struct span header, fields = SPAN("Upgrade: websocket\r\nConnection: Upgrade\r\n"
                                      "Sec-WebSocket-Version: 13\r\n"
                                      "Sec-WebSocket-Key: Zmxhbcpncm9maWxlci4uLg==\r\n");
    return send_request(w, path, fields, until) && take_header(w, SPAN(" 101 "), &header, until);
}

struct text
websocket_keep(struct websocket *w)
{
    struct text kept, rest = {0};
    if (w->parts.len > 0) {
        kept = w->parts;
        w->parts = (struct text){0};
        return kept;
    }
    text_add(&rest, input_of(w));
    kept = w->input;
    w->input = rest;
    w->taken = 0;
    return kept;
}

void
websocket_close(struct websocket *w)
{
    if (w->fd >= 0)
        close(w->fd);
    free(w->input.ptr);
    free(w->parts.ptr);
    *w = (struct websocket){.fd = -1};
}
