#define _GNU_SOURCE /* memfd_create */
#include "tests/fuzz/fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "common/sym/jitdump.h"

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
    jitdump_free(&j);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_dump(data, size);
    return 0;
}
