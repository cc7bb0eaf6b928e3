#include "cmd/flamesvg/packed.h"

#include <stdlib.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Write three bytes as four digits. At the end there may be fewer: write "=" for each missing
 * one. */
static void
put_group(struct out *out, const char *p, size_t n)
{
    const unsigned char *u = (const unsigned char *)p;
    unsigned bits = (unsigned)u[0] << 16 | (n > 1 ? (unsigned)u[1] << 8 : 0) | (n > 2 ? u[2] : 0u);
    char digits[4];
    for (size_t i = 0; i < 4; i++)
        digits[i] = i <= n ? alphabet[bits >> (18 - 6 * i) & 63] : '=';
    out_span(out, span_of(digits, 4));
}

/* Write all whole groups of bytes. */
static void
put_groups(struct packed *p)
{
    size_t at = 0;
    for (; p->bytes.len - at >= 3; at += 3)
        put_group(p->to, p->bytes.ptr + at, 3);
    memmove(p->bytes.ptr, p->bytes.ptr + at, p->bytes.len - at);
    p->bytes.len -= at;
}

static void
take(void *packed, struct span text)
{
    struct packed *p = packed;
    deflate_add(p->deflate, text);
    put_groups(p);
}

void
packed_start(struct packed *p, struct out *to)
{
    out_call(&p->text, take, p);
    p->to = to;
    p->bytes = (struct text){0};
    p->deflate = deflate_start(&p->bytes);
}

void
packed_finish(struct packed *p)
{
    out_flush(&p->text);
    deflate_finish(p->deflate);
    put_groups(p);
    if (p->bytes.len > 0)
        put_group(p->to, p->bytes.ptr, p->bytes.len);
    free(p->bytes.ptr);
}
