#define _GNU_SOURCE /* memfd_create */
#include "tests/fuzz/fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "common/sym/perftree.h"

/* The symbol found for an address begins at or before it. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    MUST(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    struct regular_file f = regular_of(fd);
    struct perftree t;
    MUST(perftree_load(&t, &f) == NULL);
    static const uint64_t asked[] = {0,      1,      0x1000,         0x101f,
                                     0x1020, 0x1030, 0x7f1e2215d058, UINT64_MAX};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        struct span name;
        uint64_t start;
        if (perftree_find(&t, asked[i], &name, &start))
            MUST(start <= asked[i]);
    }
    perftree_free(&t);
    return 0;
}
