#include "cmd/stackexport/protobuf.h"

/* Types of fields, in the lowest three bits of the number that precedes each. */
enum { NUMBER = 0, BYTES = 2 };

void
protobuf_put(struct text *t, uint64_t number)
{
    enum { LONGEST = 10 };
    t->ptr = mem_grow(t->ptr, &t->cap, t->len + LONGEST, 1);
    for (; number >= 0x80; number >>= 7)
        t->ptr[t->len++] = (char)(number | 0x80);
    t->ptr[t->len++] = (char)number;
}

void
protobuf_number(struct text *t, uint32_t field, uint64_t number)
{
    if (number == 0)
        return;
    protobuf_put(t, (uint64_t)field << 3 | NUMBER);
    protobuf_put(t, number);
}

void
protobuf_bytes(struct text *t, uint32_t field, struct span bytes)
{
    protobuf_put(t, (uint64_t)field << 3 | BYTES);
    protobuf_put(t, bytes.len);
    text_add(t, bytes);
}
