/* Builds binary data: integers in the host's byte order, and headers of records. */
#ifndef EVENT_APPEND_H
#define EVENT_APPEND_H

#include "common/base/text.h"
#include "common/event/record.h"

static inline void
append_u32(struct text *t, uint32_t v)
{
    text_add(t, SPAN_BYTES(v));
}

static inline void
append_u64(struct text *t, uint64_t v)
{
    text_add(t, SPAN_BYTES(v));
}

/* Append the header of a record with `size` bytes after the header; both have at most RECORD_MAX
 * bytes. */
static inline void
append_header(struct text *t, uint32_t type, uint16_t misc, size_t size)
{
    char header[RECORD_HEADER];
    store_u32(header, type);
    store_u16(header + 4, misc);
    store_u16(header + 6, (uint16_t)(RECORD_HEADER + size));
    text_add(t, span_of(header, sizeof header));
}

/* Append s, and then NULs up to a multiple of `align` bytes, at least one NUL. `align` is at most
 * 64. */
static inline void
append_padded(struct text *t, struct span s, size_t align)
{
    static const char zeros[64];
    text_add(t, s);
    text_add(t, span_of(zeros, align - s.len % align));
}

#endif
