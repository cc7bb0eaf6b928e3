/* RFC 8878, 3.1, in bits from the lowest one of numbers whose lowest byte comes first:
 *
 *     28 b5 2f fd      a frame
 *     d                2 bits: bytes of the dictionary's id (0, 1, 2, 4), 1: a checksum of 4 bytes
 *                      ends the frame, 2 bits unused, 1: no window, 2: size's bytes (0, 2, 4, 8)
 *     [window] [id] [size]
 *     bb bb bb         a block. 1 bit: it is the last, 2: raw, byte repeated, compressed, invalid,
 *                      21: its size; of a byte repeated it has 1
 *
 *     50 2a 4d 18      50 to 5f: a frame to be skipped, of that size
 *     ss ss ss ss
 */
#include "common/event/zstdframes.h"

#include "common/base/load.h"

enum { MAGIC = 4, BLOCK_HEADER = 3, CHECKSUM = 4, SKIPPABLE = 8 };

#define ZSTD_MAGIC           0xfd2fb528u
#define SKIPPABLE_MAGIC      0x184d2a50u
#define SKIPPABLE_MAGIC_MASK 0xfffffff0u

/* Return the size of a frame's header from its first byte, which follows the magic number. */
static size_t
frame_header(unsigned descriptor)
{
    static const size_t ids[] = {0, 1, 2, 4}, sizes[] = {0, 2, 4, 8};
    size_t window = (descriptor & 1 << 5) == 0;
    size_t size = descriptor >> 6 == 0 ? !window : sizes[descriptor >> 6];
    return MAGIC + 1 + window + ids[descriptor & 3] + size;
}

/* Return the size of the header that begins with the bytes read so far. */
static size_t
header_size(const struct zstdframes *z)
{
    if (z->in_frame)
        return BLOCK_HEADER;
    if (z->have < MAGIC)
        return MAGIC;
    if (load_u32((const char *)z->header) != ZSTD_MAGIC)
        return SKIPPABLE;
    return z->have > MAGIC ? frame_header(z->header[MAGIC]) : MAGIC + 1;
}

static bool
is_magic(uint32_t number)
{
    return number == ZSTD_MAGIC || (number & SKIPPABLE_MAGIC_MASK) == SKIPPABLE_MAGIC;
}

static void
use_frame(struct zstdframes *z)
{
    if (load_u32((const char *)z->header) != ZSTD_MAGIC) {
        z->skipped = load_u32((const char *)z->header + MAGIC);
        return;
    }
    z->checksum = (z->header[MAGIC] & 1 << 2) != 0;
    z->in_frame = true;
}

static bool
use_block(struct zstdframes *z)
{
    enum { REPEATED = 1, INVALID = 3 };
    uint32_t block = z->header[0] | (uint32_t)z->header[1] << 8 | (uint32_t)z->header[2] << 16;
    uint32_t type = block >> 1 & 3;
    z->skipped = type == REPEATED ? 1 : block >> 3;
    if ((block & 1) != 0) {
        z->skipped += z->checksum ? CHECKSUM : 0;
        z->in_frame = false;
    }
    return type != INVALID;
}

/* Add a byte of a header. */
static bool
add_byte(struct zstdframes *z, char c)
{
    z->header[z->have++] = (unsigned char)c;
    if (!z->in_frame && z->have == MAGIC && !is_magic(load_u32((const char *)z->header)))
        return false;
    if (z->have < header_size(z))
        return true;
    z->have = 0;
    if (z->in_frame)
        return use_block(z);
    use_frame(z);
    return true;
}

bool
zstdframes_add(struct zstdframes *z, struct span bytes)
{
    for (;;) {
        size_t n = z->skipped < bytes.len ? (size_t)z->skipped : bytes.len;
        z->skipped -= n;
        z->size += n;
        bytes = span_from(bytes, n);
        if (z->skipped == 0 && z->have == 0) {
            z->whole = z->size;
            z->after = z->in_frame ? ZSTDFRAMES_BLOCK : ZSTDFRAMES_FRAME;
        }
        if (bytes.len == 0)
            return true;
        if (!add_byte(z, bytes.ptr[0]))
            return false;
        bytes = span_from(bytes, 1);
        z->size++;
    }
}
