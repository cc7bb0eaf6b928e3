/* The choice of symbols and their keys follow tools/perf/util/symbol-elf.c in Linux 6.1, as far as
 * perf's output shows it. */
#include "common/sym/elfsyms.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/sym/gopclntab.h"

/* A symbol table, and the data to convert its addresses to keys. */
struct elfreader {
    const struct elf *symbols, *runtime;
    enum elfsyms_mode mode;
    struct view *names;
    Elf64_Phdr segment; /* the last segment used; nearly always the next one, too */
};

static bool
starts_with_one(struct span name, const char *second)
{
    return name.len >= 2 && name.ptr[0] == '$' && strchr(second, name.ptr[1]) != NULL &&
           (name.len == 2 || name.ptr[2] == '.');
}

/* Return true for the marks between code and data that assemblers for ARM and AArch64 emit: "$a",
 * "$d", "$x.42". */
static bool
is_mapping_symbol(const struct elfreader *r, const Elf64_Sym *s)
{
    if (r->symbols->machine != EM_ARM && r->symbols->machine != EM_AARCH64)
        return false;
    return starts_with_one(view_string(r->names, s->st_name),
                           r->symbols->machine == EM_ARM ? "adt" : "dx");
}

/* Return true for a label, usually of assembly, in a section of code or data. */
static bool
is_label(const struct elfreader *r, const Elf64_Sym *s)
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
is_wanted(const struct elfreader *r, const Elf64_Sym *s)
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

/* Replace an address by its offset in the file. Return false if it is in no segment. */
static bool
to_offset(struct elfreader *r, uint64_t *addr)
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
add_symbol(struct symtab *t, struct elfreader *r, const Elf64_Sym *s)
{
    uint64_t key = s->st_value;
    if (!is_wanted(r, s))
        return;
    if (r->symbols->machine == EM_ARM && ELF64_ST_TYPE(s->st_info) == STT_FUNC)
        key &= ~(uint64_t)1; /* set for Thumb code */
    if (r->mode == ELFSYMS_ADDRESSES || to_offset(r, &key))
        symtab_add(t, key, s->st_size, s->st_name, flags_of(s));
}

/* Add the symbols of the section with this type. */
static void
read_table(struct symtab *t, struct elfreader *r, uint32_t type)
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
    for (size_t i = 1; i < n && elf_symbol(r->symbols, &entries, i, &symbol); i++)
        add_symbol(t, r, &symbol);
    view_free(&entries);
}

/* The x86-64 psABI supplement describes the procedure linkage table (PLT), through which a file
 * calls functions of others. Here is one entry of each kind, as objdump -d prints it. It jumps to
 * the address in a slot of the GOT; the slot's own address is relative to the next instruction:
 *
 *     .plt       ff 25 e2 2f 00 00      jmp *0x2fe2(%rip)
 *                68 00 00 00 00         push $0x0
 *                e9 e0 ff ff ff         jmp PLT0
 *     .plt.sec   f3 0f 1e fa            endbr64
 *                f2 ff 25 e3 2f 00 00   bnd jmp *0x2fe3(%rip)
 *     .plt.got   ff 25 f2 2f 00 00      jmp *0x2ff2(%rip)
 *                66 90                  nop
 */

/* Add "NAME@plt" for the code at an address. Reject a name if all names together would be larger
 * than the file: a real file imports each symbol once. */
static void
add_entry(struct elfsyms *s, const struct elf *e, uint64_t addr, uint64_t size, struct span name)
{
    Elf64_Phdr segment;
    uint64_t file = e->content->size < UINT32_MAX ? e->content->size : UINT32_MAX;
    if (!elf_find_segment(e, addr, &segment) || s->plt_names.len + name.len + sizeof "@plt" > file)
        return;
    symtab_add(&s->plt, addr - segment.p_vaddr + segment.p_offset, size, (uint32_t)s->plt_names.len,
               SYMTAB_GLOBAL);
    text_add(&s->plt_names, name);
    text_add(&s->plt_names, SPAN("@plt\0"));
}

/* The symbols to which a relocation section refers. */
struct referred {
    struct view symbols, names;
    size_t count;
};

static struct referred
referred_symbols(const struct elf *e, const Elf64_Shdr *relocations)
{
    Elf64_Shdr table, strings;
    if (!elf_section(e, relocations->sh_link, &table) || table.sh_type != SHT_DYNSYM ||
        !elf_section(e, table.sh_link, &strings))
        return (struct referred){0};
    return (struct referred){elf_section_view(e, &table, VIEW_ENTRIES),
                             elf_section_view(e, &strings, VIEW_ENTRIES), elf_count(e, &table)};
}

static void
free_referred(struct referred *r)
{
    view_free(&r->symbols);
    view_free(&r->names);
}

/* Return a symbol's name. It is valid until the next call. */
static struct span
symbol_name(const struct elf *e, struct referred *r, size_t i)
{
    Elf64_Sym symbol;
    if (i >= r->count || !elf_symbol(e, &r->symbols, i, &symbol))
        return SPAN("");
    return view_string(&r->names, symbol.st_name);
}

struct layout {
    uint64_t header, entry; /* bytes */
};

static struct layout
plt_layout(const struct elf *e, const Elf64_Shdr *plt)
{
    switch (e->machine) {
    case EM_ARM:
        return (struct layout){20, 12};
    case EM_AARCH64:
        return (struct layout){32, 16};
    default:
        return (struct layout){plt->sh_entsize, plt->sh_entsize};
    }
}

/* Add the entries of .plt. The relocations name them, in the same order. Return their number. */
static size_t
count_entries(struct elfsyms *s, const struct elf *e, const Elf64_Shdr *plt,
              const Elf64_Shdr *relocations)
{
    struct referred r = referred_symbols(e, relocations);
    struct view table = elf_section_view(e, relocations, VIEW_TABLE);
    struct layout layout = plt_layout(e, plt);
    struct elf_relocation rel;
    size_t n = r.count > 0 && layout.entry > 0 ? elf_count(e, relocations) : 0, i = 0;
    for (; i < n; i++) {
        uint64_t at = layout.header + i * layout.entry;
        if (at >= plt->sh_size || !elf_relocation(e, relocations, &table, i, &rel))
            break;
        add_entry(s, e, plt->sh_addr + at, layout.entry, symbol_name(e, &r, rel.symbol));
    }
    view_free(&table);
    free_referred(&r);
    return i;
}

/* The smallest number of .plt entries that hide other symbols from perf. It keeps symbols in a
 * balanced tree sorted by start. If a symbol begins before .plt and spans it, as _init does, enough
 * entries of .plt rise above the symbol in the tree. Then a lookup no longer reaches the symbol:
 * the code in it after .plt (.plt.got, .plt.sec) has no name. That takes 3 to 6 entries, depending
 * on the tree's shape. */
enum { PLT_HIDES = 6 };

/* Remember where the entries of .plt are if there are enough to hide symbols. */
static void
note_plt(struct elfsyms *s, const struct elf *e, const Elf64_Shdr *plt, uint64_t entries)
{
    Elf64_Phdr p;
    struct layout layout = plt_layout(e, plt);
    if (entries < PLT_HIDES || !elf_find_segment(e, plt->sh_addr, &p))
        return;
    s->plt_start = plt->sh_addr - p.p_vaddr + p.p_offset + layout.header;
    s->plt_end = s->plt_start + entries * layout.entry;
}

/* Add the entries of .plt in the order of the relocations in .rela.plt, as perf does. */
static void
count_plt(struct elfsyms *s, const struct elf *e)
{
    Elf64_Shdr plt, relocations;
    if (elf_find_section(e, SHT_PROGBITS, SPAN(".plt"), &plt) &&
        (elf_find_section(e, SHT_RELA, SPAN(".rela.plt"), &relocations) ||
         elf_find_section(e, SHT_REL, SPAN(".rel.plt"), &relocations)))
        note_plt(s, e, &plt, count_entries(s, e, &plt, &relocations));
}

/* A slot of the GOT. The dynamic linker writes to it the address of the relocation section's
 * symbol. If that has no name (IRELATIVE), it is the address of a function chosen by `resolver`. */
struct slot {
    uint64_t addr, resolver;
    size_t symbol;
    struct referred *symbols;
};

struct slots {
    struct slot *list;
    size_t count, cap;
};

static void
add_slots(struct slots *slots, const struct elf *e, const Elf64_Shdr *relocations,
          struct referred *symbols)
{
    struct view table = elf_section_view(e, relocations, VIEW_TABLE);
    struct elf_relocation r;
    size_t n = elf_count(e, relocations);
    *symbols = referred_symbols(e, relocations);
    for (size_t i = 0; i < n && elf_relocation(e, relocations, &table, i, &r); i++) {
        if (r.type != R_X86_64_JUMP_SLOT && r.type != R_X86_64_GLOB_DAT &&
            r.type != R_X86_64_IRELATIVE)
            continue;
        MEM_ADD(slots->list, slots->count, slots->cap,
                (struct slot){r.offset, r.addend, r.symbol, symbols});
    }
    view_free(&table);
}

static int
compare_slots(const void *a, const void *b)
{
    const struct slot *x = a, *y = b;
    return (x->addr > y->addr) - (x->addr < y->addr);
}

/* Set *slot to the address of the slot used by the first `jmp *slot(%rip)` of an entry. */
static bool
jump_slot(struct span code, uint64_t addr, uint64_t *slot)
{
    enum { JUMP = 6 }; /* ff 25, and a distance of four bytes */
    for (size_t i = 0; i + JUMP <= code.len; i++) {
        int32_t distance;
        if ((unsigned char)code.ptr[i] != 0xff || code.ptr[i + 1] != 0x25)
            continue;
        memcpy(&distance, code.ptr + i + 2, sizeof distance);
        *slot = addr + i + JUMP + (uint64_t)(int64_t)distance;
        return true;
    }
    return false;
}

/* Return a name such as "memcpy". If it is unknown, return what objdump prints: "*ABS*+0xa1f30". */
static struct span
slot_name(struct elfsyms *s, const struct elf *e, const struct slot *slot, char text[static 32])
{
    struct span name = symbol_name(e, slot->symbols, slot->symbol);
    uint64_t start;
    Elf64_Phdr p;
    if (name.len > 0)
        return name;
    if (elf_find_segment(e, slot->resolver, &p) &&
        symtab_find(&s->symbols, slot->resolver - p.p_vaddr + p.p_offset, &name, &start))
        return name;
    int len = snprintf(text, 32, "*ABS*+0x%" PRIx64, slot->resolver);
    return span_of(text, (size_t)len);
}

enum {
    CODE_MAX = 16 << 20, /* bytes of a PLT that are decoded: a million entries */
    ENTRY_MAX = 64       /* bytes of an entry */
};

static void
decode_section(struct elfsyms *s, const struct elf *e, const struct slots *slots, struct span name)
{
    Elf64_Shdr plt;
    char text[32];
    if (!elf_find_section(e, SHT_PROGBITS, name, &plt))
        return;
    struct view code = elf_section_view(e, &plt, VIEW_TABLE);
    /* In static executables, GNU ld omits the size of an entry: it is the same as in .plt.got. */
    uint64_t usual = plt.sh_addralign == 8 ? 8 : 16,
             entry = plt.sh_entsize ? plt.sh_entsize : usual;
    uint64_t size = code.size < CODE_MAX ? code.size : CODE_MAX;
    size_t looked_at = entry < ENTRY_MAX ? (size_t)entry : ENTRY_MAX;
    for (uint64_t at = 0; at < size && entry <= size - at; at += entry) {
        struct slot wanted = {0}, *slot = NULL;
        struct span bytes = view_at(&code, at, looked_at);
        if (bytes.len < looked_at)
            break;
        if (jump_slot(span_head(bytes, looked_at), plt.sh_addr + at, &wanted.addr) &&
            slots->count > 0)
            slot = bsearch(&wanted, slots->list, slots->count, sizeof wanted, compare_slots);
        if (slot != NULL)
            add_entry(s, e, plt.sh_addr + at, entry, slot_name(s, e, slot, text));
    }
    view_free(&code);
}

/* Add the entries of .plt, .plt.sec and .plt.got by their code and the relocations: an entry jumps
 * through a slot of the global offset table (GOT), and a relocation names the symbol whose address
 * the dynamic linker writes to the slot. A function chosen at run time (IRELATIVE) is named after
 * its resolver, which is looked up in s->symbols. This is for x86-64; on other machines, do as perf
 * does. Entries that cannot be decoded are left out. */
static void
decode_plt(struct elfsyms *s, const struct elf *e)
{
    Elf64_Shdr section;
    struct slots slots = {0};
    struct referred plt = {0}, got = {0};
    if (e->machine != EM_X86_64) {
        count_plt(s, e);
        return;
    }
    if (elf_find_section(e, SHT_RELA, SPAN(".rela.plt"), &section))
        add_slots(&slots, e, &section, &plt);
    if (elf_find_section(e, SHT_PROGBITS, SPAN(".plt.got"), &section) &&
        elf_find_section(e, SHT_RELA, SPAN(".rela.dyn"), &section))
        add_slots(&slots, e, &section, &got);
    if (slots.count > 0)
        qsort(slots.list, slots.count, sizeof *slots.list, compare_slots);
    decode_section(s, e, &slots, SPAN(".plt"));
    decode_section(s, e, &slots, SPAN(".plt.sec"));
    decode_section(s, e, &slots, SPAN(".plt.got"));
    free(slots.list);
    free_referred(&plt);
    free_referred(&got);
}

static void
read_plt(struct elfsyms *s, const struct elf *runtime, enum elfsyms_mode mode)
{
    s->as_perf = mode == ELFSYMS_AS_PERF;
    if (s->as_perf && s->symbols.count > 0) /* without symbols, perf leaves the PLT out */
        count_plt(s, runtime);
    else if (mode == ELFSYMS_RIGHT)
        decode_plt(s, runtime);
    s->plt.names = view_of(text_span(&s->plt_names));
    s->plt.demangle = s->symbols.demangle;
    s->plt.ctx = s->symbols.ctx;
    symtab_finish(&s->plt);
}

/* Add the functions of a Go program from the runtime's function table. */
static void
read_go(struct symtab *t, struct elfreader *r)
{
    struct gopclntab table;
    struct gopclntab_function f;
    if (!gopclntab_open(&table, r->runtime))
        return;
    for (size_t i = 0; i < table.count; i++) {
        if (!gopclntab_function(&table, i, &f))
            continue;
        uint64_t key = f.start;
        if (to_offset(r, &key))
            symtab_add(t, key, f.end - f.start, f.name, SYMTAB_GLOBAL);
    }
    t->names = table.names;
    table.names = (struct view){0};
    gopclntab_close(&table);
}

void
elfsyms_read(struct elfsyms *s, const struct elf *symbols, const struct elf *runtime,
             enum elfsyms_mode mode)
{
    struct elfreader r = {.symbols = symbols, .runtime = runtime, .mode = mode};
    bool leaves_out_exported = symbols != runtime && symbols->content->path == NULL;
    read_table(&s->symbols, &r, SHT_SYMTAB);
    if (s->symbols.count == 0 && mode == ELFSYMS_RIGHT) {
        read_go(&s->symbols, &r);
        leaves_out_exported |= s->symbols.count > 0;
    }
    if (s->symbols.count == 0)
        read_table(&s->symbols, &r, SHT_DYNSYM);
    symtab_finish(&s->symbols);
    if (leaves_out_exported) {
        struct elfreader exported = {.symbols = runtime, .runtime = runtime, .mode = mode};
        s->exported.demangle = s->symbols.demangle;
        s->exported.ctx = s->symbols.ctx;
        s->exported.patience = s->symbols.patience;
        read_table(&s->exported, &exported, SHT_DYNSYM);
        symtab_finish(&s->exported);
    }
    read_plt(s, runtime, mode);
    if (symbols->content->problem != NULL || runtime->content->problem != NULL)
        elfsyms_free(s);
}

bool
elfsyms_find(struct elfsyms *s, uint64_t offset, struct span *name, uint64_t *start)
{
    struct span other;
    uint64_t at;
    if (symtab_find(&s->plt, offset, name, start))
        return true;
    bool found = symtab_find(&s->symbols, offset, name, start);
    if (s->as_perf && found && offset >= s->plt_end && *start < s->plt_start)
        return false;
    if (s->exported.count == 0 || !symtab_find(&s->exported, offset, &other, &at) ||
        (found && *start >= at))
        return found;
    *name = other;
    *start = at;
    return true;
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
    symtab_free(&s->exported);
    symtab_free(&s->plt);
    free(s->plt_names.ptr);
    *s = (struct elfsyms){0};
}
