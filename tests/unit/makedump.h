/* Makes jitdumps: see jitdump.c in common/sym. */
#ifndef UNIT_MAKEDUMP_H
#define UNIT_MAKEDUMP_H

#include "common/base/text.h"

/* The current dump. */
static struct text dumped;

static inline void
put(const void *bytes, size_t n)
{
    text_add(&dumped, span_of(bytes, n));
}

static inline void
put32(uint32_t v)
{
    put(&v, sizeof v);
}

static inline void
put64(uint64_t v)
{
    put(&v, sizeof v);
}

/* Begin a dump. */
static inline void
put_head(uint32_t magic, uint64_t flags)
{
    dumped.len = 0;
    put32(magic);
    put32(1);
    put32(40);
    put32(62);
    put32(0);
    put32(7);
    put64(1);
    put64(flags);
}

static inline void
put_record(uint32_t type, size_t body, uint64_t time)
{
    put32(type);
    put32((uint32_t)(16 + body));
    put64(time);
}

static inline void
put_load(uint64_t time, uint64_t addr, size_t size, uint64_t index, const char *name)
{
    put_record(0, 40 + strlen(name) + 1 + size, time);
    put32(7);
    put32(8);
    put64(addr);
    put64(addr);
    put64(size);
    put64(index);
    put(name, strlen(name) + 1);
    for (size_t i = 0; i < size; i++)
        put("\xcc", 1);
}

static inline void
put_move(uint64_t time, uint64_t from, uint64_t to, uint64_t size, uint64_t index)
{
    put_record(1, 48, time);
    put32(7);
    put32(8);
    put64(to);
    put64(from);
    put64(to);
    put64(size);
    put64(index);
}

#endif
