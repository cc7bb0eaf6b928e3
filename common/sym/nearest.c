/* A symbol of type STT_FILE precedes the local symbols of its source file:
 *
 *     STT_FILE    LOCAL    one.c
 *     STT_FUNC    LOCAL    helper      is in one.c
 *     STT_FUNC    GLOBAL   main        in no known file, unless one.c is the only one so far
 */
#include "common/sym/nearest.h"

#include <stdlib.h>

#define NO_FILE UINT32_MAX

struct nearest_symbol {
    uint64_t address;
    uint32_t section, name, file; /* file: NO_FILE if unknown */
    uint32_t order; /* of symbols at one address, the one with the smallest order is used */
};

/* Return true if the symbol may be a function: it is not data, a file, or a section. */
static bool
is_code(const Elf64_Sym *s)
{
    unsigned type = ELF64_ST_TYPE(s->st_info);
    if (s->st_shndx == SHN_UNDEF || s->st_shndx >= SHN_LORESERVE)
        return false;
    if (type != STT_NOTYPE && type != STT_FUNC && type != STT_GNU_IFUNC)
        return false;
    /* Exclude notes of annobin, a compiler plugin. */
    return s->st_size > 0 || type != STT_NOTYPE || ELF64_ST_BIND(s->st_info) != STB_LOCAL ||
           ELF64_ST_VISIBILITY(s->st_other) != STV_HIDDEN;
}

/* Return the order of symbols at one address: first those with a size, then functions, then smaller
 * ones. */
static uint32_t
order_of(const Elf64_Sym *s)
{
    uint32_t order = s->st_size == 0 ? 1u << 31 : 0;
    if (ELF64_ST_TYPE(s->st_info) == STT_NOTYPE)
        order |= 1u << 30;
    return order | (uint32_t)(s->st_size < (1u << 30) - 1 ? s->st_size : (1u << 30) - 1);
}

static int
compare_symbols(const void *a, const void *b)
{
    const struct nearest_symbol *x = a, *y = b;
    if (x->address != y->address)
        return (x->address > y->address) - (x->address < y->address);
    if (x->order != y->order)
        return (x->order > y->order) - (x->order < y->order);
    return (x->name > y->name) - (x->name < y->name);
}

/* Sort the symbols, and keep one at each address. */
static void
sort_symbols(struct nearest *n)
{
    size_t kept = 0;
    if (n->count > 1)
        qsort(n->list, n->count, sizeof *n->list, compare_symbols);
    for (size_t i = 0; i < n->count; i++)
        if (i == 0 || n->list[i].address != n->list[kept - 1].address)
            n->list[kept++] = n->list[i];
    n->count = kept;
}

void
nearest_read(struct nearest *n, const struct elf *e)
{
    Elf64_Shdr table, strings;
    Elf64_Sym s;
    uint32_t file = NO_FILE;
    bool symbol_seen = false, several = false;
    *n = (struct nearest){.elf = e};
    if ((!elf_find_section(e, SHT_SYMTAB, SPAN(""), &table) || elf_count(e, &table) < 2) &&
        !elf_find_section(e, SHT_DYNSYM, SPAN(""), &table))
        return;
    if (!elf_section(e, table.sh_link, &strings))
        return;
    struct view symbols = elf_section_view(e, &table, VIEW_TABLE);
    n->names = elf_section_view(e, &strings, VIEW_ENTRIES);
    size_t count = elf_count(e, &table);
    for (size_t i = 1; i < count && elf_symbol(e, &symbols, i, &s); i++) {
        if (ELF64_ST_TYPE(s.st_info) == STT_FILE) {
            file = s.st_name;
            several |= symbol_seen;
        } else if (is_code(&s)) {
            bool known = ELF64_ST_BIND(s.st_info) == STB_LOCAL || !several;
            MEM_ADD(n->list, n->count, n->cap,
                    (struct nearest_symbol){s.st_value, s.st_shndx, s.st_name,
                                            known ? file : NO_FILE, order_of(&s)});
            symbol_seen = true;
        }
    }
    view_free(&symbols);
    sort_symbols(n);
}

/* Return true if the address is in the section of the symbol. */
static bool
has_address(const struct elf *e, const struct nearest_symbol *s, uint64_t address)
{
    Elf64_Shdr section;
    return elf_section(e, s->section, &section) && (section.sh_flags & SHF_ALLOC) != 0 &&
           address >= section.sh_addr && address - section.sh_addr < section.sh_size;
}

bool
nearest_find(struct nearest *n, uint64_t address, struct text *function, struct text *file,
             bool *known)
{
    size_t low = 0, high = n->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (n->list[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || !has_address(n->elf, &n->list[low - 1], address))
        return false;
    const struct nearest_symbol *s = &n->list[low - 1];
    text_set(function, view_string(&n->names, s->name));
    *known = s->file != NO_FILE;
    text_set(file, *known ? view_string(&n->names, s->file) : SPAN(""));
    return true;
}

void
nearest_free(struct nearest *n)
{
    free(n->list);
    view_free(&n->names);
    *n = (struct nearest){0};
}
