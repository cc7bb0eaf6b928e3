#include "common/machine/probefile.h"

#include <stdlib.h>

#include "common/base/intern.h"
#include "common/base/num.h"
#include "common/demangle/demangle.h"
#include "common/dwarf/dwarf.h"
#include "common/machine/function.h"
#include "common/machine/message.h"

/* A limit on the work for one file: some ten seconds. A file that is made to take long then has no
 * more debug information. */
enum { ASKED_MAX = 250000 };

static bool
may_go_on(void *ctx)
{
    struct probefile *f = ctx;
    return ++f->asked < ASKED_MAX;
}

const char *
probefile_open(struct probefile *f, const char *path, struct arena *a)
{
    static const struct dsofile_search search = {
        .symfs = "", .cache = "", .debug = "/usr/lib/debug", .info = true};
    *f = (struct probefile){.path = path, .arena = a};
    f->patience = (struct patience){.ask = may_go_on, .ctx = f};
    f->cache = (struct dwarf_cache){.search = &search, .patience = &f->patience};
    dsofile_open(&f->dso, &f->files, &search, span_cstr(path), SPAN(""), NULL);
    if (f->dso.runtime == NULL || (f->dso.names == DSOFILE_NONE && f->dso.problem != NULL))
        return message(a, "%s: %s", path, f->dso.problem != NULL ? f->dso.problem : "has no code");
    const struct elffile *info = dsofile_info(&f->dso);
    f->dwarf = info != NULL ? dwarf_open(info, &f->cache) : NULL;
    if (f->dwarf == NULL)
        return message(a,
                       "%s has no debug information: compile it with -g, or install its debug "
                       "package",
                       path);
    return NULL;
}

bool
probefile_offset(const struct probefile *f, uint64_t address, uint64_t *offset)
{
    Elf64_Phdr segment;
    if (!elf_find_segment(&f->dso.runtime->elf, address, &segment))
        return false;
    *offset = address - segment.p_vaddr + segment.p_offset;
    return true;
}

bool
probefile_symbol(const struct probefile *f, struct span name, uint64_t *address)
{
    Elf64_Shdr table, strings;
    Elf64_Sym symbol;
    bool found = false;
    if (f->dso.symbols == NULL)
        return false;
    const struct elf *e = &f->dso.symbols->elf;
    if (!elf_find_section(e, SHT_SYMTAB, SPAN(""), &table) ||
        !elf_section(e, table.sh_link, &strings))
        return false;
    struct view entries = elf_section_view(e, &table, VIEW_TABLE);
    struct view names = elf_section_view(e, &strings, VIEW_ENTRIES);
    size_t count = elf_count(e, &table);
    for (size_t i = 1; i < count && !found && elf_symbol(e, &entries, i, &symbol); i++)
        found = symbol.st_shndx != SHN_UNDEF && span_eq(view_string(&names, symbol.st_name), name);
    if (found)
        *address = symbol.st_value;
    view_free(&entries);
    view_free(&names);
    return found;
}

bool
probefile_address(const struct probefile *f, uint64_t offset, uint64_t *address)
{
    return elf_find_address(&f->dso.runtime->elf, offset, address);
}

/* Set the CFA at an address. Return false if it is not a register and an offset. */
static bool
find_cfa(struct probefile *f, uint64_t address, struct varplace *cfa)
{
    const struct elffile *info = dsofile_info(&f->dso);
    if (!f->cfi_made)
        cfitable_build(&f->cfi, &f->dso.runtime->elf,
                       info != NULL && info != f->dso.runtime ? &info->elf : NULL, NULL);
    f->cfi_made = true;
    const struct cfitable_rule *rule = cfitable_find(&f->cfi, address);
    if (rule == NULL || rule->cfa.how != CFI_VALUE)
        return false;
    *cfa = (struct varplace){.base = VARPLACE_REGISTER, .number = rule->cfa.reg, .hops = 1};
    cfa->offsets[0] = rule->cfa.n;
    return true;
}

bool
probefile_site(struct probefile *f, const struct probefile_place *place, struct scope *scope,
               struct varplace *cfa, struct probearg_site *site)
{
    uint64_t address = place->address, offset = address;
    probefile_offset(f, address, &offset);
    bool found = place->kind == PROBEFILE_COPY
                     ? scope_find_copy(scope, f->dwarf, &place->copy)
                     : scope_find(scope, f->dwarf, address, place->kind == PROBEFILE_FUNCTION);
    if (!found)
        return false;
    *site = (struct probearg_site){
        .dwarf = f->dwarf,
        .scope = scope,
        .frame = {.address = address, .base = &scope->frame},
        .machine = f->dso.runtime->elf.machine,
        .bias = address - offset,
    };
    site->frame.cfa = find_cfa(f, address, cfa) ? cfa : NULL;
    return true;
}

/* Prologues */

struct prologue {
    uint64_t start, end; /* of the function */
    uint64_t marked;     /* the first instruction that the compiler has marked; 0: none */
    uint64_t second;     /* the first row after the first instruction; 0: none */
};

static void
note_prologue(void *ctx, const struct linetable_row *row)
{
    struct prologue *p = ctx;
    if (row->address < p->start || row->address >= p->end)
        return;
    if (row->prologue_end && (p->marked == 0 || row->address < p->marked))
        p->marked = row->address;
    if (row->address > p->start && (p->second == 0 || row->address < p->second))
        p->second = row->address;
}

uint64_t
probefile_after_prologue(const struct probearg_site *site)
{
    struct linetable table = {.all = true};
    const uint64_t address = site->frame.address;
    struct prologue p = {.start = address, .end = die_code_end(&site->scope->function, address)};
    linetable_read(&table, site->scope->unit.at.units, site->scope->unit.at.unit);
    linetable_each(&table, note_prologue, &p);
    linetable_free(&table);
    return p.marked != 0 ? p.marked : p.second != 0 ? p.second : address;
}

bool
probefile_is_optimized(const struct probearg_site *site)
{
    struct span producer = die_text(&site->scope->unit, site->dwarf, DIE_PRODUCER);
    bool optimized = false;
    /* "GNU C17 12.2.0 -mtune=generic -g -O2" */
    while (producer.len > 0) {
        struct span option = span_take(&producer, ' ');
        if (span_skip(&option, SPAN("-O")))
            optimized = !span_eq(option, SPAN("0"));
    }
    return optimized;
}

/* Lines */

/* Put a folder before a path that does not begin with "/". */
static void
add_folder(struct text *path, struct span folder)
{
    struct text whole = {0};
    if (path->len == 0 || path->ptr[0] == '/' || folder.len == 0)
        return;
    TEXT_ADD(&whole, folder, SPAN("/"), text_span(path));
    free(path->ptr);
    *path = whole;
}

void
probefile_source(struct probefile *f, const struct dwarf_entry *unit, const struct linetable *t,
                 uint64_t file, struct text *out)
{
    out->len = 0;
    if (file >= t->nfiles)
        return;
    /* In split DWARF, the line table and the folder are in the program. */
    struct dwarf_entry of = *unit;
    if (of.unit->skeleton != NULL)
        of = (struct dwarf_entry){.units = of.units->program, .unit = of.unit->skeleton};
    const struct linetable_file *found = &t->files[file];
    const struct textplace ran_in = value_text(of.units, of.unit, &of.unit->comp_dir);
    text_add(out, dwarf_text(f->dwarf, &of, &found->name));
    if (found->folder < t->nfolders)
        add_folder(out, dwarf_text(f->dwarf, &of, &t->folders[found->folder]));
    add_folder(out, dwarf_text(f->dwarf, &of, &ran_in));
    dwarf_mask(out);
}

struct line_search {
    struct probefile *file;
    struct probefile_places *places;
    struct span source;
    uint64_t line, next; /* next: the next line with code, or 0 */
    size_t unit;
    struct dwarf_entry root;
    struct linetable table;
    bool *matches; /* of each file of the table */
    bool any;      /* a file matches */
    bool too_many;
};

/* Return true if the path is the wanted one, or ends with it after a '/'. */
static bool
path_matches(struct span path, struct span wanted)
{
    return span_ends(path, wanted) &&
           (path.len == wanted.len || path.ptr[path.len - wanted.len - 1] == '/');
}

/* Return true if the first place is the better one in the same function: where a statement begins,
 * or else the first one. */
static bool
is_better(const struct probefile_place *a, const struct probefile_place *b)
{
    return a->statement != b->statement ? a->statement : a->address < b->address;
}

static void
add_line(struct line_search *s, const struct linetable_row *row)
{
    const struct probefile_place found = {.address = row->address,
                                          .kind = PROBEFILE_LINE,
                                          .unit = s->unit,
                                          .call = dwarf_call_number(s->file->dwarf, row->address),
                                          .statement = row->statement};
    struct probefile_places *l = s->places;
    for (size_t i = 0; i < l->count; i++)
        if (l->list[i].unit == found.unit && l->list[i].call == found.call) {
            if (is_better(&found, &l->list[i]))
                l->list[i] = found;
            return;
        }
    s->too_many |= l->count == FUNCTION_MAX;
    if (!s->too_many)
        MEM_ADD(l->list, l->count, l->cap, found);
}

static void
visit_row(void *ctx, const struct linetable_row *row)
{
    struct line_search *s = ctx;
    if (row->file >= s->table.nfiles || !s->matches[row->file])
        return;
    if (row->statement && row->line > s->line && (s->next == 0 || row->line < s->next))
        s->next = row->line;
    if (row->line == s->line)
        add_line(s, row);
}

static void
search_unit(struct line_search *s)
{
    struct text path = {0};
    bool any = false;
    s->table = (struct linetable){.all = true};
    linetable_read(&s->table, s->root.units, s->root.unit);
    s->matches = mem_alloc(s->table.nfiles + 1);
    memset(s->matches, 0, s->table.nfiles + 1);
    for (size_t i = 0; i < s->table.nfiles && !patience_is_over(&s->file->patience, 32); i++) {
        probefile_source(s->file, &s->root, &s->table, i, &path);
        s->matches[i] = path_matches(text_span(&path), s->source);
        any |= s->matches[i];
    }
    if (any)
        linetable_each(&s->table, visit_row, s);
    s->any |= any;
    free(s->matches);
    free(path.ptr);
    linetable_free(&s->table);
}

static int
by_address(const void *a, const void *b)
{
    const struct probefile_place *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

const char *
probefile_find_line(struct probefile *f, struct span source, uint64_t line,
                    struct probefile_places *places)
{
    struct line_search s = {.file = f, .places = places, .source = source, .line = line};
    for (; dwarf_entry_nth(f->dwarf, s.unit, &s.root); s.unit++)
        search_unit(&s);
    if (s.too_many)
        return message(f->arena, "line %s of %.*s is in more than %s functions or inlined copies",
                       NUM_TEXT(line), SPAN_ARG(source), NUM_TEXT(FUNCTION_MAX));
    if (places->count > 0) {
        qsort(places->list, places->count, sizeof *places->list, by_address);
        return NULL;
    }
    if (!s.any)
        return message(f->arena, "%s has no code from a source file '%.*s'", f->path,
                       SPAN_ARG(source));
    if (s.next > 0)
        return message(f->arena, "line %s of %.*s has no code; the next line with code is %s",
                       NUM_TEXT(line), SPAN_ARG(source), NUM_TEXT(s.next));
    return message(f->arena, "line %s of %.*s has no code", NUM_TEXT(line), SPAN_ARG(source));
}

/* Inlined copies */

struct name_search {
    struct span wanted;
    bool exact;
    struct intern seen; /* names of functions */
    bool *verdicts;     /* of each: it is wanted */
    size_t cap;
    struct arena scratch;
    struct text name;
};

static bool
compare(struct name_search *s, struct span name)
{
    if (s->exact || span_eq(name, s->wanted))
        return span_eq(name, s->wanted);
    s->name.len = 0;
    bool mangled = demangle(&s->scratch, name, DEMANGLE_SHORT, &s->name);
    arena_reset(&s->scratch);
    return mangled && span_eq(text_span(&s->name), s->wanted);
}

static bool
is_wanted(void *ctx, struct span name)
{
    struct name_search *s = ctx;
    uint32_t number;
    if (intern_put(&s->seen, name, &number)) {
        s->verdicts = mem_grow(s->verdicts, &s->cap, s->seen.count, sizeof *s->verdicts);
        s->verdicts[number] = compare(s, name);
    }
    return s->verdicts[number];
}

/* Return what is wrong with the copies that were found; NULL: nothing. */
static const char *
check_copies(const struct probefile *f, const struct copies *c, struct span name)
{
    if (c->count > FUNCTION_MAX)
        return message(f->arena, "'%.*s' is inlined at more than %s places, which are not sampled",
                       SPAN_ARG(name), NUM_TEXT(FUNCTION_MAX));
    if (f->patience.over)
        return message(f->arena,
                       "the debug information of %s takes too long to read: where '%.*s' was "
                       "inlined, it is not sampled",
                       f->path, SPAN_ARG(name));
    if (c->empty > 0)
        return message(f->arena,
                       "'%.*s' is not sampled at %s place%s where it was inlined without any "
                       "instruction",
                       SPAN_ARG(name), NUM_TEXT(c->empty), c->empty == 1 ? "" : "s");
    return NULL;
}

const char *
probefile_find_copies(struct probefile *f, struct span name, bool exact,
                      struct probefile_places *places)
{
    struct name_search s = {.wanted = name, .exact = exact};
    struct copies c = {0};
    const struct copies_name wanted = {name, is_wanted, &s};
    copies_find(&c, f->dwarf, &wanted, FUNCTION_MAX + 1);
    const char *wrong = check_copies(f, &c, name);
    for (size_t i = 0; i < c.count && c.count <= FUNCTION_MAX && !f->patience.over; i++) {
        const struct probefile_place found = {
            .address = c.list[i].address, .kind = PROBEFILE_COPY, .copy = c.list[i]};
        MEM_ADD(places->list, places->count, places->cap, found);
    }
    copies_free(&c);
    intern_free(&s.seen);
    arena_free(&s.scratch);
    free(s.verdicts);
    free(s.name.ptr);
    return wrong;
}

void
probefile_close(struct probefile *f)
{
    dwarf_close(f->dwarf);
    cfitable_free(&f->cfi);
    elffiles_close(&f->files);
    *f = (struct probefile){0};
}
