#include "common/dwarf/dwarf.h"

#include <stdlib.h>

#include "common/base/intern.h"
#include "common/dwarf/companion.h"
#include "common/dwarf/dw.h"
#include "common/dwarf/inlinetree.h"
#include "common/dwarf/linetable.h"
#include "common/dwarf/rangelist.h"

/* The data that were read for a unit. */
struct dwarf_unit {
    struct dwarf_unit *newer, *older;
    struct dwarf *owner;
    uint32_t number;
    struct units *units;    /* the list that contains `unit` */
    struct unit *unit;      /* the unit with the entries; in split DWARF, not that of `number` */
    struct companion split; /* unit's file in split DWARF, if not in owner->package */
    struct inlinetree tree;
    struct linetable lines;
    size_t size;
};

struct dwarf {
    struct dwarf_cache *cache;
    const struct content *file;
    struct units units;
    struct companion alt, package;
    bool alt_tried, package_tried;
    uint64_t dwo_cost;   /* see struct companion */
    struct intern dwos;  /* .dwo files that were opened */
    bool dwo_limited;    /* no more are opened */
    struct text missing; /* the path of a file with parts that cannot be read */
    const char *why;     /* NULL: the file was reported, or there is none */
    struct cover index;  /* the units by address, numbered from COVER_NONE - 1 down */
    bool indexed;
    uint64_t spent;           /* bytes of entries and lines that were read */
    struct dwarf_unit **read; /* by number of the unit; NULL: not in the cache */
    struct names {
        struct intern keys;
        struct span *texts; /* by number of the key */
        size_t cap;
        struct arena arena;
        struct text text;
    } names;
    struct dwarf_call *calls;
    size_t ncalls, calls_cap;
};

/* The index */

/* Return a unit's number in the index. If ranges overlap, the largest number counts: that is the
 * first unit. */
static uint32_t
index_number(size_t unit)
{
    return COVER_NONE - 1 - (uint32_t)unit;
}

/* Add the ranges of a set in .debug_aranges, and mark their unit:
 *
 *     2c 00 00 00      its size after this number
 *     02 00            the version
 *     00 00 00 00      the offset of the unit
 *     08 00            bytes of an address, of a segment
 *
 * followed by aligned pairs of an address and a size, up to a pair of zeros. */
static void
add_set(struct dwarf *d, struct ranges *ranges, struct cursor *set, size_t start,
        size_t offset_size, bool *listed)
{
    const unsigned char *from = set->at;
    uint64_t version = cursor_fixed(set, 2), offset = cursor_fixed(set, offset_size);
    size_t size = cursor_u8(set);
    bool segments = cursor_u8(set) != 0;
    const struct unit *unit = units_find(&d->units, false, offset);
    if (set->cut || version != 2 || (size != 4 && size != 8) || segments || unit == NULL)
        return;
    size_t used = start + (size_t)(set->at - from);
    cursor_take(set, (2 * size - used % (2 * size)) % (2 * size));
    while (cursor_left(set) >= 2 * size && !patience_is_over(d->units.file.patience, 2)) {
        uint64_t low = cursor_fixed(set, size), length = cursor_fixed(set, size);
        if (low == 0 && length == 0)
            continue;
        ranges_add(ranges, low, low + length, index_number((size_t)(unit - d->units.list)));
        listed[unit - d->units.list] = true;
    }
}

enum { ARANGES_MAX = 128 << 20 }; /* bytes of .debug_aranges, which is read at once */

static void
add_sets(struct dwarf *d, struct ranges *ranges, bool *listed)
{
    struct view whole = debugfile_view(&d->units.file, DEBUG_ARANGES, VIEW_TABLE);
    struct span bytes = SPAN("");
    if (whole.size <= ARANGES_MAX)
        bytes = view_at(&whole, 0, (size_t)whole.size);
    struct cursor r = cursor_of(bytes);
    while (cursor_left(&r) > 0 && !patience_is_over(d->units.file.patience, 8)) {
        uint64_t length = cursor_fixed(&r, 4);
        bool wide = length == 0xffffffff;
        struct span set = cursor_take(&r, wide ? cursor_fixed(&r, 8) : length);
        struct cursor of = cursor_of(set);
        if (!r.cut)
            add_set(d, ranges, &of, wide ? 12 : 4, wide ? 8 : 4, listed);
    }
    view_free(&whole);
}

static void
make_index(struct dwarf *d)
{
    struct ranges ranges = {0};
    size_t n = d->units.ninfo, left = rangelist_count(&d->units) + n;
    bool *listed = mem_alloc(n);
    memset(listed, 0, n);
    add_sets(d, &ranges, listed);
    for (size_t i = 0; i < n && !patience_is_over(d->units.file.patience, 64); i++) {
        struct unit *unit = &d->units.list[i];
        if (listed[i] || unit->is_type)
            continue;
        unit_read_root(&d->units, unit);
        const struct extent extent = {unit->low_pc, unit->high_pc, unit->ranges};
        rangelist_add(&ranges, &d->units, unit, &extent, index_number(i), &left);
    }
    cover_make(&d->index, &ranges, d->units.file.patience);
    ranges_free(&ranges);
    free(listed);
    d->indexed = true;
}

/* The cache */

static void
unlink_unit(struct dwarf_cache *c, struct dwarf_unit *u)
{
    *(u->newer != NULL ? &u->newer->older : &c->newest) = u->older;
    *(u->older != NULL ? &u->older->newer : &c->oldest) = u->newer;
}

static void
link_unit(struct dwarf_cache *c, struct dwarf_unit *u)
{
    u->newer = NULL;
    u->older = c->newest;
    *(c->newest != NULL ? &c->newest->newer : &c->oldest) = u;
    c->newest = u;
}

static void
forget_unit(struct dwarf_cache *c, struct dwarf_unit *u)
{
    unlink_unit(c, u);
    c->used -= u->size;
    u->owner->read[u->number] = NULL;
    inlinetree_free(&u->tree);
    linetable_free(&u->lines);
    companion_close(&u->split);
    free(u);
}

/* Remember the path of a file for dwarf_missing(), unless another one waits to be reported. */
static void
note_missing(struct dwarf *d, struct span path, const char *why)
{
    if (d->why != NULL)
        return;
    text_set(&d->missing, path);
    text_add(&d->missing, SPAN("\0"));
    d->why = why;
}

/* Do the same for a file that was not found. */
static void
note_companion(struct dwarf *d, const struct companion *c)
{
    note_missing(d, text_span(&c->path),
                 c->why != NULL ? c->why : "is not there, or of another build");
}

/* Do the same for a file with a part that was not read. */
static void
note_refused(struct dwarf *d, struct debugfile *f, struct span path)
{
    if (f->refused == NULL || f->reported || d->why != NULL)
        return;
    note_missing(d, path, f->refused);
    f->reported = true;
}

static void
note_refused_companion(struct dwarf *d, struct companion *c)
{
    if (c->units.count > 0)
        note_refused(d, &c->units.file, span_cstr(c->content.path));
}

/* Limit of the cost of .dwo files: a file could name the same large .dwo file for each of its
 * units. */
#define DWO_MAX ((uint64_t)16 << 30)

/* In split DWARF, use the unit in the file that the program's unit names. If that file is missing,
 * the program's unit may have the inlined calls: some compilers write them there, too. */
static void
open_split(struct dwarf *d, struct dwarf_unit *u)
{
    u->split.pool = &d->cache->pool;
    u->split.seen = &d->dwos;
    unit_read_root(u->units, u->unit);
    if (u->unit->dwo_name.form == 0)
        return;
    if (!d->package_tried)
        companion_open_dwp(&d->package, &d->units, d->file);
    d->package_tried = true;
    struct unit *unit = d->package.units.count > 0 ? companion_find(&d->package, u->unit) : NULL;
    if (unit != NULL) {
        u->units = &d->package.units;
        u->unit = unit;
        return;
    }
    if (d->dwo_cost > DWO_MAX) {
        if (!d->dwo_limited)
            note_missing(d, SPAN(""), "takes too long to read: it is in too large .dwo files");
        d->dwo_limited = true;
        return;
    }
    unit = companion_open_dwo(&u->split, &d->units, u->unit, d->file);
    d->dwo_cost += u->split.cost;
    if (unit == NULL) {
        note_companion(d, &u->split);
        return;
    }
    u->units = &u->split.units;
    u->unit = unit;
}

/* Return false if far more was read than the file has, counting units again that were dropped and
 * read again: any number of units may share one long line program. */
static bool
may_read(struct dwarf *d)
{
    enum { TIMES = 8, MORE = 64 << 20 };
    struct debugfile *f = &d->units.file;
    uint64_t size = debugfile_size(f, DEBUG_INFO) + debugfile_size(f, DEBUG_LINE) + d->dwo_cost;
    if (d->package.units.count > 0)
        size += debugfile_size(&d->package.units.file, DEBUG_INFO);
    return d->spent / TIMES <= size + MORE / TIMES;
}

/* Return the size of a file's units, in bytes. */
static size_t
units_size(const struct units *u)
{
    return u->cap * sizeof *u->list + u->types_cap * sizeof *u->types + u->abbrevs_size +
           (size_t)u->file.unpacked;
}

static struct dwarf_unit *
read_unit(struct dwarf *d, uint32_t number)
{
    struct dwarf_unit *u = mem_alloc(sizeof *u);
    *u = (struct dwarf_unit){
        .owner = d, .number = number, .units = &d->units, .unit = &d->units.list[number]};
    open_split(d, u);
    if (may_read(d)) {
        inlinetree_read(&u->tree, u->units, u->unit);
        linetable_read(&u->lines, u->units, u->unit);
        d->spent += u->unit->end - u->unit->offset + u->lines.read;
    }
    note_refused_companion(d, &u->split);
    u->size = sizeof *u + inlinetree_size(&u->tree) + linetable_size(&u->lines) +
              units_size(&u->split.units);
    d->cache->used += u->size;
    return u;
}

static size_t
cache_limit(const struct dwarf_cache *c)
{
    return c->limit > 0 ? c->limit : DWARF_CACHE_MAX;
}

/* Return the unit. Read it if it is not in the cache. */
static const struct dwarf_unit *
get_unit(struct dwarf *d, uint32_t number)
{
    struct dwarf_cache *c = d->cache;
    struct dwarf_unit *u = d->read[number];
    if (u != NULL)
        unlink_unit(c, u);
    for (struct dwarf_unit *old = c->oldest, *newer; old != NULL && c->used > cache_limit(c);
         old = newer) {
        newer = old->newer;
        forget_unit(c, old);
    }
    if (u == NULL)
        u = d->read[number] = read_unit(d, number);
    link_unit(c, u);
    return u;
}

/* Names */

/* The names kept of a file may take the cache's limit divided by this. */
enum { NAMES_PART = 8 };

/* The place from which a name was read: a text, or a function's entry; or for the path of a source
 * file (kind PATH) its number in the line table of the unit `file`. */
struct name_key {
    /* 0: the program; 1: the file made by dwz; 2: the .dwp file; otherwise 3 plus the number of the
     * unit, which has a file of its own. */
    uint64_t file;
    uint64_t offset;
    uint64_t kind; /* enum debugsection of the text or entry; plus ENTRY for an entry; PATH */
};

enum { ENTRY = DEBUG_SECTIONS, PATH = 2 * DEBUG_SECTIONS };

/* Return the units of the file made by dwz, or NULL if there is none. */
static struct units *
alt_units(struct dwarf *d)
{
    if (!d->alt_tried &&
        !companion_open_alt(&d->alt, d->units.file.elf, d->file, d->cache->search) &&
        d->alt.path.len > 0)
        note_companion(d, &d->alt);
    d->alt_tried = true;
    return d->alt.units.count > 0 ? &d->alt.units : NULL;
}

static struct span
text_at(struct dwarf *d, struct units *units, const struct textplace *place)
{
    if (place->kind == TEXT_OF_ALT)
        units = alt_units(d);
    return place->kind != TEXT_NONE && units != NULL
               ? debugfile_string(&units->file, place->section, place->offset)
               : SPAN("");
}

/* Find the type unit with the signature, and the entry of the type. */
static bool
find_type(struct units *units, const struct unit **unit, uint64_t signature, uint64_t *offset)
{
    const struct unit *found = units_find_type(units, signature);
    if (found == NULL)
        return false;
    *unit = found;
    *offset = found->offset + found->type_offset;
    return true;
}

/* Find the entry to which a reference leads, and its unit. Return false if there is none. */
static bool
follow(struct dwarf *d, struct units **units, const struct unit **unit, const struct value *v,
       uint64_t *offset)
{
    switch (v->form) {
    case DW_FORM_ref1:
    case DW_FORM_ref2:
    case DW_FORM_ref4:
    case DW_FORM_ref8:
    case DW_FORM_ref_udata:
        *offset = (*unit)->offset + v->number;
        return v->number < (*unit)->end - (*unit)->offset;
    case DW_FORM_GNU_ref_alt:
    case DW_FORM_ref_sup4:
    case DW_FORM_ref_sup8:
        *units = alt_units(d);
        break;
    case DW_FORM_ref_sig8:
        return *units != &d->package.units && find_type(*units, unit, v->number, offset);
    case DW_FORM_ref_addr:
        if (*units == &d->package.units) /* relative to the file from which this part was made */
            return false;
        break;
    default:
        return false;
    }
    *offset = v->number;
    *unit = *units != NULL ? units_find(*units, false, v->number) : NULL;
    return *unit != NULL;
}

/* A function's name, and the entry with the attribute that the name was read from. */
struct found_name {
    struct dwarf_entry at;
    struct textplace place;
    bool linkage;
};

/* Find the name of a function in its entry and the entries to which that refers. As in
 * llvm-symbolizer, a linkage name anywhere takes precedence over a name. */
static struct found_name
find_name(struct dwarf *d, struct units *in, const struct unit *unit, uint64_t offset)
{
    enum { HOPS = 16 }; /* a reference may lead to itself */
    struct found_name name = {.place = {.kind = TEXT_NONE}};
    for (int hop = 0; hop < HOPS; hop++) {
        struct entry e;
        struct value v, next = {0};
        uint16_t attribute;
        unit_read_root(in, (struct unit *)unit);
        if (!entry_open(&e, in, unit, offset))
            break;
        while (entry_next(&e, &attribute, &v)) {
            if (attribute == DW_AT_linkage_name || attribute == DW_AT_MIPS_linkage_name)
                return (struct found_name){{in, unit, offset}, value_text(in, unit, &v), true};
            if (attribute == DW_AT_name && name.place.kind == TEXT_NONE)
                name = (struct found_name){{in, unit, offset}, value_text(in, unit, &v), false};
            else if (attribute == DW_AT_abstract_origin || attribute == DW_AT_specification)
                next = v;
        }
        if (!follow(d, &in, &unit, &next, &offset))
            break;
    }
    return name;
}

void
dwarf_mask(struct text *name)
{
    for (size_t i = 0; i < name->len; i++)
        if ((unsigned char)name->ptr[i] < ' ' || name->ptr[i] == 0x7f)
            name->ptr[i] = '?';
}

/* Keep a copy of the text in names->text under a key, and return it. */
static struct span
keep_text(struct names *names, uint32_t key)
{
    names->texts = mem_grow(names->texts, &names->cap, names->keys.count, sizeof *names->texts);
    dwarf_mask(&names->text);
    return names->texts[key] = arena_copy(&names->arena, text_span(&names->text));
}

static struct span
keep_name(struct names *names, uint32_t key, struct span text)
{
    text_set(&names->text, text);
    return keep_text(names, key);
}

static void
forget_names(struct names *names)
{
    intern_free(&names->keys);
    arena_free(&names->arena);
}

static void
limit_names(struct dwarf *d)
{
    if (arena_size(&d->names.arena) + intern_size(&d->names.keys) >
        cache_limit(d->cache) / NAMES_PART)
        forget_names(&d->names);
}

/* Find a name that was kept. If there is none, set *key to its new key. */
static bool
find_kept(struct names *names, const struct name_key *k, uint32_t *key, struct span *text)
{
    if (intern_put(&names->keys, span_of((const char *)k, sizeof *k), key))
        return false;
    *text = names->texts[*key];
    return true;
}

/* Return the file of the unit's entries, as it is in a key. */
static uint64_t
file_of(const struct dwarf_unit *u)
{
    if (u->units == &u->owner->units)
        return 0;
    return u->units == &u->owner->package.units ? 2 : 3 + (uint64_t)u->number;
}

static struct span
function_name(struct dwarf *d, const struct dwarf_unit *u, uint32_t entry)
{
    const struct name_key k = {file_of(u), u->unit->offset + entry, ENTRY + unit_section(u->unit)};
    struct span text;
    uint32_t key;
    if (find_kept(&d->names, &k, &key, &text))
        return text;
    struct found_name name = find_name(d, u->units, u->unit, k.offset);
    return keep_name(&d->names, key, text_at(d, name.at.units, &name.place));
}

static const struct span no_file = {NULL, 0};

/* Append a folder or a file to the path in names.text; an absolute one replaces it. */
static void
add_part(struct dwarf *d, const struct textplace *place)
{
    struct text *path = &d->names.text;
    struct span part = text_at(d, &d->units, place);
    if (span_starts(part, SPAN("/")))
        path->len = 0;
    if (part.len == 0 || span_eq(part, SPAN(".")))
        return;
    if (path->len > 0 && path->ptr[path->len - 1] != '/')
        text_add(path, SPAN("/"));
    text_add(path, part);
}

/* Return the path of a file of the line table, as the compiler was given it, after the folder in
 * which it ran. */
static struct span
file_path(struct dwarf *d, const struct dwarf_unit *u, uint64_t file)
{
    const struct linetable *t = &u->lines;
    const struct unit *unit = u->unit->skeleton != NULL ? u->unit->skeleton : u->unit;
    const struct name_key k = {u->number, file, PATH};
    struct span text;
    uint32_t key;
    if (find_kept(&d->names, &k, &key, &text))
        return text;
    struct textplace folder = value_text(&d->units, unit, &unit->comp_dir);
    if (t->nfolders > 0 && t->folders[0].kind != TEXT_NONE)
        folder = t->folders[0];
    d->names.text.len = 0;
    add_part(d, &folder);
    if (t->files[file].folder > 0 && t->files[file].folder < t->nfolders)
        add_part(d, &t->folders[t->files[file].folder]);
    add_part(d, &t->files[file].name);
    return keep_text(&d->names, key);
}

/* Return the name of a file, without folders unless cache->paths. */
static struct span
file_name(struct dwarf *d, const struct dwarf_unit *u, uint64_t file)
{
    struct span text;
    uint32_t key;
    if (file >= u->lines.nfiles)
        return no_file;
    const struct textplace *place = &u->lines.files[file].name;
    const struct name_key k = {place->kind == TEXT_OF_ALT, place->offset, place->section};
    if (place->kind == TEXT_NONE)
        return no_file;
    if (d->cache->paths)
        return file_path(d, u, file);
    if (find_kept(&d->names, &k, &key, &text))
        return text;
    text = text_at(d, &d->units, place);
    size_t slash = span_rfind(text, '/');
    return keep_name(&d->names, key, slash != SPAN_NONE ? span_from(text, slash + 1) : text);
}

/* Looking up */

static void
add_call(struct dwarf *d, struct span function, struct span file, uint32_t line)
{
    MEM_ADD(d->calls, d->ncalls, d->calls_cap, (struct dwarf_call){function, file, line});
}

static void
add_calls(struct dwarf *d, const struct dwarf_unit *u, uint64_t address)
{
    uint64_t file = 0;
    uint32_t line = 0;
    uint32_t number = inlinetree_find(&u->tree, address);
    bool known = linetable_find(&u->lines, address, &file, &line);
    if (number == INLINETREE_NONE && known)
        add_call(d, SPAN(""), file_name(d, u, file), line);
    while (number != INLINETREE_NONE) {
        const struct call *c = &u->tree.calls[number];
        add_call(d, function_name(d, u, c->entry), known ? file_name(d, u, file) : no_file, line);
        number = c->parent;
        file = c->file;
        line = c->line;
        known = true;
    }
}

/* Return the unit with code at an address; NULL if there is none. */
static const struct dwarf_unit *
unit_at(struct dwarf *d, uint64_t address)
{
    if (!d->indexed)
        make_index(d);
    uint32_t number = cover_find(&d->index, address);
    return number != COVER_NONE ? get_unit(d, COVER_NONE - 1 - number) : NULL;
}

bool
dwarf_entry_at(struct dwarf *d, uint64_t address, struct dwarf_entry *e)
{
    const struct dwarf_unit *u = unit_at(d, address);
    if (u == NULL)
        return false;
    *e = (struct dwarf_entry){u->units, u->unit, u->unit->offset + u->unit->header_size};
    unit_read_root(u->units, u->unit);
    return true;
}

bool
dwarf_entry_nth(struct dwarf *d, size_t n, struct dwarf_entry *e)
{
    if (n >= d->units.ninfo)
        return false;
    struct unit *unit = &d->units.list[n];
    *e = (struct dwarf_entry){&d->units, unit, unit->offset + unit->header_size};
    unit_read_root(&d->units, unit);
    return true;
}

bool
dwarf_entry_split(struct dwarf *d, size_t n, struct dwarf_entry *e)
{
    if (n >= d->units.ninfo)
        return false;
    const struct dwarf_unit *u = get_unit(d, (uint32_t)n);
    *e = (struct dwarf_entry){u->units, u->unit, u->unit->offset + u->unit->header_size};
    unit_read_root(u->units, u->unit);
    return true;
}

bool
dwarf_inlines(struct dwarf *d, size_t n, bool (*wanted)(void *ctx, struct span name), void *ctx)
{
    if (n >= d->units.ninfo || d->units.list[n].is_type)
        return false;
    limit_names(d);
    const struct dwarf_unit *u = get_unit(d, (uint32_t)n);
    for (size_t i = 0; i < u->tree.count && !patience_is_over(d->units.file.patience, 8); i++) {
        const struct call *c = &u->tree.calls[i];
        if (c->parent != INLINETREE_NONE && wanted(ctx, function_name(d, u, c->entry)))
            return true;
    }
    return false;
}

struct span
dwarf_function_name(struct dwarf *d, struct dwarf_entry *e, bool *linkage)
{
    struct found_name name = find_name(d, e->units, e->unit, e->offset);
    *linkage = name.linkage;
    if (name.place.kind != TEXT_NONE)
        *e = name.at;
    return text_at(d, e->units, &name.place);
}

bool
dwarf_follow(struct dwarf *d, struct dwarf_entry *e, const struct value *v)
{
    if (!follow(d, &e->units, &e->unit, v, &e->offset))
        return false;
    unit_read_root(e->units, (struct unit *)e->unit);
    return true;
}

struct span
dwarf_text(struct dwarf *d, const struct dwarf_entry *e, const struct textplace *place)
{
    return text_at(d, e->units, place);
}

uint32_t
dwarf_call_number(struct dwarf *d, uint64_t address)
{
    const struct dwarf_unit *u = unit_at(d, address);
    return u != NULL ? inlinetree_find(&u->tree, address) : INLINETREE_NONE;
}

size_t
dwarf_find(struct dwarf *d, uint64_t address, const struct dwarf_call **calls)
{
    d->ncalls = 0;
    limit_names(d);
    const struct dwarf_unit *u = unit_at(d, address);
    if (u != NULL)
        add_calls(d, u, address);
    note_refused(d, &d->units.file, SPAN(""));
    note_refused_companion(d, &d->alt);
    note_refused_companion(d, &d->package);
    *calls = d->calls;
    return d->ncalls;
}

bool
dwarf_missing(struct dwarf *d, struct dwarf_missing *missing)
{
    *missing = (struct dwarf_missing){d->missing.ptr, d->why, d->why == debugfile_too_large};
    d->why = NULL;
    return missing->why != NULL;
}

size_t
dwarf_size(const struct dwarf *d)
{
    return units_size(&d->units) + units_size(&d->alt.units) + units_size(&d->package.units) +
           cover_size(&d->index) + intern_size(&d->dwos) + arena_size(&d->names.arena) +
           intern_size(&d->names.keys);
}

struct dwarf *
dwarf_open(const struct elffile *file, struct dwarf_cache *cache)
{
    struct units units;
    uint64_t most = cache->file_limit;
    if (!units_open(&units, &file->elf, NULL, most, cache->patience) && units.file.refused == NULL)
        return NULL;
    struct dwarf *d = mem_alloc(sizeof *d);
    *d = (struct dwarf){.cache = cache,
                        .file = &file->content,
                        .units = units,
                        .alt.pool = &cache->pool,
                        .alt.most = most,
                        .alt.patience = cache->patience,
                        .package.pool = &cache->pool};
    d->read = mem_alloc(units.ninfo * sizeof *d->read);
    for (size_t i = 0; i < units.ninfo; i++)
        d->read[i] = NULL;
    return d;
}

void
dwarf_close(struct dwarf *d)
{
    if (d == NULL)
        return;
    for (size_t i = 0; i < d->units.ninfo; i++)
        if (d->read[i] != NULL)
            forget_unit(d->cache, d->read[i]);
    free(d->read);
    units_close(&d->units);
    companion_close(&d->alt);
    companion_close(&d->package);
    free(d->missing.ptr);
    cover_free(&d->index);
    intern_free(&d->dwos);
    forget_names(&d->names);
    free(d->names.texts);
    free(d->names.text.ptr);
    free(d->calls);
    free(d);
}
