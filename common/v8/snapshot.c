#include "common/v8/snapshot.h"

#include <stdlib.h>

enum { UNREAD, GOOD, UNREADABLE };
enum { PAGE_LINES = 4096 / SNAPSHOT_LINE };

void
snapshot_init(struct snapshot *s, const struct v8memory *memory)
{
    *s = (struct snapshot){.memory = memory};
}

void
snapshot_clear(struct snapshot *s)
{
    addresses_empty(&s->lines);
    s->bytes_of.n = s->state.n = s->fetched = s->steps = 0;
    s->refused = false;
}

void
snapshot_trim(struct snapshot *s)
{
    enum { LARGE = 512 * 1024 };
    snapshot_clear(s);
    if (snapshot_size(s) <= LARGE)
        return;
    addresses_free(&s->lines);
    free(s->bytes_of.at);
    free(s->state.at);
    free(s->blocks.at);
    memset(&s->bytes_of, 0, sizeof s->bytes_of);
    memset(&s->state, 0, sizeof s->state);
    memset(&s->blocks, 0, sizeof s->blocks);
}

/* Set [*first, *end) to the lines that contain the bytes. Return false if the bytes cannot be
 * memory. */
static bool
lines_of(uint64_t addr, size_t len, uint64_t *first, uint64_t *end)
{
    if (len == 0 || addr > UINT64_MAX - 2 * SNAPSHOT_LINE - len)
        return false;
    *first = addr / SNAPSHOT_LINE;
    *end = (addr + len - 1) / SNAPSHOT_LINE + 1;
    return true;
}

/* Return the state of a line. A new line is noted for the next request. Steps are limited:
 * abandoned work starts again, and if many objects need the same memory, that could take forever
 * though each line is read only once. */
static unsigned char
state_of(struct snapshot *s, uint64_t line, uint32_t *number)
{
    if (s->steps == SNAPSHOT_STEPS) {
        s->refused = true;
        return UNREADABLE;
    }
    s->steps++;
    *number = addresses_find(&s->lines, line);
    if (*number != ADDRESSES_NONE)
        return s->state.at[*number];
    if (s->left < SNAPSHOT_LINE) {
        s->refused = true;
        return UNREADABLE;
    }
    s->left -= SNAPSHOT_LINE;
    addresses_put(&s->lines, line, number);
    VEC_ADD(s->state, UNREAD);
    VEC_REACH(s->bytes_of, s->bytes_of.n + SNAPSHOT_LINE);
    return UNREAD;
}

void
snapshot_want(struct snapshot *s, uint64_t addr, size_t len)
{
    uint64_t line, end;
    uint32_t number;
    if (lines_of(addr, len, &line, &end))
        for (; line < end; line++)
            state_of(s, line, &number);
}

/* Copy the bytes of the line that lie in [addr, addr + len). */
static void
copy_part(const char *bytes, uint64_t line, uint64_t addr, size_t len, char *to)
{
    uint64_t start = line * SNAPSHOT_LINE, end = start + SNAPSHOT_LINE;
    uint64_t from = start > addr ? start : addr, upto = end < addr + len ? end : addr + len;
    memcpy(to + (from - addr), bytes + (from - start), (size_t)(upto - from));
}

enum v8status
snapshot_get(struct snapshot *s, uint64_t addr, size_t len, void *to)
{
    uint64_t line, end;
    uint32_t number;
    enum v8status status = V8_OK;
    if (!lines_of(addr, len, &line, &end))
        return V8_BAD;
    for (; line < end; line++) {
        unsigned char state = state_of(s, line, &number);
        if (state == UNREADABLE)
            return V8_BAD;
        if (state == UNREAD)
            status = V8_WAIT;
        else if (status == V8_OK)
            copy_part(s->bytes_of.at + (size_t)number * SNAPSHOT_LINE, line, addr, len, to);
    }
    return status;
}

/* Add a block of lines that are adjacent in memory and in the table and lie in one page, so that
 * either all or none can be read. Return the number of lines. */
static size_t
add_block(struct snapshot *s, size_t first)
{
    uint64_t line = s->lines.of.at[first];
    size_t n = 1;
    while (first + n < s->state.n && s->lines.of.at[first + n] == line + n &&
           (line + n) % PAGE_LINES != 0)
        n++;
    VEC_ADD(s->blocks,
            (struct v8block){line * SNAPSHOT_LINE, s->bytes_of.at + first * SNAPSHOT_LINE,
                             (uint32_t)(n * SNAPSHOT_LINE), false});
    return n;
}

static bool
read_blocks(struct snapshot *s, struct v8block *blocks, size_t n)
{
    s->gone = s->gone || !s->memory->read(s->memory->ctx, blocks, n);
    s->requests++;
    s->reads += n;
    for (size_t i = 0; i < n; i++)
        s->bytes += blocks[i].len;
    return !s->gone;
}

void
snapshot_fetch(struct snapshot *s)
{
    s->blocks.n = 0;
    for (size_t i = s->fetched; i < s->state.n;)
        i += add_block(s, i);
    bool answered = s->blocks.n > 0 && read_blocks(s, s->blocks.at, s->blocks.n);
    for (size_t b = 0; b < s->blocks.n; b++)
        for (uint32_t i = 0; i < s->blocks.at[b].len / SNAPSHOT_LINE; i++)
            s->state.at[s->fetched++] = answered && s->blocks.at[b].ok ? GOOD : UNREADABLE;
}

enum v8status
snapshot_read(struct snapshot *s, uint64_t addr, size_t len, void *to)
{
    struct v8block block = {addr, to, (uint32_t)len, false};
    if (len == 0 || len > V8BLOCK_MAX || addr > UINT64_MAX - len)
        return V8_BAD;
    return read_blocks(s, &block, 1) && block.ok ? V8_OK : V8_BAD;
}

size_t
snapshot_size(const struct snapshot *s)
{
    return addresses_size(&s->lines) + s->bytes_of.cap + s->state.cap +
           s->blocks.cap * sizeof *s->blocks.at;
}

void
snapshot_free(struct snapshot *s)
{
    addresses_free(&s->lines);
    free(s->bytes_of.at);
    free(s->state.at);
    free(s->blocks.at);
    *s = (struct snapshot){0};
}
