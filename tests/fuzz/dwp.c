#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/nosubprocess.h"

#include "common/dwarf/companion.h"
#include "common/dwarf/inlinetree.h"
#include "common/dwarf/linetable.h"

enum { UNITS = 64 };

/* Reads what stands in the package for a unit of the program. */
static void
check_unit(struct companion *package, struct unit *skeleton)
{
    struct inlinetree tree = {0};
    struct linetable lines = {0};
    uint64_t file;
    uint32_t line;
    struct unit *unit = companion_find(package, skeleton);
    if (unit == NULL)
        return;
    struct units *u = &package->units;
    MUST(unit >= u->list && unit < u->list + u->ninfo && unit->skeleton == skeleton);
    MUST(unit->id == skeleton->id && !unit->is_type);
    inlinetree_read(&tree, u, unit);
    linetable_read(&lines, u, unit);
    for (uint64_t address = 0x401000; address < 0x401200; address++) {
        uint32_t n = inlinetree_find(&tree, address);
        MUST(n == INLINETREE_NONE || n < tree.count);
        linetable_find(&lines, address, &file, &line);
    }
    inlinetree_free(&tree);
    linetable_free(&lines);
}

/* The bytes are an ELF file that is a program of split DWARF and its .dwp file in one. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct content content = content_of(fuzz_span(data, size));
    struct companion package = {.cost = 0};
    struct units program;
    struct elf e;
    if (elf_open(&e, &content) != NULL)
        return 0;
    if (units_open(&program, &e, NULL, 0, NULL)) {
        units_open(&package.units, &e, &program, 0, NULL);
        for (size_t i = 0; i < program.ninfo && i < UNITS; i++) {
            unit_read_root(&program, &program.list[i]);
            if (package.units.count > 0)
                check_unit(&package, &program.list[i]);
        }
        units_close(&package.units);
        units_close(&program);
    }
    elf_close(&e);
    return 0;
}
