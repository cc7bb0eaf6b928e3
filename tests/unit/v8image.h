/* Images of the memory of node processes: the memory that common/v8 read, the frames that it was
 * given, and the names that it reported. In tests, it must find the same names again.
 * tests/record/v8image.sh makes images. After the line "v8image 1", they consist of records: a
 * letter, and numbers in this machine's byte order (little endian), of 64 bits unless stated
 * otherwise:
 *
 *     V major minor                            of V8
 *     S value length8 name                     a symbol of its metadata
 *     F time pc context function bytecode offset tid32 flags8      a frame: v8names_add
 *     M line reads8 bytes[64]                  memory at line * 64, from that read in the round on
 *     N time                                   the clock, each time that it was asked for
 *     R                                        v8names_resolve
 *     C since start size length16 label        what is reported to the sink in it
 *     T since addr
 *     I since start size length16 labels */
#ifndef UNIT_V8IMAGE_H
#define UNIT_V8IMAGE_H

#include <stdio.h>
#include <stdlib.h>

#include "common/base/cursor.h"
#include "common/base/text.h"
#include "common/v8/addresses.h"
#include "common/v8/names.h"

#define V8IMAGE_HEAD "v8image 1\n"

enum {
    V8IMAGE_LEAF = 1,
    V8IMAGE_WORDS = 2,
    V8IMAGE_FILE = 4,
    V8IMAGE_GUESSED = 8,
    V8IMAGE_CONTEXT = 16, /* without the other words; images of older versions do not have it */
};

/* The content of a line of memory. */
struct v8image_version {
    unsigned round; /* number of the R after it */
    unsigned reads;
    const unsigned char *bytes;
};

struct v8image_line {
    VEC(struct v8image_version) versions;
    unsigned round; /* round of the last read, */
    unsigned reads; /* and number of reads */
};

struct v8image_constant {
    struct span name;
    int64_t value;
};

struct v8image {
    struct cursor rest;
    unsigned version[2];
    VEC(struct v8image_constant) symbols;
    struct addresses places;
    VEC(struct v8image_line) lines;
    VEC(uint64_t) times; /* times of one round */
    size_t next_time;
    unsigned round;
    size_t nblocks;       /* total number of blocks read */
    struct text wanted;   /* the expected reports to the sink in one round, as C and T records */
    struct text reported; /* the actual reports */
};

static inline void
v8image_open(struct v8image *i, struct span data)
{
    *i = (struct v8image){.rest = cursor_of(data)};
    cursor_take(&i->rest, sizeof V8IMAGE_HEAD - 1);
}

static inline void
v8image_close(struct v8image *i)
{
    for (size_t n = 0; n < i->lines.n; n++)
        free(i->lines.at[n].versions.at);
    free(i->lines.at);
    free(i->symbols.at);
    free(i->times.at);
    free(i->wanted.ptr);
    free(i->reported.ptr);
    addresses_free(&i->places);
}

static inline bool
v8image_symbol(void *ctx, const char *symbol, int64_t *value)
{
    const struct v8image *i = ctx;
    for (size_t n = 0; n < i->symbols.n; n++)
        if (span_eq(i->symbols.at[n].name, span_cstr(symbol))) {
            *value = i->symbols.at[n].value;
            return true;
        }
    return false;
}

static inline uint64_t
v8image_now(void *ctx)
{
    struct v8image *i = ctx;
    if (i->times.n == 0)
        return 0;
    size_t at = i->next_time < i->times.n ? i->next_time++ : i->times.n - 1;
    return i->times.at[at];
}

static inline void
v8image_add_line(struct v8image *i, uint64_t line, unsigned reads, const unsigned char *bytes)
{
    uint32_t number;
    if (addresses_put(&i->places, line, &number))
        VEC_ADD(i->lines, (struct v8image_line){0});
    VEC_ADD(i->lines.at[number].versions, (struct v8image_version){i->round, reads, bytes});
}

/* Return the bytes of the line at this read, or NULL if it was never read. */
static inline const unsigned char *
v8image_line(struct v8image *i, uint64_t addr)
{
    uint32_t number = addresses_find(&i->places, addr);
    if (number == ADDRESSES_NONE)
        return NULL;
    struct v8image_line *line = &i->lines.at[number];
    line->reads = line->round == i->round ? line->reads + 1 : 1;
    line->round = i->round;
    size_t at = line->versions.n - 1;
    while (at > 0 && line->versions.at[at].round == i->round &&
           line->versions.at[at].reads > line->reads)
        at--;
    return line->versions.at[at].bytes;
}

static inline bool
v8image_read(void *ctx, struct v8block *blocks, size_t n)
{
    struct v8image *i = ctx;
    i->nblocks += n;
    for (size_t b = 0; b < n; b++) {
        uint64_t addr = blocks[b].addr, end = addr + blocks[b].len, next;
        char *to = blocks[b].to;
        blocks[b].ok = true;
        for (; addr < end && blocks[b].ok; to += next - addr, addr = next) {
            const unsigned char *bytes = v8image_line(i, addr / 64);
            next = addr / 64 * 64 + 64 < end ? addr / 64 * 64 + 64 : end;
            blocks[b].ok = bytes != NULL;
            if (bytes != NULL)
                memcpy(to, bytes + addr % 64, (size_t)(next - addr));
        }
    }
    return true;
}

static inline void
v8image_put(struct text *to, uint64_t n)
{
    text_add(to, SPAN_BYTES(n));
}

static inline void
v8image_put_code(struct text *to, uint64_t since, uint64_t start, uint64_t size, struct span label)
{
    uint16_t len = (uint16_t)label.len;
    v8image_put(to, since);
    v8image_put(to, start);
    v8image_put(to, size);
    TEXT_ADD(to, SPAN_BYTES(len), span_head(label, len));
}

static inline void
v8image_on_code(void *ctx, uint64_t since, uint64_t start, uint64_t size, struct span label)
{
    struct text *to = &((struct v8image *)ctx)->reported;
    text_add(to, SPAN("C"));
    v8image_put_code(to, since, start, size, label);
}

static inline void
v8image_on_inlined(void *ctx, uint64_t since, uint64_t start, uint64_t size, struct span labels)
{
    struct text *to = &((struct v8image *)ctx)->reported;
    text_add(to, SPAN("I"));
    v8image_put_code(to, since, start, size, labels);
}

static inline void
v8image_on_trampoline(void *ctx, uint64_t since, uint64_t addr)
{
    struct text *to = &((struct v8image *)ctx)->reported;
    text_add(to, SPAN("T"));
    v8image_put(to, since);
    v8image_put(to, addr);
}

/* Take a record that is not a frame. */
static inline void
v8image_take(struct v8image *i, char kind)
{
    struct cursor *c = &i->rest;
    if (kind == 'V') {
        i->version[0] = (unsigned)cursor_u64(c);
        i->version[1] = (unsigned)cursor_u64(c);
    } else if (kind == 'S') {
        int64_t value = (int64_t)cursor_u64(c);
        struct span name = cursor_take(c, cursor_u8(c));
        VEC_ADD(i->symbols, (struct v8image_constant){name, value});
    } else if (kind == 'M') {
        uint64_t line = cursor_u64(c);
        unsigned reads = cursor_u8(c);
        struct span bytes = cursor_take(c, 64);
        if (bytes.len == 64)
            v8image_add_line(i, line, reads, (const unsigned char *)bytes.ptr);
    } else if (kind == 'N') {
        VEC_ADD(i->times, cursor_u64(c));
    }
}

static inline struct v8frame
v8image_frame(struct cursor *c)
{
    struct v8frame f = {.time = cursor_u64(c)};
    f.pc = cursor_u64(c);
    f.context = cursor_u64(c);
    f.function = cursor_u64(c);
    f.bytecode = cursor_u64(c);
    f.offset = cursor_u64(c);
    f.tid = cursor_u32(c);
    unsigned flags = cursor_u8(c);
    f.leaf = (flags & V8IMAGE_LEAF) != 0;
    f.has_words = (flags & V8IMAGE_WORDS) != 0;
    f.has_context = f.has_words || (flags & V8IMAGE_CONTEXT) != 0;
    f.in_file = (flags & V8IMAGE_FILE) != 0;
    f.guessed = (flags & V8IMAGE_GUESSED) != 0;
    return f;
}

/* Copy the following C, I and T records to `wanted`. */
static inline void
v8image_take_wanted(struct v8image *i)
{
    i->wanted.len = 0;
    while (cursor_left(&i->rest) > 0 &&
           (*i->rest.at == 'C' || *i->rest.at == 'I' || *i->rest.at == 'T')) {
        struct span head = cursor_take(&i->rest, *i->rest.at == 'T' ? 17 : 25);
        text_add(&i->wanted, head);
        if (head.len == 25) {
            uint16_t len = cursor_u16(&i->rest);
            TEXT_ADD(&i->wanted, SPAN_BYTES(len), cursor_take(&i->rest, len));
        }
    }
}

/* Read the version and the metadata. Return false if there are none. */
static inline bool
v8image_begin(struct v8image *i)
{
    while (cursor_left(&i->rest) > 0 && (*i->rest.at == 'V' || *i->rest.at == 'S'))
        v8image_take(i, (char)cursor_u8(&i->rest));
    return i->version[0] != 0;
}

/* Pass on the frames of the next round, resolve them, and take the expected reports. Return false
 * if there is no further round. */
static inline bool
v8image_round(struct v8image *i, struct v8names *names)
{
    i->round++;
    i->times.n = i->next_time = i->reported.len = 0;
    while (cursor_left(&i->rest) > 0) {
        char kind = (char)cursor_u8(&i->rest);
        if (kind == 'R') {
            v8names_resolve(names);
            v8image_take_wanted(i);
            return true;
        }
        if (kind == 'F') {
            struct v8frame f = v8image_frame(&i->rest);
            v8names_add(names, &f);
        } else {
            v8image_take(i, kind);
        }
    }
    return false;
}

#endif
