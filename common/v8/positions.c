#include "common/v8/positions.h"

#include "common/base/cursor.h"

/* A table of source positions is a byte array with an entry for each offset at which the position
 * in the source changes (src/codegen/source-position-table.cc):
 *
 *     offset in the instructions or the bytecode
 *     SourcePosition
 *
 * Both are differences to the previous entry; the first offset counts from -1. Numbers have 7 bits
 * a byte, from the lowest on, with bit 7 set in all but the last byte. Signed ones are
 * zigzag-encoded (1 -> 2, -1 -> 1). The position is signed. So is the offset up to V8 13: a
 * difference d is written as -d - 1 if the position is not that of a statement. In V8 14 it is
 * unsigned, with two bits below: 2 if a debugger can stop there, 1 if it is a statement. The
 * position at an offset is that of the last entry not above it.
 *
 * A SourcePosition (src/codegen/source-position.h) has, from bit 0 on:
 *
 *     1 bit      it is not in JavaScript
 *     30 bits    offset in the source of the script, plus 1; 0: unknown
 *     16 bits    inlining id (site.c) */
enum { TABLE_MAX = 1 << 15 /* bytes of a table */ };

enum v8status
positions_array(struct v8array *a, struct heap *h, uint64_t word, uint16_t *type)
{
    char header[16];
    enum v8status status = heap_object(h, word, sizeof header, header, type);
    if (status != V8_OK)
        return status;
    a->addr = heap_address(word) + h->layout->array_data;
    return heap_smi(load_u64(header + h->layout->array_length), &a->length) && a->length >= 0
               ? V8_OK
               : (enum v8status)V8_BAD;
}

enum v8status
positions_bytes(struct v8array *a, struct heap *h, uint64_t word)
{
    uint16_t type;
    enum v8status status = positions_array(a, h, word, &type);
    if (status == V8_OK && type != h->layout->type_bytes && type != h->layout->type_trusted_bytes)
        return V8_BAD;
    return status;
}

static uint64_t
read_unsigned(struct cursor *c)
{
    uint64_t n = 0;
    unsigned shift = 0, byte = 0x80;
    for (; (byte & 0x80) != 0 && shift < 64 && cursor_left(c) > 0; shift += 7) {
        byte = cursor_u8(c);
        n |= (uint64_t)(byte & 0x7f) << shift;
    }
    c->cut |= (byte & 0x80) != 0;
    return n;
}

static int64_t
read_signed(struct cursor *c)
{
    uint64_t n = read_unsigned(c);
    return (int64_t)(n >> 1 ^ (0 - (n & 1)));
}

/* Read the difference of two offsets. */
static uint64_t
read_step(struct cursor *c, const struct v8layout *l)
{
    enum { FLAGS = 2 };
    if (l->positions_have_flags)
        return read_unsigned(c) >> FLAGS;
    int64_t step = read_signed(c);
    return (uint64_t)(step >= 0 ? step : -(step + 1));
}

enum v8status
positions_find(uint64_t *position, struct heap *h, uint64_t table, uint64_t offset, uint64_t size)
{
    char bytes[TABLE_MAX];
    struct v8array a;
    enum v8status status = positions_bytes(&a, h, table);
    if (status == V8_OK && a.length > TABLE_MAX)
        return V8_BAD;
    if (status == V8_OK)
        status = snapshot_get(&h->memory, a.addr, (size_t)a.length, bytes);
    if (status != V8_OK)
        return status;
    struct cursor c = cursor_of(span_of(bytes, (size_t)a.length));
    uint64_t at = UINT64_MAX /* -1 */, sum = 0;
    *position = 0;
    while (cursor_left(&c) > 0) {
        at += read_step(&c, h->layout);
        sum += (uint64_t)read_signed(&c);
        if (c.cut || (at != UINT64_MAX && at > size))
            return V8_BAD;
        if (at == UINT64_MAX || at <= offset)
            *position = sum;
    }
    return V8_OK;
}

/* The table of baseline code has a number of bytes for the code before that of the first bytecode,
 * and one for the code of each bytecode, in their order, unsigned (src/baseline/
 * bytecode-offset-iterator.h). To know which bytecode is meant, their sizes are needed. A bytecode
 * is a prefix that doubles or quadruples the operands, or none, then the opcode and its
 * operands. */
enum { WIDE, EXTRA_WIDE, /* opcodes of the prefixes: bytecodes.h */ };

/* Return the size of the bytecode at an offset. */
static size_t
size_of_bytecode(struct span bytecodes, size_t at, const struct v8bytecodes *b)
{
    unsigned opcode = (unsigned char)bytecodes.ptr[at], scale = 0;
    if ((opcode == WIDE || opcode == EXTRA_WIDE) && at + 1 < bytecodes.len) {
        scale = opcode == WIDE ? 1 : 2;
        opcode = (unsigned char)bytecodes.ptr[at + 1];
    }
    size_t size = opcode < b->count ? b->sizes[scale * b->count + opcode] : 0;
    return size > 0 ? size + (scale > 0) : bytecodes.len;
}

enum v8status
positions_baseline(uint64_t *found, struct heap *h, uint64_t table, uint64_t offset,
                   uint64_t bytecode)
{
    char offsets[TABLE_MAX], bytecodes[TABLE_MAX];
    struct v8array a;
    uint64_t word;
    int32_t length = 0;
    enum v8status status = positions_bytes(&a, h, table);
    if (status == V8_OK)
        status = heap_word(h, bytecode, h->layout->bytecode_length, &word);
    if (status == V8_OK &&
        (a.length > TABLE_MAX || !heap_smi(word, &length) || length <= 0 || length > TABLE_MAX))
        return V8_BAD;
    if (status == V8_OK)
        status = snapshot_get(&h->memory, a.addr, (size_t)a.length, offsets);
    if (status == V8_OK)
        status = snapshot_get(&h->memory, heap_address(bytecode) + h->layout->bytecode_data,
                              (size_t)length, bytecodes);
    if (status != V8_OK)
        return status;
    struct cursor c = cursor_of(span_of(offsets, (size_t)a.length));
    struct span b = span_of(bytecodes, (size_t)length);
    uint64_t end = read_unsigned(&c);
    *found = 0;
    for (size_t at = 0; end <= offset; at += size_of_bytecode(b, at, &h->layout->bytecodes)) {
        if (at >= b.len || cursor_left(&c) == 0)
            return V8_BAD;
        *found = at;
        end += read_unsigned(&c);
    }
    return c.cut ? (enum v8status)V8_BAD : V8_OK;
}
