#include "common/dwarf/companion.h"

#include <errno.h>
#include <stdlib.h>

#include "common/dwarf/dw.h"

/* Set the path to a name in the folder of a file, or in a given folder. A name that begins with "/"
 * is already complete. */
static void
set_path(struct companion *c, struct span folder, struct span name)
{
    c->path.len = 0;
    if (!span_starts(name, SPAN("/")) && folder.len > 0) {
        text_add(&c->path, folder);
        text_add(&c->path, SPAN("/"));
    }
    text_add(&c->path, name);
}

static struct span
folder_of(const struct content *file)
{
    struct span path = span_cstr(file->path != NULL ? file->path : "");
    size_t slash = span_rfind(path, '/');
    return slash != SPAN_NONE ? span_head(path, slash) : SPAN("");
}

/* Open c->content as an ELF file, unless opening the content had a problem. */
static bool
open_elf(struct companion *c, const char *problem)
{
    c->why = problem != NULL && errno != ENOENT && errno != ENOTDIR ? problem : NULL;
    if (problem != NULL)
        return false;
    if (elf_open_part(&c->elf, &c->content) == NULL)
        return true;
    content_close(&c->content);
    return false;
}

/* Open the file at the path, which was named by another file. If the program is below --symfs, this
 * file must be there, too. */
static bool
open_named(struct companion *c, const struct content *by)
{
    struct span root = span_cstr(by->root != NULL ? by->root : "");
    struct span path = text_span(&c->path);
    c->why = NULL;
    if (!content_has_neighbours(by))
        return false;
    c->name.len = 0;
    if (root.len > 0 && !span_starts(path, root))
        text_add(&c->name, root);
    text_add(&c->name, path);
    text_add(&c->name, SPAN("\0"));
    errno = 0;
    return open_elf(c, content_open_named(&c->content, by, by->root != NULL ? by->root : "",
                                          c->name.ptr, c->pool));
}

static void
close_file(struct companion *c)
{
    elf_close(&c->elf);
    content_close(&c->content);
}

/* Return the text of a value in a unit's first entry. */
static struct span
root_text(struct units *u, const struct unit *unit, const struct value *v)
{
    struct textplace place = value_text(u, unit, v);
    return place.kind == TEXT_OF_FILE ? debugfile_string(&u->file, place.section, place.offset)
                                      : SPAN("");
}

/* Find the unit with the skeleton's id. Before version 5, the id is an attribute and not in the
 * header. */
static struct unit *
find_unit(struct units *u, const struct unit *skeleton)
{
    for (size_t i = 0; i < u->ninfo && !patience_is_over(u->file.patience, 64); i++) {
        struct unit *unit = &u->list[i];
        unit->skeleton = NULL;
        unit_read_root(u, unit);
        if (!unit->is_type && unit->id == skeleton->id)
            return unit;
    }
    return NULL;
}

/* Return the cost of opening a .dwo file: the bytes read or unpacked, and some more for each unit.
 * Opening the same file again costs more; this happens if units were dropped from the cache, or if
 * the program names it again and again to waste time. */
static uint64_t
cost_of(struct companion *c)
{
    enum { UNIT = 640, AGAIN = 8 };
    uint32_t number;
    struct span id = SPAN_BYTES(c->content.id);
    uint64_t cost = c->content.size + c->units.count * UNIT;
    if (c->units.count > 0)
        cost += debugfile_size(&c->units.file, DEBUG_INFO);
    return intern_put(c->seen, id, &number) ? cost : cost * AGAIN;
}

static struct unit *
open_dwo(struct companion *c, struct units *program, struct unit *skeleton,
         const struct content *file)
{
    if (!open_named(c, file))
        return NULL;
    bool any = units_open(&c->units, &c->elf, program, program->file.most, program->file.patience);
    struct unit *unit = any ? find_unit(&c->units, skeleton) : NULL;
    c->cost += cost_of(c);
    if (unit != NULL) {
        for (size_t i = 0; i < c->units.count; i++)
            c->units.list[i].skeleton = skeleton;
        return unit;
    }
    if (c->units.file.refused != NULL)
        c->why = c->units.file.refused;
    units_close(&c->units);
    close_file(c);
    return NULL;
}

/* .debug_cu_index of a .dwp file. Numbers have four bytes unless stated otherwise:
 *
 *     version (2, or in two bytes 5), columns, rows, slots
 *     for each slot the id of a unit, in eight bytes
 *     for each slot the number of a row, from 1 on; 0: the slot is free
 *     for each column the section, DW_SECT_INFO ...
 *     for each row and column the offset of the unit's part of that section, then for each the size
 *
 * The slots are a hash table: the lowest bits of the id give the first slot to try, the highest
 * ones the distance to the next. */
static uint64_t
index_number(struct units *u, uint64_t offset, size_t size)
{
    uint64_t number;
    return debugfile_number(&u->file, DEBUG_CU_INDEX, offset, size, &number) ? number : 0;
}

/* Return the number of the id's row, or 0 if there is none. */
static uint64_t
find_row(struct units *u, uint64_t slots, uint64_t id)
{
    enum { PROBES = 4096 }; /* a third of the slots are free */
    uint64_t mask = slots - 1, slot = id & mask, step = (id >> 32 & mask) | 1;
    for (size_t i = 0; i < PROBES && i < slots; i++, slot = (slot + step) & mask) {
        uint64_t row = index_number(u, 16 + 8 * slots + 4 * slot, 4);
        if (row == 0 || index_number(u, 16 + 8 * slot, 8) == id)
            return row;
    }
    return 0;
}

/* Add the start of the unit's part of a section to the unit's offset, which is relative to it. */
static void
place_part(struct unit *unit, uint64_t section, uint64_t offset)
{
    if (section == DW_SECT_ABBREV)
        unit->abbrev_offset += offset;
    else if (section == DW_SECT_STR_OFFSETS)
        unit->str_offsets_base += offset;
    else if (section == DW_SECT_LOCLISTS)
        unit->loclists_base += offset;
    else if (section == DW_SECT_RNGLISTS)
        unit->rnglists_base += offset;
}

struct unit *
companion_find(struct companion *c, struct unit *skeleton)
{
    enum { COLUMNS = 16 };
    struct units *u = &c->units;
    uint64_t columns = index_number(u, 4, 4), slots = index_number(u, 12, 4), info = UINT64_MAX;
    uint64_t row = slots > 0 && (slots & (slots - 1)) == 0 ? find_row(u, slots, skeleton->id) : 0;
    if (row == 0 || columns > COLUMNS)
        return NULL;
    uint64_t sections = 16 + 12 * slots, offsets = sections + 4 * columns * row;
    for (uint64_t i = 0; i < columns; i++)
        if (index_number(u, sections + 4 * i, 4) == DW_SECT_INFO)
            info = index_number(u, offsets + 4 * i, 4);
    struct unit *unit = units_find(u, false, info);
    if (unit == NULL || unit->offset != info)
        return NULL;
    for (uint64_t i = 0; !unit->rooted && i < columns; i++)
        place_part(unit, index_number(u, sections + 4 * i, 4), index_number(u, offsets + 4 * i, 4));
    unit->skeleton = skeleton;
    unit_read_root(u, unit);
    return unit->id == skeleton->id ? unit : NULL;
}

void
companion_open_dwp(struct companion *c, struct units *program, const struct content *file)
{
    set_path(c, SPAN(""), span_cstr(file->path != NULL ? file->path : ""));
    text_add(&c->path, SPAN(".dwp"));
    if (open_named(c, file) &&
        !units_open(&c->units, &c->elf, program, program->file.most, program->file.patience))
        close_file(c);
}

struct unit *
companion_open_dwo(struct companion *c, struct units *program, struct unit *skeleton,
                   const struct content *file)
{
    struct text name = {0}, folder = {0};
    text_add(&name, root_text(program, skeleton, &skeleton->dwo_name));
    text_add(&folder, root_text(program, skeleton, &skeleton->comp_dir));
    set_path(c, folder_of(file), text_span(&name));
    struct unit *unit = open_dwo(c, program, skeleton, file);
    if (unit == NULL && folder.len > 0 && !span_starts(text_span(&name), SPAN("/"))) {
        set_path(c, text_span(&folder), text_span(&name));
        unit = open_dwo(c, program, skeleton, file);
    }
    free(name.ptr);
    free(folder.ptr);
    return unit;
}

/* Use the units of the open file if it has the build-id. */
static bool
use_alt(struct companion *c, struct span id)
{
    if (span_eq(elf_build_id(&c->elf), id) &&
        units_open(&c->units, &c->elf, NULL, c->most, c->patience))
        return true;
    if (c->units.file.refused != NULL)
        c->why = c->units.file.refused;
    close_file(c);
    return false;
}

/* Open the file at c->name; `root` is the folder that contains it. */
static bool
open_alt_at(struct companion *c, const char *root, struct span id)
{
    text_add(&c->name, SPAN("\0"));
    const char *problem = content_open(&c->content, root, c->name.ptr, c->pool);
    if (problem != NULL)
        return false;
    if (elf_open_part(&c->elf, &c->content) == NULL)
        return use_alt(c, id);
    content_close(&c->content);
    return false;
}

/* Open the file with the build-id from the debug symbols or debuginfod's cache. dsofile.c looks
 * there for a program's files, too. */
static bool
open_alt_by_id(struct companion *c, const struct dsofile_search *s, struct span id)
{
    if (s == NULL || id.len < 2)
        return false;
    if (s->debug[0] != '\0') {
        text_set(&c->name, span_cstr(s->symfs));
        text_add(&c->name, span_cstr(s->debug));
        text_add(&c->name, SPAN("/.build-id/"));
        dsofile_add_build_id(&c->name, span_head(id, 1));
        text_add(&c->name, SPAN("/"));
        dsofile_add_build_id(&c->name, span_from(id, 1));
        text_add(&c->name, SPAN(".debug"));
        if (open_alt_at(c, s->symfs, id))
            return true;
    }
    if (s->as_perf || s->debuginfod == NULL || s->debuginfod[0] == '\0')
        return false;
    text_set(&c->name, span_cstr(s->debuginfod));
    text_add(&c->name, SPAN("/"));
    dsofile_add_build_id(&c->name, id);
    text_add(&c->name, SPAN("/debuginfo"));
    return open_alt_at(c, "", id);
}

/* Request the file from the servers of --debuginfod. */
static bool
fetch_alt(struct companion *c, const struct dsofile_search *s, struct span id)
{
    if (s == NULL || s->as_perf || s->servers == NULL || id.len < 2)
        return false;
    c->name.len = 0;
    dsofile_add_build_id(&c->name, id);
    text_add(&c->name, SPAN("\0"));
    const char *path = debuginfod_find(s->servers, c->name.ptr);
    if (path == NULL)
        return false;
    text_set(&c->name, span_cstr(path));
    return open_alt_at(c, "", id);
}

/* The section holds "../../.dwz/x86_64-linux-gnu/app.debug\0" and the build-id of that file. */
bool
companion_open_alt(struct companion *c, const struct elf *e, const struct content *file,
                   const struct dsofile_search *search)
{
    Elf64_Shdr s;
    if (!elf_find_section(e, SHT_PROGBITS, SPAN(".gnu_debugaltlink"), &s))
        return false;
    struct view w = elf_section_view(e, &s, VIEW_ENTRIES);
    struct text link = {0};
    text_add(&link, view_at(&w, 0, w.size < VIEW_ENTRIES ? (size_t)w.size : VIEW_ENTRIES));
    view_free(&w);
    struct span id = text_span(&link), name = span_take(&id, '\0');
    set_path(c, folder_of(file), name);
    bool found = (name.len > 0 && open_named(c, file) && use_alt(c, id)) ||
                 open_alt_by_id(c, search, id) || fetch_alt(c, search, id);
    free(link.ptr);
    return found;
}

void
companion_close(struct companion *c)
{
    if (c->units.count > 0) {
        units_close(&c->units);
        close_file(c);
    }
    free(c->path.ptr);
    free(c->name.ptr);
    *c = (struct companion){0};
}
