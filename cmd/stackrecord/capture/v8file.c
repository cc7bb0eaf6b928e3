#include "cmd/stackrecord/capture/v8file.h"

#include <stdlib.h>

#include "common/base/intern.h"
#include "common/base/vec.h"
#include "common/sym/elffile.h"

/* The exported numbers of a file, by name. */
struct exports {
    struct intern names;
    VEC(int64_t) values; /* indexed by number in `names` */
};

/* Read the int at an address of the file. Where the file has no bytes (.bss), it is 0. */
static bool
read_number(const struct elf *e, uint64_t addr, int64_t *value)
{
    int32_t number = 0;
    Elf64_Phdr segment;
    if (!elf_find_segment(e, addr, &segment))
        return false;
    if (addr - segment.p_vaddr < segment.p_filesz &&
        !content_read(e->content, segment.p_offset + (addr - segment.p_vaddr), &number,
                      sizeof number))
        return false;
    *value = number;
    return true;
}

static bool
is_wanted(struct span name)
{
    return span_starts(name, SPAN("v8dbg_")) || span_starts(name, SPAN("_ZN2v88internal7Version"));
}

/* Limits, since any process may map a prepared file. Node has 75,000 symbols, of which some 2,000
 * are such numbers. */
enum { SYMBOLS_MAX = 1 << 18, NUMBERS_MAX = 1 << 14, NAME_BYTES_MAX = 200 };

static void
read_exports(const struct elf *e, struct exports *x)
{
    Elf64_Shdr table, strings;
    Elf64_Sym symbol;
    int64_t value;
    uint32_t number;
    if (!elf_find_section(e, SHT_DYNSYM, SPAN(""), &table) ||
        !elf_section(e, table.sh_link, &strings))
        return;
    struct view entries = elf_section_view(e, &table, VIEW_TABLE),
                names = elf_section_view(e, &strings, VIEW_ENTRIES);
    size_t n = elf_count(e, &table), left = NUMBERS_MAX;
    n = n < SYMBOLS_MAX ? n : SYMBOLS_MAX;
    for (size_t i = 1; i < n && left > 0 && elf_symbol(e, &entries, i, &symbol); i++) {
        if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_size != sizeof(int32_t))
            continue;
        left--;
        struct span name = view_string(&names, symbol.st_name);
        if (name.len <= NAME_BYTES_MAX && is_wanted(name) &&
            read_number(e, symbol.st_value, &value) && intern_put(&x->names, name, &number))
            VEC_ADD(x->values, value);
    }
    view_free(&entries);
    view_free(&names);
}

/* Read the table of the sizes of bytecodes at a symbol. */
static void
read_sizes(const struct elf *e, const Elf64_Sym *symbol, struct v8bytecodes *b)
{
    Elf64_Phdr segment;
    size_t size = (size_t)symbol->st_size; /* at most that of b->sizes */
    if (size % 3 != 0 || !elf_find_segment(e, symbol->st_value, &segment))
        return;
    uint64_t at = symbol->st_value - segment.p_vaddr;
    if (at <= segment.p_filesz && size <= segment.p_filesz - at &&
        content_read(e->content, segment.p_offset + at, b->sizes, size))
        b->count = (unsigned)(size / 3);
}

/* Find v8::internal::interpreter::Bytecodes::kBytecodeSizes in a symbol table. Node exports it up
 * to version 22; later versions have it in .symtab, unless that was stripped. */
static bool
find_sizes(const struct elf *e, uint32_t type, struct v8bytecodes *b)
{
    Elf64_Shdr table, strings;
    Elf64_Sym symbol;
    if (!elf_find_section(e, type, SPAN(""), &table) || !elf_section(e, table.sh_link, &strings))
        return false;
    struct view entries = elf_section_view(e, &table, VIEW_TABLE),
                names = elf_section_view(e, &strings, VIEW_ENTRIES);
    size_t n = elf_count(e, &table), left = NUMBERS_MAX;
    n = n < SYMBOLS_MAX ? n : SYMBOLS_MAX;
    for (size_t i = 1; i < n && left > 0 && b->count == 0 && elf_symbol(e, &entries, i, &symbol);
         i++) {
        /* Some 180 to 215 bytecodes, each with three sizes. */
        bool may_be = ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_size >= 3 * 100 &&
                      symbol.st_size <= sizeof b->sizes;
        left -= may_be;
        if (may_be && span_eq(view_string(&names, symbol.st_name),
                              SPAN("_ZN2v88internal11interpreter9Bytecodes14kBytecodeSizesE")))
            read_sizes(e, &symbol, b);
    }
    view_free(&entries);
    view_free(&names);
    return b->count > 0;
}

static bool
value_of(void *ctx, const char *symbol, int64_t *value)
{
    const struct exports *x = ctx;
    uint32_t number = x->names.count > 0 ? intern_find(&x->names, span_cstr(symbol)) : INTERN_NONE;
    if (number == INTERN_NONE)
        return false;
    *value = x->values.at[number];
    return true;
}

/* Find the version in two static members: v8::internal::Version::major_ and minor_. */
static bool
find_version(struct exports *x, unsigned version[2])
{
    int64_t major, minor;
    if (!value_of(x, "_ZN2v88internal7Version6major_E", &major) ||
        !value_of(x, "_ZN2v88internal7Version6minor_E", &minor))
        return false;
    version[0] = (unsigned)major;
    version[1] = (unsigned)minor;
    return true;
}

enum v8file_has
v8file_read(const char *path, struct v8layout *layout, const char **problem)
{
    struct elffile file;
    struct exports x = {0};
    int64_t unused;
    unsigned version[2];
    if (elffile_open(&file, path) != NULL)
        return V8FILE_NONE;
    read_exports(&file.elf, &x);
    bool has_v8 = value_of(&x, "v8dbg_TaggedSize", &unused) || find_version(&x, version);
    *problem = NULL;
    if (has_v8 && file.elf.machine != EM_X86_64)
        *problem = "names of JavaScript are read on x86-64 only";
    else if (has_v8 && !find_version(&x, version))
        *problem = "the version of its V8 is not known";
    else if (has_v8)
        *problem = v8layout_init(layout, version, value_of, &x);
    if (has_v8 && *problem == NULL && !find_sizes(&file.elf, SHT_DYNSYM, &layout->bytecodes))
        find_sizes(&file.elf, SHT_SYMTAB, &layout->bytecodes);
    intern_free(&x.names);
    free(x.values.at);
    elffile_close(&file);
    return !has_v8 ? V8FILE_NONE : *problem == NULL ? V8FILE_KNOWN : V8FILE_UNKNOWN;
}
