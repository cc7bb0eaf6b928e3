/* Builds binary input for tests: numbers in the host's byte order. */
#ifndef UNIT_BYTES_H
#define UNIT_BYTES_H

#include <stdint.h>

#include "common/base/text.h"

static inline void
put_u16(struct text *t, uint16_t v)
{
    text_add(t, span_of((const char *)&v, sizeof v));
}

static inline void
put_u32(struct text *t, uint32_t v)
{
    text_add(t, span_of((const char *)&v, sizeof v));
}

static inline void
put_u64(struct text *t, uint64_t v)
{
    text_add(t, span_of((const char *)&v, sizeof v));
}

/* Append text, padded with NULs to a multiple of 8 bytes; at least one. */
static inline void
put_text(struct text *t, struct span s)
{
    static const char zeros[8];
    text_add(t, s);
    text_add(t, span_of(zeros, 8 - s.len % 8));
}

/* Begin a record. `fields` are the bytes that follow its header. */
static inline void
put_record(struct text *t, uint32_t type, uint16_t misc, struct span fields)
{
    put_u32(t, type);
    put_u16(t, misc);
    put_u16(t, (uint16_t)(8 + fields.len));
    text_add(t, fields);
}

#endif
