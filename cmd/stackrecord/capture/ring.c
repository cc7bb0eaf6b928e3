/* The first page of the mapping is struct perf_event_mmap_page (linux/perf_event.h), of which these
 * members are used:
 *
 *     1024 u64 data_head   end of what the kernel has written
 *     1032 u64 data_tail   end of what this program has read
 *
 * Both only grow: modulo the size of the buffer they are positions in it. A record may wrap around
 * at the end of the buffer. Records are multiples of 8 bytes, so their 8-byte headers never do. */
#include "cmd/stackrecord/capture/ring.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/base/mem.h"
#include "common/event/record.h"

enum { DATA_HEAD = 1024, DATA_TAIL = 1032 };

bool
ring_map(struct ring *r, int fd, uint64_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), mapped = page + (size_t)size;
    void *map = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED)
        return false;
    *r = (struct ring){.control = map,
                       .data = (char *)map + page,
                       .size = size,
                       .mapped = mapped,
                       .whole = mem_alloc(RECORD_MAX + 1)};
    return true;
}

/* Acquire and release, as perf_event_open(2) demands: the kernel writes records before it moves the
 * head, and this program reads them before it moves the tail. */
uint64_t
ring_begin(struct ring *r)
{
    r->end = __atomic_load_n((uint64_t *)(void *)(r->control + DATA_HEAD), __ATOMIC_ACQUIRE);
    return r->end - r->at;
}

bool
ring_next(struct ring *r, struct span *bytes)
{
    uint64_t left = r->end - r->at;
    size_t offset = (size_t)(r->at & (r->size - 1)), before_end = (size_t)r->size - offset;
    if (left < RECORD_HEADER)
        return false;
    size_t len = load_u16(r->data + offset + 6);
    if (len < RECORD_HEADER || len > left)
        return false;
    *bytes = span_of(r->data + offset, len);
    if (len > before_end) {
        memcpy(r->whole, r->data + offset, before_end);
        memcpy(r->whole + before_end, r->data, len - before_end);
        bytes->ptr = r->whole;
    }
    r->at += len;
    return true;
}

void
ring_rewind(struct ring *r)
{
    r->at = r->start;
}

void
ring_release(struct ring *r)
{
    r->start = r->at;
    __atomic_store_n((uint64_t *)(void *)(r->control + DATA_TAIL), r->at, __ATOMIC_RELEASE);
}

void
ring_end(struct ring *r)
{
    r->at = r->end;
    ring_release(r);
}

void
ring_unmap(struct ring *r)
{
    if (r->control != NULL)
        munmap(r->control, r->mapped);
    free(r->whole);
    *r = (struct ring){0};
}
