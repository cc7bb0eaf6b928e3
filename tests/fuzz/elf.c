#include "tests/fuzz/fuzz.h"

#include "common/sym/elfsyms.h"

/* A symbol starts at or before its address, and its name lies in the file or among those that were
 * made for the PLT. */
static void
check_names(struct elfsyms *s, struct span file, const struct symtab *t)
{
    uint64_t start, end;
    if (!symtab_range(t, &start, &end))
        return;
    MUST(start <= end);
    for (uint64_t i = 0; i < 512; i++) {
        struct span name;
        uint64_t found, addr = start + i * ((end - start) / 512 + 1);
        if (!elfsyms_find(s, addr, &name, &found))
            continue;
        MUST(found <= addr && name.len > 0);
        MUST(fuzz_inside(name, file) || fuzz_inside(name, s->plt.names));
    }
}

static void
check_symbols(const struct elf *e, struct span file, enum elfsyms_mode mode)
{
    struct elfsyms s = {0};
    elfsyms_read(&s, e, e, mode);
    elfsyms_read_plt(&s, e, mode);
    /* At most one piece for each symbol and one after it; a symbol has 16 bytes or more. */
    MUST(s.symbols.count <= 2 * (file.len / 16));
    MUST(s.plt.names.len <= file.len);
    check_names(&s, file, &s.symbols);
    check_names(&s, file, &s.plt);
    elfsyms_free(&s);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct elf e;
    struct span file = fuzz_span(data, size), name;
    uint32_t crc;
    if (elf_open(&e, file) != NULL)
        return 0;
    MUST(fuzz_inside(elf_build_id(&e), file));
    if (elf_debuglink(&e, &name, &crc))
        MUST(name.len > 0 && fuzz_inside(name, file));
    check_symbols(&e, file, ELFSYMS_RIGHT);
    check_symbols(&e, file, ELFSYMS_AS_PERF);
    check_symbols(&e, file, ELFSYMS_ADDRESSES);
    return 0;
}
