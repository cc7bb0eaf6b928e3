#include "common/unwind/cfitable.h"

#include <stdlib.h>

#include "common/base/cursor.h"
#include "common/sym/gopclntab.h"
#include "common/unwind/arch.h"

/* Limits above the needs of any program: node has 4 MB, 277,132 rows and 111 rules; the largest of
 * 2,400 libraries and programs of Debian have 1.2 million rows, and 884 rules. */
enum {
    SECTION_MAX = 128 << 20,
    ROWS_MAX = 8 << 20,
    RULES_MAX = 1 << 14,
    EXPRESSION_MAX = 1024,
    EXPRESSIONS_MAX = 1 << 20 /* total, in bytes */
};

/* The number of slots of the cache of rules, a power of two. Without the cache, making node's table
 * takes 20 ms instead of 12. */
enum { RECENT = 1024 };

enum { STEPS = 8 }; /* of patience.h, for reading an entry or making a row */

/* An FDE of the section; FDEs are read by ascending address. */
struct fde_place {
    uint32_t start; /* relative to the table's base */
    uint32_t at;
};

struct builder {
    struct cfitable *t;
    struct patience *patience;
    struct cfi cfi;
    uint64_t keep;            /* registers whose rules are in the rows */
    size_t on[CFI_REGISTERS]; /* number of rows with a CFA relative to the register */
    struct fde_place *places;
    size_t nplaces, cap;
    size_t taken;          /* rows of all entries, including those that repeat the row before */
    uint32_t covered, end; /* end of the rows so far, and end of the current entry; relative */
    struct cfi_fde fde;    /* the current one */
    struct intern rules;   /* rules as keys; the number plus 1 is the index in the table's rules */
    uint32_t recent[RECENT];
    /* The last interned expression of each register; the CFA's comes at the end. */
    struct cfi_rule from[CFI_REGISTERS + 1], to[CFI_REGISTERS + 1];
};

/* A rule as bytes: a first cfi_rule with the general fields, the CFA's, the registers'. */
struct key {
    struct cfi_rule rules[CFI_REGISTERS + 2];
    size_t count;
};

/* Rules */

/* Return the rule with its expression's offset replaced by the expression's number. */
static struct cfi_rule
portable(struct builder *b, struct cfi_rule rule, size_t slot)
{
    if (rule.how != CFI_EXPRESSION && rule.how != CFI_VALUE_EXPRESSION)
        return rule;
    if (memcmp(&b->from[slot], &rule, sizeof rule) != 0) {
        struct cursor r = cursor_of(span_from(b->cfi.bytes, (size_t)rule.n));
        struct span program = cursor_take(&r, cursor_uleb(&r));
        b->from[slot] = b->to[slot] = rule;
        if (program.len <= EXPRESSION_MAX && intern_size(&b->t->expressions) < EXPRESSIONS_MAX)
            b->to[slot].n = (int32_t)intern_add(&b->t->expressions, program);
        else
            b->to[slot].how = CFI_UNDEFINED;
    }
    return b->to[slot];
}

static void
make_key(struct builder *b, const struct cfi_row *row, struct key *key)
{
    key->rules[0] = (struct cfi_rule){.target = (uint8_t)b->fde.ra, .how = b->fde.signal};
    key->rules[1] = portable(b, row->cfa, CFI_REGISTERS);
    key->count = 2;
    for (uint64_t set = row->set; set != 0; set &= set - 1) {
        size_t reg = (size_t)__builtin_ctzll(set);
        key->rules[key->count++] = portable(b, row->regs[reg], reg);
    }
}

static uint32_t
add_rule(struct cfitable *t, const struct key *key)
{
    size_t nregs = key->count - 2, size = nregs * sizeof *key->rules;
    struct cfi_rule *regs = arena_alloc(&t->arena, size);
    memcpy(regs, key->rules + 2, size);
    t->rule_list = mem_grow(t->rule_list, &t->rule_cap, t->nrules + 1, sizeof *t->rule_list);
    t->rules = t->rule_list;
    t->rule_list[t->nrules] = (struct cfitable_rule){.cfa = key->rules[1],
                                                     .regs = regs,
                                                     .count = (uint8_t)nregs,
                                                     .ra = key->rules[0].target,
                                                     .signal = key->rules[0].how != 0};
    return (uint32_t)t->nrules++;
}

static uint64_t
word_of(const struct cfi_rule *rule)
{
    uint64_t word;
    memcpy(&word, rule, sizeof word);
    return word;
}

/* Return true if the table's rule equals the row's. Rules with expressions are never equal: the row
 * has their offsets in the section. */
static bool
is_rule(const struct cfitable_rule *rule, const struct cfi_fde *fde, const struct cfi_row *row)
{
    size_t i = 0;
    if (rule->ra != fde->ra || rule->signal != fde->signal || rule->cfa.how >= CFI_EXPRESSION ||
        word_of(&rule->cfa) != word_of(&row->cfa))
        return false;
    for (uint64_t set = row->set; set != 0; set &= set - 1, i++) {
        const struct cfi_rule *wanted = &row->regs[__builtin_ctzll(set)];
        if (i == rule->count || wanted->how >= CFI_EXPRESSION ||
            word_of(&rule->regs[i]) != word_of(wanted))
            return false;
    }
    return i == rule->count;
}

/* Return the slot of `recent` for a rule, by a hash of the row. */
static uint32_t *
recent_slot(struct builder *b, const struct cfi_row *row)
{
    uint64_t odd = 0x9e3779b97f4a7c15u, hash = word_of(&row->cfa) * odd;
    for (uint64_t set = row->set; set != 0; set &= set - 1)
        hash += word_of(&row->regs[__builtin_ctzll(set)]) * (odd += 2);
    return &b->recent[hash >> 32 & (RECENT - 1)];
}

static uint32_t
rule_of(struct builder *b, const struct cfi_row *row)
{
    struct cfitable *t = b->t;
    struct key key;
    uint32_t number, *slot = recent_slot(b, row);
    if (*slot != 0 && is_rule(&t->rules[*slot], &b->fde, row))
        return *slot;
    make_key(b, row, &key);
    struct span bytes = span_of((const char *)key.rules, key.count * sizeof *key.rules);
    if (t->nrules >= RULES_MAX && intern_find(&b->rules, bytes) == INTERN_NONE)
        return 0;
    if (intern_put(&b->rules, bytes, &number))
        add_rule(t, &key);
    return *slot = number + 1;
}

/* Rows */

static void
append(struct cfitable *t, uint32_t start, uint32_t rule)
{
    struct cfitable_row *last = t->nrows > 0 ? &t->row_list[t->nrows - 1] : NULL;
    if (last != NULL && last->start == start)
        last->rule = rule;
    else if ((last != NULL ? last->rule : 0) != rule && t->nrows < ROWS_MAX) {
        MEM_ADD(t->row_list, t->nrows, t->row_cap, (struct cfitable_row){start, rule});
    }
}

/* Add a row; called by cfi_run. */
static void
take_row(void *ctx, uint64_t start, const struct cfi_row *row)
{
    struct builder *b = ctx;
    uint64_t relative = start - b->t->base;
    patience_is_over(b->patience, STEPS);
    if (b->taken++ >= ROWS_MAX)
        return;
    if (row->cfa.how == CFI_VALUE)
        b->on[row->cfa.reg]++;
    if (relative < b->end)
        append(b->t, (uint32_t)relative, rule_of(b, row));
}

/* Find the entries, in the order of the section. Return true if they are in the order of
 * addresses. */
static bool
find_places(struct builder *b)
{
    struct cfi_fde fde;
    bool sorted = true;
    for (size_t at = 0, next = 0; at < b->cfi.bytes.len; at = next) {
        patience_is_over(b->patience, STEPS);
        if (!cfi_read(&b->cfi, &next, &fde) || fde.start < b->t->base ||
            fde.start - b->t->base >= UINT32_MAX)
            continue;
        struct fde_place place = {(uint32_t)(fde.start - b->t->base), (uint32_t)at};
        sorted &= b->nplaces == 0 || b->places[b->nplaces - 1].start <= place.start;
        MEM_ADD(b->places, b->nplaces, b->cap, place);
    }
    return sorted;
}

/* Sort by start, stably. A radix sort, byte by byte: for node's 75,922 entries it takes 1 ms, qsort
 * 9 ms. */
static void
sort_places(struct fde_place **places, size_t n)
{
    struct fde_place *from = *places, *to = mem_alloc(n * sizeof *to), *swap;
    for (unsigned shift = 0; shift < 32; shift += 8) {
        size_t starts[257] = {0};
        for (size_t i = 0; i < n; i++)
            starts[(from[i].start >> shift & 255) + 1]++;
        for (size_t i = 1; i < 256; i++)
            starts[i] += starts[i - 1];
        for (size_t i = 0; i < n; i++)
            to[starts[from[i].start >> shift & 255]++] = from[i];
        swap = from;
        from = to;
        to = swap;
    }
    *places = from; /* the number of passes is even, so this is the original array */
    free(to);
}

/* Keep only the first of entries with the same start. Real objects have none. */
static void
drop_repeated(struct builder *b)
{
    size_t n = 0;
    for (size_t i = 0; i < b->nplaces; i++)
        if (n == 0 || b->places[n - 1].start != b->places[i].start)
            b->places[n++] = b->places[i];
    b->nplaces = n;
}

/* Add the rows of the i-th entry. Gaps between entries have no rule. If entries overlap, which does
 * not happen in real objects, the later one counts from its start. */
static void
add_entry(struct builder *b, size_t i)
{
    size_t at = b->places[i].at;
    uint32_t start = b->places[i].start;
    if (b->taken >= ROWS_MAX || !cfi_read(&b->cfi, &at, &b->fde))
        return;
    uint64_t end = b->fde.end - b->t->base;
    b->end = end < UINT32_MAX ? (uint32_t)end : UINT32_MAX;
    if (i + 1 < b->nplaces && b->places[i + 1].start < b->end)
        b->end = b->places[i + 1].start;
    if (start > b->covered)
        append(b->t, b->covered, 0);
    cfi_run(&b->cfi, &b->fde, take_row, b);
    b->covered = b->end;
}

/* Add the rows of a section. */
static void
use_section(struct builder *b, const struct elf *e, struct view *section)
{
    if (section->size == 0 || section->size > SECTION_MAX)
        return;
    size_t size = (size_t)section->size;
    b->cfi.bytes = view_at(section, 0, size);
    if (b->cfi.bytes.len < size)
        return;
    b->cfi.bytes.len = size;
    b->cfi.is64 = e->is64;
    b->cfi.keep = b->keep;
    if (!find_places(b))
        sort_places(&b->places, b->nplaces);
    drop_repeated(b);
    for (size_t i = 0; i < b->nplaces; i++)
        add_entry(b, i);
    if (b->nplaces > 0)
        append(b->t, b->covered, 0);
    b->nplaces = 0;
}

/* Sections */

static uint64_t
section_address(const struct elf *e, struct span name)
{
    Elf64_Shdr s;
    return elf_find_section(e, SHT_NULL, name, &s) ? s.sh_addr : 0;
}

/* Use the section with this name, if it exists and is not compressed. */
static void
use_named(struct builder *b, const struct elf *e, struct span name, bool is_debug)
{
    Elf64_Shdr s;
    if (!elf_find_section(e, SHT_NULL, name, &s) || (s.sh_flags & SHF_COMPRESSED) != 0)
        return;
    struct view view = elf_section_view(e, &s, VIEW_TABLE);
    b->cfi = (struct cfi){.addr = s.sh_addr,
                          .text = section_address(e, SPAN(".text")),
                          .data = section_address(e, SPAN(".got")),
                          .is_debug = is_debug};
    use_section(b, e, &view);
    view_free(&view);
}

/* Find the address of .eh_frame in .eh_frame_hdr: u8 version 1, three encodings, a pointer. */
static bool
read_header(const struct elf *e, uint64_t *addr)
{
    enum { FIRST = 1, START = 4, MOST = START + 16 };
    Elf64_Phdr p = e->eh_frame_hdr;
    struct view view = elf_address_view(e, p.p_vaddr, MOST);
    struct cfi header = {.addr = p.p_vaddr, .data = p.p_vaddr, .is64 = e->is64};
    header.bytes = view_at(&view, 0, MOST);
    struct cursor r = cursor_of(header.bytes);
    bool known = cursor_u8(&r) == FIRST;
    uint8_t encoding = cursor_u8(&r);
    cursor_take(&r, 2);
    known = known && !r.cut && cfi_pointer(&header, &r, encoding, 0, addr);
    view_free(&view);
    return known;
}

/* Use the .eh_frame of an object that has no section for it, only a program header. */
static void
use_header(struct builder *b, const struct elf *e)
{
    uint64_t addr;
    if (e->eh_frame_hdr.p_type != PT_GNU_EH_FRAME || !read_header(e, &addr))
        return;
    struct view view = elf_address_view(e, addr, VIEW_TABLE);
    b->cfi = (struct cfi){.addr = addr, .terminated = true};
    use_section(b, e, &view);
    view_free(&view);
}

/* Go's table */

/* Where functions of Go keep registers on x86-64, relative to the CFA: the return address, and
 * below it the frame pointer if the function uses the stack (the assembler saves it: see preprocess
 * in cmd/internal/obj/x86/obj6.go). */
enum { GO_RETURN = -8, GO_POINTER = -16 };

/* Add a row for a part of a function. */
static void
take_go_row(struct builder *b, uint64_t start, uint64_t end, struct cfi_rule cfa)
{
    const struct arch *arch = &arch_x86_64;
    struct cfi_row row = {.cfa = cfa, .set = (uint64_t)1 << b->fde.ra};
    bool root = cfa.how == CFI_UNSPECIFIED;
    row.regs[b->fde.ra] = (struct cfi_rule){.target = (uint8_t)b->fde.ra,
                                            .how = root ? CFI_UNDEFINED : CFI_OFFSET,
                                            .n = root ? 0 : GO_RETURN};
    if ((cfa.target & (CFI_FRAMED | CFI_SWITCHES)) != 0) {
        row.set |= (uint64_t)1 << arch->fp;
        row.regs[arch->fp] =
            (struct cfi_rule){.target = (uint8_t)arch->fp, .how = CFI_OFFSET, .n = GO_POINTER};
    }
    if (start > b->t->base + b->covered)
        append(b->t, b->covered, 0);
    b->end = (uint32_t)(end - b->t->base);
    take_row(b, start, &row);
    b->covered = b->end;
}

/* Return the flags of a part of a function. */
static uint8_t
go_target(const struct gopclntab_function *f, int32_t depth)
{
    if (f->kind == GOPCLNTAB_RESUMED)
        return CFI_RESUMED;
    if (f->kind == GOPCLNTAB_SIGRETURN)
        return CFI_SIGRETURN;
    if (f->kind == GOPCLNTAB_CALLBACK)
        return CFI_SYSTEM;
    return f->kind != GOPCLNTAB_UNFRAMED && depth >= -GO_RETURN ? CFI_FRAMED : 0;
}

/* Add a function's rows: one for each size that it has on the stack. */
static void
take_go_parts(struct builder *b, struct gopclntab *go, const struct gopclntab_function *f)
{
    struct gopclntab_part part = {0};
    while (b->taken < ROWS_MAX && gopclntab_next(go, f, &part)) {
        struct cfi_rule cfa = {.how = CFI_VALUE, .reg = (uint16_t)arch_x86_64.sp};
        if (part.depth < 0 || part.depth > INT32_MAX + GO_RETURN)
            continue;
        cfa.target = go_target(f, part.depth);
        cfa.n = part.depth - GO_RETURN;
        take_go_row(b, part.start, part.end, cfa);
    }
}

/* Use Go's function table. On machines other than x86-64, take only the functions at which stacks
 * begin. */
static void
use_go(struct builder *b, const struct elf *e)
{
    struct gopclntab go;
    struct gopclntab_function f;
    struct cfi_rule by_pointer = {
        .how = CFI_VALUE, .reg = (uint16_t)arch_x86_64.fp, .n = -GO_POINTER};
    if (!gopclntab_open(&go, e))
        return;
    b->fde.ra = (uint16_t)arch_of_machine(e->machine)->ip;
    for (size_t i = 0; i < go.count && b->taken < ROWS_MAX; i++) {
        if (!gopclntab_function(&go, i, &f) || f.start < b->t->base + b->covered ||
            f.end - b->t->base >= UINT32_MAX)
            continue;
        b->fde.signal = f.kind == GOPCLNTAB_INTERRUPTS;
        by_pointer.target = CFI_SWITCHES | (f.kind == GOPCLNTAB_SYSTEM ? CFI_SYSTEM : 0);
        if (f.kind == GOPCLNTAB_ROOT)
            take_go_row(b, f.start, f.end, (struct cfi_rule){0});
        else if (e->machine != EM_X86_64)
            continue;
        else if (f.kind == GOPCLNTAB_SWITCHES || f.kind == GOPCLNTAB_SYSTEM)
            take_go_row(b, f.start, f.end, by_pointer);
        else
            take_go_parts(b, &go, &f);
    }
    if (b->t->nrows > 0)
        append(b->t, b->covered, 0);
    gopclntab_close(&go);
}

/* What to make a table from. */
enum source { EH_FRAME, GO, DEBUG_FRAME };

static void
use_source(struct builder *b, const struct elf *e, enum source source)
{
    struct cfitable *t = b->t;
    t->rules = t->rule_list = mem_grow(NULL, &t->rule_cap, 1, sizeof *t->rule_list);
    t->rule_list[t->nrules++] = (struct cfitable_rule){0};
    if (source == GO)
        use_go(b, e);
    else
        use_named(b, e, source == EH_FRAME ? SPAN(".eh_frame") : SPAN(".debug_frame"),
                  source == DEBUG_FRAME);
    if (source == EH_FRAME && t->nrows == 0)
        use_header(b, e);
}

/* Return the preserved registers without kept rules on which the CFA of more than a few rows
 * depends: rbx in the dynamic linker, in the functions for lazy binding. */
static uint64_t
find_missing(const struct builder *b, const struct arch *arch)
{
    enum { FEW = 1000 };
    uint64_t missing = 0;
    for (size_t i = 0; i < arch->registers; i++)
        if (b->on[i] > b->t->nrows / FEW)
            missing |= (uint64_t)1 << i;
    return missing & arch->preserved & ~b->keep;
}

/* Make the rows with the rules of these registers. Return the registers that are missing. */
static uint64_t
build_with(struct cfitable *t, const struct elf *e, const struct arch *arch, uint64_t keep,
           enum source source, struct patience *patience)
{
    struct builder *b = mem_alloc(sizeof *b);
    uint64_t base = t->base;
    cfitable_free(t);
    t->base = base;
    memset(b, 0, sizeof *b);
    b->t = t;
    b->patience = patience;
    b->keep = keep;
    use_source(b, e, source);
    uint64_t missing = find_missing(b, arch);
    free(b->places);
    intern_free(&b->rules);
    free(b);
    return missing;
}

/* Make the table for code from address `base` on. */
static void
build(struct cfitable *t, const struct elf *e, const struct arch *arch, uint64_t base,
      enum source source, struct patience *patience)
{
    *t = (struct cfitable){.base = base};
    uint64_t missing = build_with(t, e, arch, arch->kept, source, patience);
    if (missing != 0)
        build_with(t, e, arch, arch->kept | missing, source, patience);
    if (t->nrows > 0)
        t->row_list = realloc(t->row_list, t->nrows * sizeof *t->row_list);
    if (t->nrows > 0 && t->row_list == NULL)
        mem_exhausted();
    t->rows = t->row_list;
    intern_forget(&t->expressions);
    for (size_t i = 0; i < t->nrules; i++)
        t->rule_list[i].debug = source == DEBUG_FRAME;
}

/* Append a new table if it has rows, and return it. Otherwise free it and return NULL. */
static struct cfitable *
add_rest(struct cfitable *t, struct cfitable *rest)
{
    if (rest->nrows == 0) {
        cfitable_free(rest);
        return NULL;
    }
    while (t->rest != NULL)
        t = t->rest;
    t->rest = mem_alloc(sizeof *rest);
    *t->rest = *rest;
    return t->rest;
}

void
cfitable_build(struct cfitable *t, const struct elf *e, const struct elf *debug,
               struct patience *patience)
{
    const struct arch *arch = arch_of_machine(e->machine);
    struct cfitable rest;
    Elf64_Phdr code;
    *t = (struct cfitable){0};
    if (arch == NULL || !elf_find_code(e, &code))
        return;
    build(t, e, arch, code.p_vaddr, EH_FRAME, patience);
    build(&rest, e, arch, code.p_vaddr, GO, patience);
    add_rest(t, &rest);
    build(&rest, e, arch, code.p_vaddr, DEBUG_FRAME, patience);
    if (add_rest(t, &rest) != NULL || debug == NULL || debug->machine != e->machine)
        return;
    build(&rest, debug, arch, code.p_vaddr, DEBUG_FRAME, patience);
    add_rest(t, &rest);
}

const struct cfitable_rule *
cfitable_find(const struct cfitable *t, uint64_t addr)
{
    size_t low = 0, high = t->nrows;
    if (addr < t->base || addr - t->base > UINT32_MAX)
        return NULL;
    uint32_t relative = (uint32_t)(addr - t->base);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->rows[middle].start <= relative)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0 && t->rows[low - 1].rule != 0)
        return &t->rules[t->rows[low - 1].rule];
    return t->rest != NULL ? cfitable_find(t->rest, addr) : NULL;
}

struct span
cfitable_expression(const struct cfitable *t, const struct cfitable_rule *of,
                    const struct cfi_rule *rule)
{
    while (of->debug && t->rest != NULL)
        t = t->rest;
    return intern_text(&t->expressions, (uint32_t)rule->n);
}

size_t
cfitable_size(const struct cfitable *t)
{
    return t->nrows * sizeof *t->row_list + t->rule_cap * sizeof *t->rule_list +
           intern_size(&t->expressions) + arena_size(&t->arena) +
           (t->rest != NULL ? cfitable_size(t->rest) : 0);
}

void
cfitable_free(struct cfitable *t)
{
    if (t->rest != NULL)
        cfitable_free(t->rest);
    free(t->rest);
    free(t->row_list);
    free(t->rule_list);
    intern_free(&t->expressions);
    arena_free(&t->arena);
    *t = (struct cfitable){0};
}
