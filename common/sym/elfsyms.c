/* Which symbols count, and by which key, is what tools/perf/util/symbol-elf.c in Linux 6.1 does, as
 * far as perf's output shows it. */
#include "common/sym/elfsyms.h"

#include <stdlib.h>

#include "common/sym/elfplt.h"

/* One symbol table and what turns its addresses into keys. */
struct reader {
    const struct elf *symbols, *runtime;
    enum elfsyms_mode mode;
    struct view *names;
    Elf64_Phdr segment; /* the one used last: nearly always the right one again */
};

static bool
starts_with_one(struct span name, const char *second)
{
    return name.len >= 2 && name.ptr[0] == '$' && strchr(second, name.ptr[1]) != NULL &&
           (name.len == 2 || name.ptr[2] == '.');
}

/* ARM's and AArch64's assemblers mark where code and data begin: "$a", "$d", "$x.42". */
static bool
is_mapping_symbol(const struct reader *r, const Elf64_Sym *s)
{
    if (r->symbols->machine != EM_ARM && r->symbols->machine != EM_AARCH64)
        return false;
    return starts_with_one(view_string(r->names, s->st_name),
                           r->symbols->machine == EM_ARM ? "adt" : "dx");
}

/* A label, usually of assembly, is taken from code and data sections. */
static bool
is_label(const struct reader *r, const Elf64_Sym *s)
{
    Elf64_Shdr section;
    unsigned visibility = ELF64_ST_VISIBILITY(s->st_other);
    if (visibility == STV_HIDDEN || visibility == STV_INTERNAL || is_mapping_symbol(r, s) ||
        !elf_section(r->symbols, s->st_shndx, &section))
        return false;
    struct span name = elf_section_name(r->symbols, &section);
    return span_holds(name, SPAN("text")) || span_holds(name, SPAN("data"));
}

static bool
is_wanted(const struct reader *r, const Elf64_Sym *s)
{
    if (s->st_name == 0 || s->st_shndx == SHN_UNDEF || s->st_shndx == SHN_ABS)
        return false;
    switch (ELF64_ST_TYPE(s->st_info)) {
    case STT_FUNC:
    case STT_GNU_IFUNC:
    case STT_OBJECT:
        return true;
    case STT_NOTYPE:
        return is_label(r, s);
    default:
        return false;
    }
}

/* Replaces an address by the offset in the file. False where no segment has it. */
static bool
to_offset(struct reader *r, uint64_t *addr)
{
    if (*addr - r->segment.p_vaddr >= r->segment.p_memsz &&
        !elf_find_segment(r->runtime, *addr, &r->segment)) {
        r->segment.p_memsz = 0;
        return false;
    }
    *addr += r->segment.p_offset - r->segment.p_vaddr;
    return true;
}

static unsigned
flags_of(const Elf64_Sym *s)
{
    return (ELF64_ST_BIND(s->st_info) == STB_WEAK ? SYMTAB_WEAK : 0u) |
           (ELF64_ST_BIND(s->st_info) == STB_GLOBAL ? SYMTAB_GLOBAL : 0u) |
           (ELF64_ST_TYPE(s->st_info) == STT_NOTYPE ? SYMTAB_NOTYPE : 0u);
}

static void
add_symbol(struct symtab *t, struct reader *r, const Elf64_Sym *s)
{
    uint64_t key = s->st_value;
    if (!is_wanted(r, s))
        return;
    if (r->symbols->machine == EM_ARM && ELF64_ST_TYPE(s->st_info) == STT_FUNC)
        key &= ~(uint64_t)1; /* set for Thumb code */
    if (r->mode == ELFSYMS_ADDRESSES || to_offset(r, &key))
        symtab_add(t, key, s->st_size, s->st_name, flags_of(s));
}

enum { RESERVED = 1 << 18 }; /* symbols; a sparse file may claim any number of them */

/* Adds the symbols of a section of that type. */
static void
read_table(struct symtab *t, struct reader *r, uint32_t type)
{
    Elf64_Shdr table, strings;
    if (!elf_find_section(r->symbols, type, SPAN(""), &table) ||
        !elf_section(r->symbols, table.sh_link, &strings))
        return;
    struct view entries = elf_section_view(r->symbols, &table, VIEW_TABLE);
    size_t n = elf_count(r->symbols, &table);
    Elf64_Sym symbol;
    view_free(&t->names);
    t->names = elf_section_view(r->symbols, &strings, VIEW_ENTRIES);
    r->names = &t->names;
    symtab_reserve(t, n < RESERVED ? n : RESERVED);
    for (size_t i = 1; i < n && elf_symbol(r->symbols, &entries, i, &symbol); i++)
        add_symbol(t, r, &symbol);
    view_free(&entries);
}

static void
read_plt(struct elfsyms *s, const struct elf *runtime, enum elfsyms_mode mode)
{
    if (mode == ELFSYMS_AS_PERF && s->symbols.count > 0) /* else perf leaves the PLT out */
        elfplt_count(s, runtime);
    else if (mode == ELFSYMS_RIGHT)
        elfplt_decode(s, runtime);
    s->plt.names = view_of(text_span(&s->plt_names));
    s->plt.demangle = s->symbols.demangle;
    s->plt.ctx = s->symbols.ctx;
    symtab_finish(&s->plt);
}

void
elfsyms_read(struct elfsyms *s, const struct elf *symbols, const struct elf *runtime,
             enum elfsyms_mode mode)
{
    struct reader r = {.symbols = symbols, .runtime = runtime, .mode = mode};
    read_table(&s->symbols, &r, SHT_SYMTAB);
    if (s->symbols.count == 0)
        read_table(&s->symbols, &r, SHT_DYNSYM);
    symtab_finish(&s->symbols);
    read_plt(s, runtime, mode);
    if (symbols->content->problem != NULL || runtime->content->problem != NULL)
        elfsyms_free(s);
}

bool
elfsyms_find(struct elfsyms *s, uint64_t offset, struct span *name, uint64_t *start)
{
    return symtab_find(&s->plt, offset, name, start) ||
           symtab_find(&s->symbols, offset, name, start);
}

bool
elfsyms_has_symtab(const struct elf *e)
{
    Elf64_Shdr table;
    return elf_find_section(e, SHT_SYMTAB, SPAN(""), &table) && elf_count(e, &table) > 1;
}

void
elfsyms_free(struct elfsyms *s)
{
    symtab_free(&s->symbols);
    symtab_free(&s->plt);
    free(s->plt_names.ptr);
    *s = (struct elfsyms){0};
}
