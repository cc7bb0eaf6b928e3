/* Makes tracing data, as in perf.data, from the texts of formats, and samples of tracepoints. */
#ifndef UNIT_TRACEDATA_H
#define UNIT_TRACEDATA_H

#include <stdint.h>
#include <stdlib.h>

#include "common/base/text.h"
#include "common/event/record.h"
#include "tests/unit/bytes.h"

static inline void
tracedata_number(struct text *t, uint64_t n, size_t size)
{
    uint32_t word = (uint32_t)n;
    text_add(t, size == 8 ? span_of((const char *)&n, 8) : span_of((const char *)&word, 4));
}

/* Append the size of a text, as a number of size_size bytes, and the text. */
static inline void
tracedata_text(struct text *t, struct span text, size_t size_size)
{
    tracedata_number(t, text.len, size_size);
    text_add(t, text);
}

/* Append everything up to the formats of the system "ftrace", which has none. */
static inline void
tracedata_start(struct text *t, char long_size)
{
    const uint16_t one = 1;
    bool little_endian = *(const char *)&one == 1;
    text_add(t, SPAN("\x17\x08\x44tracing0.6\0"));
    text_add(t, little_endian ? SPAN("\0") : SPAN("\1"));
    text_add(t, span_of(&long_size, 1));
    tracedata_number(t, 4096, 4);
    text_add(t, SPAN("header_page\0"));
    tracedata_text(t, SPAN("\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"), 8);
    text_add(t, SPAN("header_event\0"));
    tracedata_text(t, SPAN("# compressed entry header\n"), 8);
    tracedata_number(t, 0, 4);
}

/* Append everything after the systems. `strings` is a list in the form of printk_formats. */
static inline void
tracedata_end(struct text *t, struct span strings)
{
    tracedata_number(t, 0, 4);
    tracedata_text(t, strings, 4);
    tracedata_number(t, 0, 8);
}

/* Append complete data with one format of the system "test". */
static inline void
tracedata_one(struct text *t, char long_size, struct span format, struct span strings)
{
    tracedata_start(t, long_size);
    tracedata_number(t, 1, 4);
    text_add(t, SPAN("test\0"));
    tracedata_number(t, 1, 4);
    tracedata_text(t, format, 8);
    tracedata_end(t, strings);
}

/* Append a sample of a tracepoint: of counter `id` and of thread 8 of a process, with the common
 * fields (0) and these words as its payload. */
static inline void
put_payload(struct text *to, uint64_t id, uint32_t pid, uint64_t time, const uint64_t *words,
            uint32_t count)
{
    struct text fields = {0};
    put_u64(&fields, id);
    put_u32(&fields, pid);
    put_u32(&fields, 8);
    put_u64(&fields, time);
    put_u32(&fields, 8 + count * 8 + 4); /* of the payload, with 4 bytes of padding */
    put_u64(&fields, 0);
    for (uint32_t i = 0; i < count; i++)
        put_u64(&fields, words[i]);
    put_u32(&fields, 0);
    put_record(to, PERF_RECORD_SAMPLE, 2, text_span(&fields));
    free(fields.ptr);
}

#endif
