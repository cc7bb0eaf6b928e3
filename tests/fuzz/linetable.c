#include "tests/fuzz/fuzz.h"

#include "common/dwarf/dw.h"
#include "common/dwarf/linetable.h"

/* The bytes are a .debug_line section. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct units units = {0};
    struct linetable t = {0};
    const struct unit unit = {.format = {.version = 5, .address_size = 8, .offset_size = 4},
                              .stmt_list = {.form = DW_FORM_sec_offset}};
    units.file.sections[DEBUG_LINE].state = DEBUG_UNPACKED;
    units.file.sections[DEBUG_LINE].memory = malloc(size + 1);
    units.file.sections[DEBUG_LINE].size = size;
    MUST(units.file.sections[DEBUG_LINE].memory != NULL);
    memcpy(units.file.sections[DEBUG_LINE].memory, data, size);
    linetable_read(&t, &units, &unit);
    MUST(linetable_size(&t) <= 4096 + 128 * size);
    for (uint64_t address = 0; address < 1 << 23; address += 37 * 37) {
        uint64_t file;
        uint32_t line;
        linetable_find(&t, address, &file, &line);
    }
    for (size_t i = 0; i < t.nfiles; i++)
        MUST(t.files[i].name.section != DEBUG_LINE || t.files[i].name.kind == TEXT_NONE ||
             t.files[i].name.offset <= size);
    linetable_free(&t);
    units_close(&units);
    return 0;
}
