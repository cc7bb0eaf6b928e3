#include "common/stack/model/frame.h"

struct span
frame_addr(const struct frame *f, char text[static FRAME_ADDR])
{
    char *end = text + FRAME_ADDR, *at = end;
    if (f->addr.len > 0 || !f->has_ip)
        return f->addr;
    uint64_t rest = f->ip;
    do
        *--at = "0123456789abcdef"[rest & 15];
    while ((rest >>= 4) != 0);
    return span_of(at, (size_t)(end - at));
}
