/* The format: src/runtime/symtab.go (pcHeader, moduledata, functab, pcvalue), runtime2.go (_func)
 * and src/debug/gosym/pclntab.go of Go 1.2 to 1.26; "Go 1.2 Runtime Symbol Information" by Russ
 * Cox.
 *
 *     f1 ff ff ff  00 00  01  08           magic, padding, quantum, bytes of a word
 *     count, files, text                   words; text since Go 1.18, 0 since Go 1.26
 *     names, units, files, depths, table   words since Go 1.16: offsets of the parts from the magic
 *     ...
 *     start, function; start, function ... the table: functions by address, then the last one's end
 *     ...
 *     start, name, args, defer, depths ... each function, at its offset in the table
 *
 * Before Go 1.16 the table follows the count, and all offsets are relative to the magic. Starts are
 * addresses, in words; since Go 1.18 they have 32 bits and are relative to the start of the
 * code. */
#include "common/sym/gopclntab.h"

#include "common/base/cursor.h"

enum {
    PREFIX = 8, /* bytes before the words of the header */
    TEXT = 2,   /* number of a word in the header, see above */
    NARROW = 4, /* bytes of a start since Go 1.18 */
    /* Index of that word in moduledata, whose first word is the table's address. */
    MODULE_TEXT = 22,
    SCAN_MAX = 64 << 20,      /* bytes of a section that are searched for the table */
    RELOCATIONS_MAX = 4 << 20 /* relocations that are searched for one address */
};

static const struct layout {
    uint32_t magic;
    bool relative;      /* starts have 32 bits, relative to the start of the code */
    uint8_t first_part; /* index of the header's word with the offset of the names; 0: none */
    uint8_t flags;      /* offset of the flags in a function, from the end of its start; 0: none */
} layouts[] = {
    {0xfffffffb, false, 0, 0},  /* Go 1.2 */
    {0xfffffffa, false, 2, 33}, /* Go 1.16, which leaves the flags 0; Go 1.17 */
    {0xfffffff0, true, 3, 33},  /* Go 1.18 */
    {0xfffffff1, true, 3, 37},  /* Go 1.20 */
};

enum { LAYOUTS = sizeof layouts / sizeof *layouts };

/* Bits of _func.flag: abi.FuncFlagTopFrame and abi.FuncFlagSPWrite. */
enum { TOP_FRAME = 1, WRITES_SP = 2 };

/* Functions of assembly about which the flags say too little, and functions of Go versions without
 * flags. A name may continue with "." or "<", as in runtime.goexit.abi0 and runtime.mcall<0>; "*"
 * stands for anything. */
static const struct named {
    const char *name;
    enum gopclntab_kind kind;
} named[] = {
    {"_rt0_*", GOPCLNTAB_ROOT},
    {"runtime.rt0_go", GOPCLNTAB_ROOT},
    {"runtime.goexit", GOPCLNTAB_ROOT},
    {"runtime.mstart", GOPCLNTAB_ROOT},
    /* The goroutine from which they switch may already run on another thread. */
    {"runtime.mcall", GOPCLNTAB_ROOT},
    {"runtime.morestack", GOPCLNTAB_ROOT},
    {"runtime.systemstack", GOPCLNTAB_SYSTEM},
    {"runtime.asmcgocall", GOPCLNTAB_SYSTEM},
    {"runtime.cgocallback", GOPCLNTAB_CALLBACK},
    {"runtime.cgocallback_gofunc", GOPCLNTAB_CALLBACK},
    {"runtime.nanotime*", GOPCLNTAB_SWITCHES},
    {"runtime.walltime*", GOPCLNTAB_SWITCHES},
    {"runtime.gogo", GOPCLNTAB_SWITCHES},
    {"runtime.asyncPreempt", GOPCLNTAB_INTERRUPTS},
    {"runtime.systemstack_switch", GOPCLNTAB_RESUMED},
    {"runtime.sigreturn*", GOPCLNTAB_SIGRETURN},
    /* They are marked as outermost functions, but their caller is the code that they
     * interrupted. */
    {"runtime.sigtramp*", GOPCLNTAB_UNFRAMED},
    {"runtime.cgoSigtramp*", GOPCLNTAB_UNFRAMED},
};

/* Words of the file */

/* Read a number of four or eight bytes. */
static bool
number_at(struct view *v, uint64_t at, size_t size, uint64_t *number)
{
    struct span bytes = view_at(v, at, size);
    if (bytes.len < size)
        return false;
    struct cursor r = cursor_of(bytes);
    *number = cursor_fixed(&r, size);
    return true;
}

/* Return what the dynamic linker writes to an address: the addend of its relocation, or 0. */
static uint64_t
relocated(const struct elf *e, uint64_t addr)
{
    Elf64_Shdr section;
    struct elf_relocation r;
    uint64_t found = 0;
    size_t left = RELOCATIONS_MAX;
    for (size_t i = 1; found == 0 && elf_section(e, i, &section); i++) {
        if (section.sh_type != SHT_RELA)
            continue;
        struct view table = elf_section_view(e, &section, VIEW_TABLE);
        size_t n = elf_count(e, &section), k = 0;
        for (n = n < left ? n : left; k < n && found == 0; k++)
            if (!elf_relocation(e, &section, &table, k, &r))
                break;
            else if (r.offset == addr)
                found = r.addend;
        left -= k;
        view_free(&table);
    }
    return found;
}

/* The table */

static const struct layout *
layout_of(const struct gopclntab *t)
{
    return &layouts[t->version];
}

/* Return the size of a start, and of the offset after it, in bytes. */
static size_t
start_size(const struct gopclntab *t)
{
    return layout_of(t)->relative ? NARROW : t->word;
}

/* Read the first eight bytes of a header. */
static bool
read_prefix(struct gopclntab *t, struct span bytes)
{
    enum { LARGEST = 4 };
    struct cursor r = cursor_of(bytes);
    uint64_t magic = cursor_fixed(&r, 4), padding = cursor_fixed(&r, 2);
    t->quantum = cursor_u8(&r);
    t->word = cursor_u8(&r);
    for (t->version = 0; t->version < LAYOUTS && layouts[t->version].magic != magic;)
        t->version++;
    return !r.cut && t->version < LAYOUTS && padding == 0 && t->quantum > 0 &&
           t->quantum <= LARGEST && (t->word == 4 || t->word == 8);
}

/* Return a view of a table from an offset on. */
static struct view
view_from(const struct elf *e, const Elf64_Shdr *table, uint64_t offset)
{
    if (offset > table->sh_size)
        return (struct view){0};
    return view_over(e->content, table->sh_offset + offset, table->sh_size - offset, VIEW_TABLE);
}

/* Find the offset of a part by its number: 0 names, 3 depths, 4 functions. */
static bool
part_at(struct gopclntab *t, struct view *header, unsigned number, uint64_t *offset)
{
    *offset = 0;
    return layout_of(t)->first_part == 0 ||
           number_at(header, PREFIX + (layout_of(t)->first_part + number) * t->word, t->word,
                     offset);
}

/* Read the header, and set everything but `text`. */
static bool
read_header(struct gopclntab *t, const struct elf *e, const Elf64_Shdr *table)
{
    enum { NAMES = 0, DEPTHS = 3, FUNCTIONS = 4 };
    struct view header = view_from(e, table, 0);
    uint64_t count, names, depths, functions;
    bool known = read_prefix(t, view_at(&header, 0, PREFIX)) &&
                 number_at(&header, PREFIX, t->word, &count) &&
                 part_at(t, &header, NAMES, &names) && part_at(t, &header, DEPTHS, &depths) &&
                 part_at(t, &header, FUNCTIONS, &functions);
    view_free(&header);
    if (!known || functions > table->sh_size)
        return false;
    uint64_t starts = layout_of(t)->first_part == 0 ? PREFIX + t->word : functions;
    uint64_t room = starts < table->sh_size ? (table->sh_size - starts) / start_size(t) : 0;
    if (count == 0 || room < 3 || count > (room - 1) / 2)
        return false;
    t->count = (size_t)count;
    t->names = view_from(e, table, names);
    t->depths = view_from(e, table, depths);
    t->functions = view_from(e, table, functions);
    t->starts = view_from(e, table, starts);
    return true;
}

/* Find the section of the table. Otherwise find the section that may contain it, and set
 * *somewhere: ld puts the table of a position-independent executable into .data.rel.ro. */
static bool
find_section(const struct elf *e, Elf64_Shdr *table, bool *somewhere)
{
    *somewhere = false;
    if (elf_find_section(e, SHT_PROGBITS, SPAN(".gopclntab"), table) ||
        elf_find_section(e, SHT_PROGBITS, SPAN(".data.rel.ro.gopclntab"), table))
        return true;
    *somewhere = true;
    return elf_find_section(e, SHT_NOTE, SPAN(".note.go.buildid"), table) &&
           elf_find_section(e, SHT_PROGBITS, SPAN(".data.rel.ro"), table);
}

/* Search a section for the table, and reduce *section to it. */
static bool
search_section(struct gopclntab *t, const struct elf *e, Elf64_Shdr *section)
{
    enum { ALIGNMENT = 8 };
    struct view bytes = view_from(e, section, 0);
    Elf64_Shdr rest = *section;
    bool found = false;
    for (uint64_t at = 0; !found && at < bytes.size && at < SCAN_MAX; at += ALIGNMENT) {
        struct span prefix = view_at(&bytes, at, PREFIX);
        if (!read_prefix(t, span_head(prefix, prefix.len < PREFIX ? prefix.len : PREFIX)))
            continue;
        rest.sh_offset = section->sh_offset + at;
        rest.sh_addr = section->sh_addr + at;
        rest.sh_size = section->sh_size - at;
        found = read_header(t, e, &rest);
    }
    view_free(&bytes);
    *section = rest;
    return found;
}

/* Where the code begins */

/* Return a word of the file by its address. If it is 0, return what the dynamic linker writes
 * there. */
static uint64_t
word_at(const struct gopclntab *t, const struct elf *e, uint64_t addr)
{
    uint64_t word = 0;
    struct view v = elf_address_view(e, addr, VIEW_ENTRIES);
    number_at(&v, 0, t->word, &word);
    view_free(&v);
    return word != 0 ? word : relocated(e, addr);
}

/* Return true if the program's entry point is a function of Go: then .text has no other code. */
static bool
begins_in_go(struct gopclntab *t, uint64_t entry)
{
    struct gopclntab_function f;
    size_t low = 0, high = t->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (!gopclntab_function(t, middle, &f))
            return false;
        if (f.start == entry)
            return span_starts(view_string(&t->names, f.name), SPAN("_rt0_"));
        if (f.start < entry)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* Find the address of the code. It is in the header; since Go 1.26 in moduledata, which has a
 * section of its own; otherwise it is the address of .text. */
static bool
find_text(struct gopclntab *t, const struct elf *e, uint64_t header)
{
    Elf64_Shdr s;
    t->text = 0;
    if (!layout_of(t)->relative)
        return true;
    t->text = word_at(t, e, header + PREFIX + TEXT * t->word);
    if (t->text == 0 && elf_find_section(e, SHT_PROGBITS, SPAN(".go.module"), &s) &&
        word_at(t, e, s.sh_addr) == header)
        t->text = word_at(t, e, s.sh_addr + MODULE_TEXT * t->word);
    if (t->text != 0)
        return true;
    t->text = elf_find_section(e, SHT_PROGBITS, SPAN(".text"), &s) ? s.sh_addr : 0;
    return t->text != 0 && begins_in_go(t, e->entry);
}

uint64_t
gopclntab_size(const struct elf *e)
{
    Elf64_Shdr table;
    bool somewhere;
    return find_section(e, &table, &somewhere) ? table.sh_size : 0;
}

bool
gopclntab_open(struct gopclntab *t, const struct elf *e)
{
    Elf64_Shdr table;
    bool somewhere;
    *t = (struct gopclntab){0};
    if (!find_section(e, &table, &somewhere))
        return false;
    bool found = somewhere ? search_section(t, e, &table) : read_header(t, e, &table);
    if (found && find_text(t, e, table.sh_addr))
        return true;
    gopclntab_close(t);
    return false;
}

/* Functions */

static bool
is_named(struct span name, struct span known)
{
    bool any = span_ends(known, SPAN("*"));
    known = span_head(known, known.len - any);
    return span_starts(name, known) && (any || name.len == known.len ||
                                        name.ptr[known.len] == '.' || name.ptr[known.len] == '<');
}

static enum gopclntab_kind
kind_of(struct gopclntab *t, uint64_t flags, uint32_t offset)
{
    if (flags == 0 && layout_of(t)->relative)
        return GOPCLNTAB_PLAIN; /* no assembly: since Go 1.18, its functions have a flag */
    struct span name = view_string(&t->names, offset);
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (is_named(name, span_cstr(named[i].name)))
            return named[i].kind;
    if ((flags & TOP_FRAME) != 0)
        return GOPCLNTAB_ROOT;
    return (flags & WRITES_SP) != 0 ? GOPCLNTAB_SWITCHES : GOPCLNTAB_PLAIN;
}

bool
gopclntab_function(struct gopclntab *t, size_t i, struct gopclntab_function *f)
{
    enum { NAME = 0, DEPTHS = 12, LENGTH = 16 };
    size_t size = start_size(t);
    uint64_t start, at, next, name, depths, flags = 0;
    uint8_t place = layout_of(t)->flags;
    if (i >= t->count || !number_at(&t->starts, 2 * i * size, size, &start) ||
        !number_at(&t->starts, (2 * i + 1) * size, size, &at) ||
        !number_at(&t->starts, (2 * i + 2) * size, size, &next) || next <= start ||
        next > UINT64_MAX - t->text || at > UINT32_MAX)
        return false;
    at += size;
    struct span bytes = view_at(&t->functions, at, place > 0 ? place + 1u : LENGTH);
    if (bytes.len < LENGTH || bytes.len <= place)
        return false;
    flags = place > 0 ? (unsigned char)bytes.ptr[place] : 0;
    struct view fields = view_of(bytes);
    if (!number_at(&fields, NAME, NARROW, &name) || !number_at(&fields, DEPTHS, NARROW, &depths))
        return false;
    *f = (struct gopclntab_function){t->text + start, t->text + next, (uint32_t)name,
                                     GOPCLNTAB_PLAIN, (uint32_t)depths};
    f->kind = kind_of(t, flags, f->name);
    return true;
}

/* Depths are pairs of numbers: the change of the depth, which starts at -1, and the length of the
 * code in quanta. The first number is zigzag-encoded. If it is 0, the table ends, except in the
 * first pair. */
bool
gopclntab_next(struct gopclntab *t, const struct gopclntab_function *f, struct gopclntab_part *part)
{
    enum { PAIR = 20 /* maximal size of two numbers, in bytes */ };
    uint64_t end = part->begun ? part->end : f->start;
    uint64_t left = end < f->end ? f->end - end : 0;
    int64_t depth = part->begun ? part->depth : -1;
    struct span bytes = view_at(&t->depths, part->begun ? part->at : f->depths, PAIR);
    struct cursor r = cursor_of(span_head(bytes, bytes.len < PAIR ? bytes.len : PAIR));
    size_t length = cursor_left(&r);
    uint64_t more = cursor_uleb(&r), code = cursor_uleb(&r);
    if (f->depths == 0 || left == 0 || r.cut || (more == 0 && part->begun) || code == 0 ||
        more > UINT32_MAX || code > UINT32_MAX)
        return false;
    depth += (more & 1) != 0 ? -(int64_t)(more >> 1) - 1 : (int64_t)(more >> 1);
    if (depth < INT32_MIN || depth > INT32_MAX)
        return false;
    code *= t->quantum;
    *part = (struct gopclntab_part){.start = end,
                                    .end = end + (code < left ? code : left),
                                    .depth = (int32_t)depth,
                                    .at = (part->begun ? part->at : f->depths) +
                                          (uint32_t)(length - cursor_left(&r)),
                                    .begun = true};
    return true;
}

void
gopclntab_close(struct gopclntab *t)
{
    view_free(&t->names);
    view_free(&t->starts);
    view_free(&t->functions);
    view_free(&t->depths);
    *t = (struct gopclntab){0};
}
