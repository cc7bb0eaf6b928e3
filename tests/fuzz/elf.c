#define _GNU_SOURCE /* memfd_create */
#include "tests/fuzz/fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "common/sym/elffile.h"
#include "common/sym/elfsyms.h"

enum { LOOKUPS = 256 };

/* A symbol starts at or before its address, has a name, and is the same where the file is read from
 * a descriptor. */
static void
check_names(struct elfsyms *s, struct elfsyms *of_file, const struct symtab *t)
{
    uint64_t start, end;
    if (!symtab_range(t, &start, &end))
        return;
    MUST(start <= end);
    for (uint64_t i = 0; i < LOOKUPS; i++) {
        struct span name, other;
        uint64_t found, begins, addr = start + i * ((end - start) / LOOKUPS + 1);
        bool known = elfsyms_find(s, addr, &name, &found);
        MUST(known == elfsyms_find(of_file, addr, &other, &begins));
        if (!known)
            continue;
        MUST(found <= addr && found == begins);
        MUST(name.len > 0 && name.len <= VIEW_STRING_MAX + sizeof "@plt");
        MUST(span_eq(name, other));
    }
}

static void
check_symbols(const struct elf *e, const struct elf *of_file, enum elfsyms_mode mode)
{
    struct elfsyms s = {0}, t = {0};
    elfsyms_read(&s, e, e, mode);
    elfsyms_read(&t, of_file, of_file, mode);
    /* At most one piece for each symbol and one after it; a symbol has 16 bytes or more. */
    MUST(s.symbols.count <= 2 * (e->content->size / 16));
    MUST(s.plt.names.size <= e->content->size);
    check_names(&s, &t, &s.symbols);
    check_names(&s, &t, &s.plt);
    elfsyms_free(&s);
    elfsyms_free(&t);
}

/* Reads a file that is truncated after its headers were read. */
static void
check_truncated(int fd, size_t size, const struct elf *e)
{
    struct elfsyms s = {0};
    struct span name;
    uint64_t start;
    MUST(ftruncate(fd, (off_t)size / 2) == 0);
    elfsyms_read(&s, e, e, ELFSYMS_RIGHT);
    MUST(e->content->problem == NULL || !elfsyms_find(&s, 0x1000, &name, &start));
    elfsyms_free(&s);
}

/* Reads the bytes from memory and from a descriptor. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[32];
    struct content c = content_of(fuzz_span(data, size));
    struct elf e;
    struct elffile file;
    struct elf_link link;
    if (elf_open(&e, &c) != NULL)
        return 0;
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    MUST(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    MUST(elffile_open(&file, path) == NULL);
    MUST(span_eq(elf_build_id(&e), elf_build_id(&file.elf)));
    if (elf_debuglink(&e, &link))
        MUST(link.name[0] != '\0' && memchr(link.name, '\0', sizeof link.name) != NULL);
    check_symbols(&e, &file.elf, ELFSYMS_RIGHT);
    check_symbols(&e, &file.elf, ELFSYMS_AS_PERF);
    check_symbols(&e, &file.elf, ELFSYMS_ADDRESSES);
    check_truncated(fd, size, &file.elf);
    elffile_close(&file);
    elf_close(&e);
    close(fd);
    return 0;
}
