#include "common/base/crc32.h"

void
crc32_start(struct crc32 *c)
{
    const uint32_t polynomial = 0xedb88320; /* lowest bit first */
    c->rest = ~(uint32_t)0;
    for (uint32_t i = 0; i < 256; i++) {
        c->table[i] = i;
        for (int bit = 0; bit < 8; bit++)
            c->table[i] = c->table[i] >> 1 ^ (c->table[i] & 1 ? polynomial : 0);
    }
}

void
crc32_add(struct crc32 *c, struct span bytes)
{
    uint32_t rest = c->rest;
    for (size_t i = 0; i < bytes.len; i++)
        rest = c->table[(rest ^ (unsigned char)bytes.ptr[i]) & 255] ^ rest >> 8;
    c->rest = rest;
}
