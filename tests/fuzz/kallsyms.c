#define _GNU_SOURCE /* memfd_create */
#include "tests/fuzz/fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "common/sym/kallsyms.h"

/* A symbol starts at or before the address that it is found for. */
static void
check_symbols(struct kallsyms *k, const struct symtab *t)
{
    uint64_t start, end, found;
    struct span name;
    if (!symtab_range(t, &start, &end))
        return;
    MUST(start <= end);
    for (uint64_t i = 0; i < 64; i++) {
        uint64_t addr = start + i * ((end - start) / 64 + 1);
        if (!kallsyms_find(k, addr, &name, &found))
            continue;
        MUST(found <= addr && name.len > 0 && fuzz_inside(name, k->kernel.names.buffered));
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    MUST(fd >= 0 && write(fd, data, size) == (ssize_t)size && lseek(fd, 0, SEEK_SET) == 0);
    struct kallsyms k;
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (kallsyms_load(&k, path, NULL) == NULL) {
        check_symbols(&k, &k.kernel);
        check_symbols(&k, &k.modules);
    }
    kallsyms_free(&k);
    close(fd);
    return 0;
}
