/* The header of version 5, and of versions 2 to 4 where they differ:
 *
 *     4c 01 00 00      its size after this number; ff ff ff ff: in the next 8 bytes
 *     05 00 08 00      version; only 5: bytes of an address, of a segment
 *     35 00 00 00      bytes of the header after this number
 *     01 01 01 fb 0e   bytes of the shortest instruction; from version 4 on: operations in one;
 *                      is_stmt's default; smallest line advance of a special opcode, their number
 *     0d 00 01 ...     the first special opcode, how many arguments those before it have
 *
 * then folders and files. In version 5, each of the two tables has a list of its fields (pairs of
 * DW_LNCT_ and DW_FORM_), the number of its entries, and the values. Before, it is a list of texts
 * that ends with an empty one; a file's text is followed by its folder, time and size. Files are
 * numbered from 0; before version 5, from 1. Then comes the program:
 *
 *     00 09 02 ...     DW_LNE_set_address
 *     03 0b 01         DW_LNS_advance_line by 11, DW_LNS_copy: a row
 *     83               a special opcode: advances the address and the line, and makes a row
 *     02 04 00 01 01   DW_LNS_advance_pc, DW_LNE_end_sequence: the address after the last row's
 */
#include "common/dwarf/linetable.h"

#include <stdlib.h>

#include "common/base/mem.h"
#include "common/dwarf/dw.h"

/* Rows of consecutive addresses. */
struct sequence {
    uint64_t low, high;
    size_t first, count; /* of its rows */
};

struct line_row {
    uint32_t offset; /* from the start of the sequence */
    uint32_t file, line;
};

/* Limits. A unit of 100 MB needs less. */
enum { ROWS_MAX = 1 << 24, FILES_MAX = 1 << 20, SEQUENCES_MAX = 1 << 21, PROGRAM_MAX = 256 << 20 };

struct header {
    struct unitformat format;
    uint8_t shortest, operations, special, line_range;
    bool statements; /* is_stmt's default */
    int8_t line_base;
    struct span arguments; /* numbers of arguments of the opcodes from 1 on */
};

/* Headers */

struct line_program {
    struct linetable *table;
    struct units *units;
    const struct unit *unit;
    struct header header;
    struct cursor cursor;
    const unsigned char *start;
    uint64_t offset; /* offset of `start` in .debug_line */
};

static uint64_t
offset_of(const struct line_program *p, const char *at)
{
    return p->offset + (uint64_t)((const unsigned char *)at - p->start);
}

static void
add_file(struct linetable *t, struct textplace name, uint64_t folder)
{
    if (t->nfiles == FILES_MAX)
        return;
    MEM_ADD(t->files, t->nfiles, t->files_cap, (struct linetable_file){name, folder});
}

static void
add_folder(struct linetable *t, struct textplace name)
{
    if (t->nfolders == FILES_MAX)
        return;
    MEM_ADD(t->folders, t->nfolders, t->folders_cap, name);
}

/* Read the folders and files of versions 2 to 4. */
static void
read_old_files(struct line_program *p)
{
    struct span name;
    add_folder(p->table, (struct textplace){.kind = TEXT_NONE});
    while ((name = cursor_string(&p->cursor)).len > 0)
        add_folder(p->table, (struct textplace){TEXT_OF_FILE, DEBUG_LINE, offset_of(p, name.ptr)});
    add_file(p->table, (struct textplace){.kind = TEXT_NONE}, 0);
    while (!patience_is_over(p->units->file.patience, 4) &&
           (name = cursor_string(&p->cursor)).len > 0) {
        uint64_t offset = offset_of(p, name.ptr);
        add_file(p->table, (struct textplace){TEXT_OF_FILE, DEBUG_LINE, offset},
                 cursor_uleb(&p->cursor));
        cursor_uleb(&p->cursor); /* time */
        cursor_uleb(&p->cursor); /* size */
    }
}

enum { FIELDS_MAX = 16 }; /* there are five kinds */

/* Read a table of version 5. Keep the names, and of files also the folders. */
static void
read_table(struct line_program *p, bool files)
{
    struct attribute fields[FIELDS_MAX];
    struct cursor *r = &p->cursor;
    uint8_t n = cursor_u8(r);
    if (n > FIELDS_MAX) {
        r->cut = true;
        return;
    }
    for (uint8_t i = 0; i < n; i++) {
        uint64_t name = cursor_uleb(r), form = cursor_uleb(r);
        fields[i] = (struct attribute){.name = (uint16_t)(name <= UINT16_MAX ? name : 0),
                                       .form = (uint16_t)(form <= UINT16_MAX ? form : 0)};
    }
    uint64_t count = cursor_uleb(r);
    for (; count > 0 && n > 0 && !r->cut && !patience_is_over(p->units->file.patience, 4);
         count--) {
        struct textplace place = {.kind = TEXT_NONE};
        uint64_t folder = 0;
        const unsigned char *start = r->at;
        for (uint8_t i = 0; i < n; i++) {
            struct value v;
            value_read(r, &fields[i], p->header.format, &v);
            if (fields[i].name == DW_LNCT_directory_index)
                folder = v.number;
            if (fields[i].name != DW_LNCT_path || r->cut)
                continue;
            place = value_text(p->units, p->unit, &v);
            if (v.form == DW_FORM_string)
                place = (struct textplace){TEXT_OF_FILE, DEBUG_LINE,
                                           offset_of(p, (const char *)r->at) - 1 - v.number};
        }
        if (r->at == start)
            break; /* entries without bytes, whatever their number */
        if (files && !r->cut)
            add_file(p->table, place, folder);
        else if (!r->cut)
            add_folder(p->table, place);
    }
}

/* Read everything up to the program. Return false if there is none, or if the version is
 * unknown. */
static bool
read_header(struct line_program *p)
{
    struct cursor *r = &p->cursor;
    struct header *h = &p->header;
    uint64_t version = cursor_fixed(r, 2);
    if (version < 2 || version > 5)
        return false;
    h->format.version = (uint8_t)version;
    h->format.address_size = p->unit->format.address_size;
    if (version >= 5) {
        h->format.address_size = cursor_u8(r);
        cursor_u8(r);
    }
    uint64_t size = cursor_fixed(r, h->format.offset_size);
    struct cursor program = *r;
    cursor_take(&program, size);
    h->shortest = cursor_u8(r);
    h->operations = version >= 4 ? cursor_u8(r) : 1;
    h->statements = cursor_u8(r) != 0;
    h->line_base = (int8_t)cursor_u8(r);
    h->line_range = cursor_u8(r);
    h->special = cursor_u8(r);
    h->arguments = cursor_take(r, h->special > 0 ? h->special - 1u : 0);
    if (r->cut || program.cut || h->line_range == 0)
        return false;
    if (version >= 5) {
        read_table(p, false);
        read_table(p, true);
    } else {
        read_old_files(p);
    }
    *r = program;
    return true;
}

/* Programs */

struct line_state {
    uint64_t address, file, line;
    uint64_t operation; /* index in an instruction with several */
    uint64_t last;      /* address of the row before */
    bool open;          /* the sequence has a row */
    uint8_t flags;      /* of the next row */
};

enum { STATEMENT = 1, PROLOGUE_END = 2 };

static struct line_state
initial_state(const struct header *h)
{
    return (struct line_state){.file = 1, .line = 1, .flags = h->statements ? STATEMENT : 0};
}

static void
advance(struct line_state *s, const struct header *h, uint64_t by)
{
    if (h->operations <= 1) {
        s->address += h->shortest * by;
        return;
    }
    uint64_t operation = s->operation + by;
    s->address += h->shortest * (operation / h->operations);
    s->operation = operation % h->operations;
}

/* End the sequence at an address. Drop a sequence that begins at 0: the linker removed its code. */
static void
end_sequence(struct linetable *t, struct line_state *s, uint64_t high)
{
    if (!s->open)
        return;
    struct sequence *last = &t->sequences[t->nsequences - 1];
    s->open = false;
    last->high = high;
    last->count = t->nrows - last->first;
    if (last->low == 0 || last->high <= last->low) {
        t->nrows = last->first;
        t->nsequences--;
    }
}

/* Begin a sequence at the state's address. */
static void
begin_sequence(struct linetable *t, struct line_state *s)
{
    MEM_ADD(t->sequences, t->nsequences, t->sequences_cap,
            (struct sequence){.low = s->address, .high = s->address, .first = t->nrows});
    s->open = true;
}

static void
keep_row(struct linetable *t, struct line_state *s, struct line_row row)
{
    if (t->nrows == ROWS_MAX)
        return;
    if (t->all) {
        t->flags = mem_grow(t->flags, &t->flags_cap, t->nrows + 1, 1);
        t->flags[t->nrows] = s->flags;
        s->flags &= STATEMENT;
    }
    MEM_ADD(t->rows, t->nrows, t->rows_cap, row);
}

/* Add the state as a row. Unless all rows are kept, it replaces a row with the same address, and is
 * left out if it repeats the file and line of the row before: this halves the table. */
static void
add_row(struct linetable *t, struct line_state *s)
{
    if (s->open &&
        (s->address < s->last || s->address - t->sequences[t->nsequences - 1].low > UINT32_MAX))
        end_sequence(t, s, s->last + 1);
    if (!s->open && t->nsequences == SEQUENCES_MAX)
        return;
    if (!s->open)
        begin_sequence(t, s);
    s->last = s->address;
    const struct sequence *last = &t->sequences[t->nsequences - 1];
    struct line_row row = {(uint32_t)(s->address - last->low),
                           (uint32_t)(s->file < UINT32_MAX ? s->file : UINT32_MAX),
                           (uint32_t)s->line};
    if (!t->all && t->nrows > last->first && t->rows[t->nrows - 1].offset == row.offset)
        t->nrows--;
    if (!t->all && t->nrows > last->first && t->rows[t->nrows - 1].file == row.file &&
        t->rows[t->nrows - 1].line == row.line)
        return;
    keep_row(t, s, row);
}

static void
run_special(struct linetable *t, struct line_state *s, const struct header *h, uint8_t opcode)
{
    unsigned adjusted = (unsigned)opcode - h->special;
    advance(s, h, adjusted / h->line_range);
    s->line += (uint64_t)(int64_t)(h->line_base + (int)(adjusted % h->line_range));
    add_row(t, s);
}

/* Run an opcode that is preceded by its size. */
static void
run_extended(struct line_program *p, struct line_state *s)
{
    struct linetable *t = p->table;
    struct span bytes = cursor_take(&p->cursor, cursor_uleb(&p->cursor));
    struct cursor r = cursor_of(bytes), *whole = &p->cursor;
    switch (cursor_u8(&r)) {
    case DW_LNE_end_sequence:
        end_sequence(t, s, s->address);
        *s = initial_state(&p->header);
        break;
    case DW_LNE_set_address:
        s->address = cursor_fixed(&r, cursor_left(&r));
        s->operation = 0;
        break;
    case DW_LNE_define_file:
        cursor_string(&r);
        add_file(t, (struct textplace){TEXT_OF_FILE, DEBUG_LINE, offset_of(p, bytes.ptr + 1)},
                 cursor_uleb(&r));
        break;
    default: /* DW_LNE_set_discriminator, and unknown opcodes */
        break;
    }
    whole->cut |= bytes.len == 0;
}

static void
run_standard(struct line_program *p, struct line_state *s, uint8_t opcode)
{
    struct cursor *r = &p->cursor;
    const struct header *h = &p->header;
    switch (opcode) {
    case DW_LNS_copy:
        add_row(p->table, s);
        break;
    case DW_LNS_advance_pc:
        advance(s, h, cursor_uleb(r));
        break;
    case DW_LNS_advance_line:
        s->line += (uint64_t)cursor_sleb(r);
        break;
    case DW_LNS_set_file:
        s->file = cursor_uleb(r);
        break;
    case DW_LNS_negate_stmt:
        s->flags ^= STATEMENT;
        break;
    case DW_LNS_set_prologue_end:
        s->flags |= PROLOGUE_END;
        break;
    case DW_LNS_const_add_pc:
        advance(s, h, (255u - h->special) / h->line_range);
        break;
    case DW_LNS_fixed_advance_pc:
        s->address += cursor_fixed(r, 2);
        s->operation = 0;
        break;
    default:
        for (uint8_t n = (uint8_t)h->arguments.ptr[opcode - 1]; n > 0; n--)
            cursor_uleb(r);
    }
}

static void
run_program(struct line_program *p)
{
    struct line_state s = initial_state(&p->header);
    while (cursor_left(&p->cursor) > 0 && !p->cursor.cut &&
           !patience_is_over(p->units->file.patience, 1)) {
        uint8_t opcode = cursor_u8(&p->cursor);
        if (opcode >= p->header.special)
            run_special(p->table, &s, &p->header, opcode);
        else if (opcode == 0)
            run_extended(p, &s);
        else
            run_standard(p, &s, opcode);
    }
    end_sequence(p->table, &s, s.address);
}

static int
compare_sequences(const void *a, const void *b)
{
    const struct sequence *x = a, *y = b;
    if (x->low != y->low)
        return (x->low > y->low) - (x->low < y->low);
    return (x->first > y->first) - (x->first < y->first);
}

/* Release the memory that the table does not use. */
static void
trim(struct linetable *t)
{
    struct line_row *rows = t->nrows > 0 ? realloc(t->rows, t->nrows * sizeof *t->rows) : NULL;
    if (rows == NULL)
        return;
    t->rows = rows;
    t->rows_cap = t->nrows;
}

void
linetable_read(struct linetable *t, struct units *u, const struct unit *unit)
{
    struct units *in = unit->skeleton != NULL ? u->program : u;
    unit = unit->skeleton != NULL ? unit->skeleton : unit;
    struct line_program p = {
        .table = t, .units = in, .unit = unit, .offset = unit->stmt_list.number};
    if (unit->stmt_list.form == 0)
        return;
    struct view whole = debugfile_view(&in->file, DEBUG_LINE, VIEW_ENTRIES);
    struct span bytes = view_at(&whole, p.offset, 12);
    p.cursor = cursor_of(bytes);
    uint64_t length = cursor_fixed(&p.cursor, 4);
    bool wide = length == 0xffffffff;
    p.header.format.offset_size = wide ? 8 : 4;
    length = wide ? cursor_fixed(&p.cursor, 8) : length;
    p.offset += wide ? 12 : 4;
    if (!p.cursor.cut && p.offset <= whole.size && length <= whole.size - p.offset &&
        length <= PROGRAM_MAX && debugfile_may_read(&in->file, DEBUG_LINE, length)) {
        bytes = view_at(&whole, p.offset, (size_t)length);
        p.cursor = cursor_of(span_head(bytes, bytes.len < length ? bytes.len : (size_t)length));
        p.start = p.cursor.at;
        t->read = length;
        if (read_header(&p))
            run_program(&p);
    }
    view_free(&whole);
    if (t->nsequences > 1)
        qsort(t->sequences, t->nsequences, sizeof *t->sequences, compare_sequences);
    trim(t);
}

/* Looking up */

bool
linetable_find(const struct linetable *t, uint64_t address, uint64_t *file, uint32_t *line)
{
    size_t low = 0, high = t->nsequences;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->sequences[middle].low <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || address >= t->sequences[low - 1].high)
        return false;
    const struct sequence *s = &t->sequences[low - 1];
    const struct line_row *rows = t->rows + s->first;
    low = 0;
    high = s->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rows[middle].offset <= address - s->low)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return false;
    *file = rows[low - 1].file;
    *line = rows[low - 1].line;
    return true;
}

void
linetable_each(const struct linetable *t, void (*f)(void *ctx, const struct linetable_row *row),
               void *ctx)
{
    for (size_t i = 0; i < t->nsequences; i++) {
        const struct sequence *s = &t->sequences[i];
        bool ended = false;
        for (size_t k = s->first; k - s->first < s->count; k++) {
            ended |= (t->flags[k] & PROLOGUE_END) != 0;
            if (k + 1 - s->first < s->count && t->rows[k + 1].offset == t->rows[k].offset)
                continue;
            const struct linetable_row row = {.address = s->low + t->rows[k].offset,
                                              .file = t->rows[k].file,
                                              .line = t->rows[k].line,
                                              .statement = (t->flags[k] & STATEMENT) != 0,
                                              .prologue_end = ended};
            f(ctx, &row);
            ended = false;
        }
    }
}

size_t
linetable_size(const struct linetable *t)
{
    return t->rows_cap * sizeof *t->rows + t->flags_cap + t->sequences_cap * sizeof *t->sequences +
           t->files_cap * sizeof *t->files + t->folders_cap * sizeof *t->folders;
}

void
linetable_free(struct linetable *t)
{
    free(t->files);
    free(t->folders);
    free(t->sequences);
    free(t->rows);
    free(t->flags);
    *t = (struct linetable){0};
}
