/* The x86-64 psABI supplement describes the tables. An entry of each, as objdump -d prints it; the
 * jump is to where a slot of the GOT points, whose address is relative to the next instruction:
 *
 *     .plt       ff 25 e2 2f 00 00      jmp *0x2fe2(%rip)
 *                68 00 00 00 00         push $0x0
 *                e9 e0 ff ff ff         jmp PLT0
 *     .plt.sec   f3 0f 1e fa            endbr64
 *                f2 ff 25 e3 2f 00 00   bnd jmp *0x2fe3(%rip)
 *     .plt.got   ff 25 f2 2f 00 00      jmp *0x2ff2(%rip)
 *                66 90                  nop
 */
#include "common/sym/elfplt.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Adds "NAME@plt" for the code at an address of the file. The names together are never larger than
 * the file, in which each symbol should be imported once. */
static void
add_entry(struct elfsyms *s, const struct elf *e, uint64_t addr, uint64_t size, struct span name)
{
    Elf64_Phdr segment;
    size_t room = (e->bytes.len < UINT32_MAX ? e->bytes.len : UINT32_MAX) - s->plt_names.len;
    if (!elf_find_segment(e, addr, &segment) || name.len + sizeof "@plt" > room)
        return;
    symtab_add(&s->plt, addr - segment.p_vaddr + segment.p_offset, size, (uint32_t)s->plt_names.len,
               SYMTAB_GLOBAL);
    text_add(&s->plt_names, name);
    text_add(&s->plt_names, SPAN("@plt\0"));
}

/* The symbols that a relocation section refers to. */
struct referred {
    struct span symbols, names;
    size_t count;
};

static struct referred
referred_symbols(const struct elf *e, const Elf64_Shdr *relocations)
{
    Elf64_Shdr table, strings;
    if (!elf_section(e, relocations->sh_link, &table) || table.sh_type != SHT_DYNSYM ||
        !elf_section(e, table.sh_link, &strings))
        return (struct referred){0};
    return (struct referred){elf_section_bytes(e, &table), elf_section_bytes(e, &strings),
                             elf_count(e, &table)};
}

static struct span
symbol_name(const struct elf *e, const struct referred *r, size_t i)
{
    if (i >= r->count)
        return SPAN("");
    return elf_string(r->names, elf_symbol(e, r->symbols, i).st_name);
}

/* Counting */

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

static bool
find_plt_relocations(const struct elf *e, Elf64_Shdr *section)
{
    return elf_find_section(e, SHT_RELA, SPAN(".rela.plt"), section) ||
           elf_find_section(e, SHT_REL, SPAN(".rel.plt"), section);
}

void
elfplt_count(struct elfsyms *s, const struct elf *e)
{
    Elf64_Shdr plt, relocations;
    if (!elf_find_section(e, SHT_PROGBITS, SPAN(".plt"), &plt) ||
        !find_plt_relocations(e, &relocations))
        return;
    struct referred r = referred_symbols(e, &relocations);
    struct layout layout = plt_layout(e, &plt);
    size_t n = r.count > 0 ? elf_count(e, &relocations) : 0;
    for (size_t i = 0; i < n && layout.entry > 0; i++) {
        uint64_t at = layout.header + i * layout.entry;
        if (at >= plt.sh_size)
            break;
        size_t symbol = elf_relocation(e, &relocations, i).symbol;
        add_entry(s, e, plt.sh_addr + at, layout.entry, symbol_name(e, &r, symbol));
    }
}

/* Decoding */

/* A slot of the GOT and whose address the dynamic linker puts there. */
struct slot {
    uint64_t addr, resolver; /* of IRELATIVE: the function that chooses another one */
    struct span name;        /* "": IRELATIVE */
};

struct slots {
    struct slot *list;
    size_t count, cap;
};

static void
add_slots(struct slots *slots, const struct elf *e, const Elf64_Shdr *relocations)
{
    struct referred r = referred_symbols(e, relocations);
    size_t n = elf_count(e, relocations);
    for (size_t i = 0; i < n; i++) {
        struct elf_relocation rel = elf_relocation(e, relocations, i);
        if (rel.type != R_X86_64_JUMP_SLOT && rel.type != R_X86_64_GLOB_DAT &&
            rel.type != R_X86_64_IRELATIVE)
            continue;
        struct span name = symbol_name(e, &r, rel.symbol);
        slots->list = mem_grow(slots->list, &slots->cap, slots->count + 1, sizeof *slots->list);
        slots->list[slots->count++] = (struct slot){rel.offset, rel.addend, name};
    }
}

static int
compare_slots(const void *a, const void *b)
{
    const struct slot *x = a, *y = b;
    return (x->addr > y->addr) - (x->addr < y->addr);
}

/* Where the first `jmp *slot(%rip)` of an entry jumps through. */
static bool
jump_slot(struct span code, uint64_t addr, uint64_t *slot)
{
    enum { JUMP = 6 }; /* ff 25, and four bytes of distance */
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

/* "memcpy", or as objdump names it where nothing is known: "*ABS*+0xa1f30". */
static struct span
slot_name(struct elfsyms *s, const struct elf *e, const struct slot *slot, char text[static 32])
{
    struct span name;
    uint64_t start;
    Elf64_Phdr p;
    if (slot->name.len > 0)
        return slot->name;
    if (elf_find_segment(e, slot->resolver, &p) &&
        symtab_find(&s->symbols, slot->resolver - p.p_vaddr + p.p_offset, &name, &start))
        return name;
    int len = snprintf(text, 32, "*ABS*+0x%" PRIx64, slot->resolver);
    return span_of(text, (size_t)len);
}

enum { CODE_MAX = 16 << 20 }; /* bytes of a PLT that are decoded: a million entries */

/* The size of an entry. GNU ld leaves it out in static executables, whose entries are as
 * .plt.got's. */
static uint64_t
decoded_size(const Elf64_Shdr *plt)
{
    if (plt->sh_entsize > 0)
        return plt->sh_entsize;
    return plt->sh_addralign == 8 ? 8 : 16;
}

static void
decode_section(struct elfsyms *s, const struct elf *e, const struct slots *slots, struct span name)
{
    Elf64_Shdr plt;
    char text[32];
    if (!elf_find_section(e, SHT_PROGBITS, name, &plt))
        return;
    struct span code = elf_section_bytes(e, &plt);
    code.len = code.len < CODE_MAX ? code.len : CODE_MAX;
    uint64_t entry = decoded_size(&plt);
    for (uint64_t at = 0; at < code.len && entry <= code.len - at; at += entry) {
        struct slot wanted = {0}, *slot = NULL;
        struct span bytes = span_of(code.ptr + at, (size_t)entry);
        if (jump_slot(bytes, plt.sh_addr + at, &wanted.addr) && slots->count > 0)
            slot = bsearch(&wanted, slots->list, slots->count, sizeof wanted, compare_slots);
        if (slot != NULL)
            add_entry(s, e, plt.sh_addr + at, entry, slot_name(s, e, slot, text));
    }
}

void
elfplt_decode(struct elfsyms *s, const struct elf *e)
{
    Elf64_Shdr section;
    struct slots slots = {0};
    if (e->machine != EM_X86_64) {
        elfplt_count(s, e);
        return;
    }
    if (elf_find_section(e, SHT_RELA, SPAN(".rela.plt"), &section))
        add_slots(&slots, e, &section);
    if (elf_find_section(e, SHT_PROGBITS, SPAN(".plt.got"), &section) &&
        elf_find_section(e, SHT_RELA, SPAN(".rela.dyn"), &section))
        add_slots(&slots, e, &section);
    if (slots.count > 0)
        qsort(slots.list, slots.count, sizeof *slots.list, compare_slots);
    decode_section(s, e, &slots, SPAN(".plt"));
    decode_section(s, e, &slots, SPAN(".plt.sec"));
    decode_section(s, e, &slots, SPAN(".plt.got"));
    free(slots.list);
}
