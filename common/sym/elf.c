/* The format is in elf(5) and in the System V ABI, chapters 4 and 5. A file starts as
 *
 *     7f 45 4c 46 02 01 01 00 ...     "\x7fELF", 64-bit, little endian, version 1
 *     02 00 3e 00                     an executable, for x86-64
 *
 * and names by offset its segments (program headers, used by the kernel) and its sections (used by
 * linkers and debuggers). Nothing in it is trusted, its size neither: a terabyte of a sparse file
 * takes no place on a disk. What is larger than in any real program is not read. */
#include "common/sym/elf.h"

#include <stdlib.h>

enum {
    SECTION_NAME_MAX = 256,
    ENTRIES_MAX = 1 << 23 /* symbols or relocations: more than Chromium has */
};

/* The entries of tables are of these sizes, in 32-bit and 64-bit files. */
static size_t
size_of(const struct elf *e, size_t narrow, size_t wide)
{
    return e->is64 ? wide : narrow;
}

static uint64_t
align4(uint64_t n)
{
    return (n + 3) & ~(uint64_t)3;
}

/* Sections */

bool
elf_section(const struct elf *e, size_t i, Elf64_Shdr *section)
{
    if (i >= e->nsections)
        return false;
    *section = e->sections[i];
    return true;
}

struct span
elf_section_name(const struct elf *e, const Elf64_Shdr *section)
{
    struct span names = text_span(&e->section_names), name;
    if (section->sh_name >= names.len)
        return SPAN("");
    name = span_from(names, section->sh_name);
    name.len = name.len < SECTION_NAME_MAX ? name.len : SECTION_NAME_MAX;
    size_t nul = span_find(name, '\0');
    return nul == SPAN_NONE ? SPAN("") : span_head(name, nul);
}

bool
elf_find_section(const struct elf *e, uint32_t type, struct span name, Elf64_Shdr *section)
{
    for (size_t i = 1; i < e->nsections; i++) {
        const Elf64_Shdr *s = &e->sections[i];
        if ((type == SHT_NULL || s->sh_type == type) &&
            (name.len == 0 || span_eq(elf_section_name(e, s), name))) {
            *section = *s;
            return true;
        }
    }
    return false;
}

struct view
elf_section_view(const struct elf *e, const Elf64_Shdr *section, size_t block)
{
    if (section->sh_type == SHT_NOBITS)
        return (struct view){0};
    return view_over(e->content, section->sh_offset, section->sh_size, block);
}

/* Segments */

bool
elf_find_segment(const struct elf *e, uint64_t addr, Elf64_Phdr *segment)
{
    size_t low = 0, high = e->nsegments;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (e->segments[middle].p_vaddr <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || addr - e->segments[low - 1].p_vaddr >= e->segments[low - 1].p_memsz)
        return false;
    *segment = e->segments[low - 1];
    return true;
}

bool
elf_find_address(const struct elf *e, uint64_t offset, uint64_t *addr)
{
    for (size_t i = 0; i < e->nsegments; i++) {
        const Elf64_Phdr *s = &e->segments[i];
        if (offset >= s->p_offset && offset - s->p_offset < s->p_filesz) {
            *addr = offset - s->p_offset + s->p_vaddr;
            return true;
        }
    }
    return false;
}

void
elf_close(struct elf *e)
{
    free(e->sections);
    free(e->segments);
    free(e->section_names.ptr);
    *e = (struct elf){0};
}

/* Symbols and relocations */

static size_t
entry_size(const struct elf *e, uint32_t type)
{
    switch (type) {
    case SHT_REL:
        return size_of(e, sizeof(Elf32_Rel), sizeof(Elf64_Rel));
    case SHT_RELA:
        return size_of(e, sizeof(Elf32_Rela), sizeof(Elf64_Rela));
    default:
        return size_of(e, sizeof(Elf32_Sym), sizeof(Elf64_Sym));
    }
}

size_t
elf_count(const struct elf *e, const Elf64_Shdr *section)
{
    uint64_t n = elf_section_view(e, section, 0).size / entry_size(e, section->sh_type);
    return n < ENTRIES_MAX ? (size_t)n : ENTRIES_MAX;
}

bool
elf_symbol(const struct elf *e, struct view *table, size_t i, Elf64_Sym *symbol)
{
    Elf32_Sym s;
    if (e->is64)
        return view_read(table, (uint64_t)i * sizeof *symbol, symbol, sizeof *symbol);
    if (!view_read(table, (uint64_t)i * sizeof s, &s, sizeof s))
        return false;
    *symbol = (Elf64_Sym){s.st_name, s.st_info, s.st_other, s.st_shndx, s.st_value, s.st_size};
    return true;
}

/* Elf64_Rel and Elf32_Rel are the beginning of Elf64_Rela and Elf32_Rela. */
bool
elf_relocation(const struct elf *e, const Elf64_Shdr *section, struct view *table, size_t i,
               struct elf_relocation *r)
{
    size_t size = entry_size(e, section->sh_type);
    Elf64_Rela wide = {0};
    Elf32_Rela narrow = {0};
    if (!view_read(table, (uint64_t)i * size, e->is64 ? (void *)&wide : (void *)&narrow, size))
        return false;
    if (e->is64)
        *r = (struct elf_relocation){wide.r_offset, (uint64_t)wide.r_addend,
                                     (size_t)ELF64_R_SYM(wide.r_info), ELF64_R_TYPE(wide.r_info)};
    else
        *r = (struct elf_relocation){narrow.r_offset, (uint32_t)narrow.r_addend,
                                     ELF32_R_SYM(narrow.r_info), ELF32_R_TYPE(narrow.r_info)};
    return true;
}

/* Notes and links */

struct span
elf_build_id(const struct elf *e)
{
    return span_of(e->id, e->id_len);
}

/* "node.debug\0", NULs up to a multiple of four bytes, the CRC. */
bool
elf_debuglink(const struct elf *e, struct elf_link *link)
{
    Elf64_Shdr s;
    if (!elf_find_section(e, SHT_PROGBITS, SPAN(".gnu_debuglink"), &s))
        return false;
    struct view w = elf_section_view(e, &s, VIEW_ENTRIES);
    struct span name = view_string(&w, 0);
    size_t len = name.len;
    bool found = len > 0 && len < sizeof link->name;
    if (found) {
        memcpy(link->name, name.ptr, len);
        link->name[len] = '\0';
    }
    found = found && view_read(&w, align4(len + 1), &link->crc, sizeof link->crc);
    view_free(&w);
    return found;
}
