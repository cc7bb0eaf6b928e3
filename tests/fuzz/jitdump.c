#define _GNU_SOURCE /* memfd_create */
#include "tests/fuzz/fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "cmd/stackrecord/capture/livemap.h"
#include "common/sym/jitdump.h"

/* The same dump as it grows: the code at each address that it names has a name. */
static void
read_growing(const uint8_t *data, size_t size, const struct jitdump *j)
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    size_t half = size / 2;
    MUST(fd >= 0 && write(fd, data, half) == (ssize_t)half);
    struct livemap m = {.file = regular_of(fd), .is_dump = true};
    livemap_read(&m, 1000);
    MUST(write(fd, data + half, size - half) == (ssize_t)(size - half));
    do
        livemap_read(&m, 2000);
    while (m.behind);
    MUST(m.records <= size / 16);
    for (uint64_t time = livemap_due(&m); time != UINT64_MAX; time = livemap_due(&m))
        livemap_advance(&m, time);
    for (size_t i = 0; i < j->count; i++) {
        uint32_t number;
        struct livemap_name found;
        uint64_t addr = j->loads[i].addr;
        if (livemap_find(&m, addr, &number))
            MUST(livemap_name(&m, number, addr, &found) && found.start <= addr);
    }
    livemap_free(&m);
}

/* Loads come in order of time, and a line's file name is inside the
 * table of its load. */
static void
read_dump(const uint8_t *data, size_t size)
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    MUST(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    struct regular_file f = regular_of(fd);
    struct jitdump j;
    const char *problem = jitdump_load(&j, &f, true);
    MUST(problem == NULL || j.count == 0);
    MUST(j.damaged < size || size == 0);
    MUST(j.count <= size / 16);
    uint64_t time = 0;
    for (size_t i = 0; i < j.count; i++) {
        const struct jitload *load = &j.loads[i];
        struct jitline line;
        MUST(load->time >= time);
        time = load->time;
        if (jitdump_line(&j, load, load->addr + load->size / 2, &line))
            MUST(line.file.len == 0 || fuzz_inside(line.file, load->lines.entries));
    }
    read_growing(data, size, &j);
    jitdump_free(&j);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_dump(data, size);
    return 0;
}
