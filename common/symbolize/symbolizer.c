#include "common/symbolize/symbolizer.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/base/hash.h"
#include "common/base/num.h"
#include "common/base/tally.h"
#include "common/event/ownrecord.h"
#include "common/stack/frames/dso.h"
#include "common/stack/frames/frameplace.h"
#include "common/stack/frames/v8name.h"
#include "common/sym/elfsyms.h"
#include "common/symbolize/srcline.h"

static const struct span unmapped =
    SPAN("[unknown]"); /* the DSO of an address in no known mapping */

/* The names in a file. */
struct code_names {
    const struct elffile *symbols, *runtime;
    struct elfsyms syms;
    bool read; /* `syms` is */
};

/* The names of one DSO's code. */
struct code {
    struct dso dso;
    const struct jitcode_piece *piece; /* JIT-compiled code in place of a file; or NULL */
    struct code_file {
        struct dsofile dso;
        struct code_names *names; /* shared by all paths of the same files; or NULL */
    } * file;                     /* NULL: the DSO is not a file */
    uint64_t nameless;            /* number of different addresses without a name */
};

struct symbolizer_slot {
    uint64_t version, addr; /* version 0: empty */
    int64_t pid;            /* the entry is for this process; -1: for all that share the space */
    uint32_t frame;
};

/* Number of slots of the cache by space and address, a power of two: a few thousand different
 * addresses are hot at a time. The cache saves 7 % of the instructions spent on samples. */
enum { RECENT = 1 << 14 };

enum { FILES_MAX = 4096 };

/* As `ask` of patience.h: let a recording go on meanwhile. */
static bool
relieve(void *ctx)
{
    const struct symbolizer *s = ctx;
    if (s->options->relieve != NULL)
        s->options->relieve(s->options->relieve_ctx);
    return true;
}

void
symbolizer_init(struct symbolizer *s, const struct symbol_options *options, struct diag *diag,
                struct frametab *frames)
{
    *s = (struct symbolizer){.options = options, .diag = diag, .frames = frames, .pid = -1};
    s->jitnames = options->names;
    s->patience = (struct patience){.ask = relieve, .ctx = s};
    codenames_init(&s->codenames);
}

static void
free_code(struct code *c)
{
    free(c != NULL ? c->file : NULL);
    free(c);
}

/* Close the files that were read, and forget all DSOs. */
static void
forget_files(struct symbolizer *s)
{
    s->files_forgotten++;
    debuginfo_end(&s->debuginfo);
    for (size_t i = 0; i < s->pairs.count; i++)
        elfsyms_free(&s->names[i]->syms);
    intern_free(&s->pairs);
    elffiles_close(&s->elfs);
    arena_reset(&s->arena);
    for (size_t i = 0; i < s->code_cap; i++) {
        free_code(s->code[i]);
        s->code[i] = NULL;
    }
    memset(s->read, 0, sizeof s->read);
}

/* Files */

/* Return the name as it is printed. A demangled name is valid until the next call. */
static struct span
printed_name(void *ctx, struct span name)
{
    struct symbolizer *s = ctx;
    s->name.len = 0;
    bool mangled = demangle(&s->scratch, name, s->options->demangle, &s->name);
    arena_reset(&s->scratch);
    return mangled ? text_span(&s->name) : name;
}

/* Return the names for this pair of files. They are read later. */
static struct code_names *
names_of(struct symbolizer *s, const struct elffile *symbols, const struct elffile *runtime)
{
    const struct elffile *const pair[] = {symbols, runtime};
    uint32_t n;
    if (intern_put(&s->pairs, SPAN_BYTES(pair), &n)) {
        s->names = mem_grow(s->names, &s->names_cap, s->pairs.count, sizeof(struct code_names *));
        s->names[n] = arena_alloc(&s->arena, sizeof **s->names);
        *s->names[n] = (struct code_names){.symbols = symbols, .runtime = runtime};
    }
    return s->names[n];
}

/* Find the files of a DSO that is a file, and set c->file. */
static void
open_file(struct symbolizer *s, struct code *c)
{
    struct code_file *f = c->file = mem_alloc(sizeof *f);
    *f = (struct code_file){0};
    struct objects *objects = s->options->objects;
    char path[OBJECTS_PATH];
    const char *own =
        objects != NULL ? objects->path(objects, c->dso.name, c->dso.build_id, path) : NULL;
    dsofile_open(&f->dso, &s->elfs, &s->options->files, c->dso.name, c->dso.build_id, own);
    if (f->dso.names != DSOFILE_NONE)
        f->names = names_of(s, f->dso.symbols, f->dso.runtime);
    if (objects != NULL)
        objects->release(objects, c->dso.name, c->dso.build_id);
}

/* Read the names of a file. If names of many files are in memory, forget those that were read
 * first: a recording may name any number of files. */
static void
read_names(struct symbolizer *s, struct code_names *names)
{
    struct code_names **slot = &s->read[s->nread++ % SYMBOLIZER_FILES];
    if (*slot != NULL) {
        elfsyms_free(&(*slot)->syms);
        (*slot)->read = false;
    }
    *slot = names;
    names->read = true;
    names->syms.symbols.demangle = printed_name;
    names->syms.symbols.ctx = s;
    names->syms.symbols.patience = &s->patience;
    elfsyms_read(&names->syms, &names->symbols->elf, &names->runtime->elf,
                 s->options->as_perf ? ELFSYMS_AS_PERF : ELFSYMS_RIGHT);
}

/* As elfsyms_find, in the names of a file, which are read at the first lookup. */
static bool
find_in_file(struct symbolizer *s, const struct code_file *file, uint64_t addr, struct span *name,
             uint64_t *start)
{
    struct code_names *names = file->names;
    if (names == NULL)
        return false;
    if (!names->read)
        read_names(s, names);
    return elfsyms_find(&names->syms, addr, name, start);
}

/* Addresses */

/* Return the DSO with this number, with its names. */
static struct code *
code_of(struct symbolizer *s, uint32_t number)
{
    struct dso dso = procmaps_dso(&s->maps, number);
    if (dso.kind == DSO_JIT || dso.kind == DSO_MEMORY) {
        *s->memory = (struct code){.dso = dso};
        return s->memory;
    }
    size_t old = s->code_cap;
    s->code = mem_grow(s->code, &s->code_cap, (size_t)number + 1, sizeof(struct code *));
    for (size_t i = old; i < s->code_cap; i++)
        s->code[i] = NULL;
    if (s->code[number] == NULL) {
        if (s->options->objects != NULL && s->pairs.count >= FILES_MAX)
            forget_files(s); /* an endless recording may see ever new files */
        struct code *c = s->code[number] = mem_alloc(sizeof *c);
        *c = (struct code){.dso = dso, .piece = jitcode_find(&s->jit, number)};
        if (c->piece == NULL && (c->dso.kind == DSO_FILE || c->dso.kind == DSO_VDSO))
            open_file(s, c);
    }
    return s->code[number];
}

const struct dsofile *
symbolizer_file(struct symbolizer *s, uint32_t dso)
{
    const struct code *c = code_of(s, dso);
    return c->file != NULL ? &c->file->dso : NULL;
}

/* Find the name of the code at the address, as it is printed. */
static bool
find_name(struct symbolizer *s, struct code *c, uint64_t addr, struct span *name, uint64_t *start)
{
    if (c->piece != NULL) {
        *name = printed_name(s, c->piece->load->name);
        *start = JITDUMP_TEXT;
        return true;
    }
    switch (c->dso.kind) {
    case DSO_FILE:
    case DSO_VDSO:
        return find_in_file(s, c->file, addr, name, start);
    case DSO_KERNEL:
        return kernel_find(&s->kernel, c->dso.name, addr, name, start);
    case DSO_JIT:
    case DSO_MEMORY:
        break;
    }
    return false;
}

/* Return true for the labels that linkers put at the end of code: from there to the next symbol
 * there is no function. */
static bool
is_end_of_code(struct span name)
{
    static const struct span ends[] = {SPAN("_etext"), SPAN("etext"), SPAN("__etext"),
                                       SPAN("_einittext")};
    return span_eq_any(name, ends, sizeof ends / sizeof *ends);
}

/* Return the file's own (ELF) address for addr, which may be an offset in the file. */
static uint64_t
address_in_file(const struct code *c, uint64_t addr)
{
    const struct dsofile *file = c->file != NULL ? &c->file->dso : NULL;
    if (file != NULL && file->names != DSOFILE_NONE)
        elf_find_address(&file->runtime->elf, addr, &addr);
    return addr;
}

/* Find the calls at a file's own address, innermost first: the inlined calls, then the function
 * that contains them. `caller`: the call is before the address. Return their number; 0 if nothing
 * is known. */
static size_t
find_calls(struct symbolizer *s, const struct code *c, uint64_t addr, bool caller,
           const struct dwarf_call **calls)
{
    const struct dsofile *file = c->file != NULL ? &c->file->dso : NULL;
    if (c->dso.kind != DSO_FILE || file == NULL || file->names == DSOFILE_NONE)
        return 0;
    return debuginfo_find(&s->debuginfo, dsofile_info(file), addr - caller, calls);
}

/* Set the frame's source line: "core.c:137", or for JIT-compiled code "/srv/app.js:12", if its
 * jitdump has lines. */
static void
add_line(struct symbolizer *s, const struct code *c, uint64_t addr, struct frame *f)
{
    const struct dwarf_call *calls = NULL;
    s->line.len = 0;
    addr = address_in_file(c, addr);
    f->has_srcline = c->piece != NULL ? jitcode_line(c->piece, addr, &s->line)
                     : find_calls(s, c, addr, false, &calls) > 0
                         ? srcline_add(calls, &s->line)
                         : srcline_add_unknown(&c->dso, addr, &s->line);
    f->srcline = f->has_srcline ? text_span(&s->line) : SPAN("");
}

/* As jitname_set, but demangle the name if it is a symbol of an ELF file. */
static void
set_jitname(struct symbolizer *s, struct jitname *name, uint64_t addr, struct frame *f,
            char offset[static JITNAME_OFFSET])
{
    if (name->in_dso > 0)
        name->text = printed_name(s, name->text);
    jitname_set(name, addr, f, offset);
}

/* Return true if a jitdump describes this code of a file. V8 also writes its built-in code, which
 * is in the program's file, to the jitdump. */
static bool
is_dumped(struct symbolizer *s, const struct code *c, const struct jitplace *place,
          struct jitname *name)
{
    if (place != NULL && c != NULL && c->dso.kind == DSO_FILE &&
        s->jitnames->find(s->jitnames, place, name) && name->in_dso > 0)
        return true;
    *name = (struct jitname){.in_dso = 0};
    return false;
}

/* Add the frame for an address in a DSO; c is NULL if there is none. `place`: the address as a key
 * of s->jitnames, or NULL. These are used if the DSO has no name for it, as with Deno's file, which
 * contains V8's built-in code. */
static uint32_t
add_frame(struct symbolizer *s, struct code *c, uint64_t addr, const struct jitplace *place)
{
    char offset[JITNAME_OFFSET];
    struct jitname name;
    struct frame f = {
        .ip = addr, .has_ip = true, .sym = SPAN("[unknown]"), .has_sym = true, .dso = unmapped};
    if (c != NULL)
        f.dso = c->dso.name;
    if (is_dumped(s, c, place, &name)) {
        set_jitname(s, &name, place->addr, &f, offset);
    } else if (c != NULL && find_name(s, c, addr, &name.text, &name.start) &&
               (s->options->as_perf || !is_end_of_code(name.text))) {
        jitname_set(&name, addr, &f, offset);
    } else if (place != NULL && s->jitnames->find(s->jitnames, place, &name)) {
        set_jitname(s, &name, place->addr, &f, offset);
    } else if (c != NULL) {
        c->nameless++;
        s->nameless_kernel |= c->dso.kind == DSO_KERNEL;
    }
    if (c != NULL && s->options->lines)
        add_line(s, c, addr, &f);
    return frametab_add(s->frames, &f);
}

/* Return the frame for an address in a DSO, or with INTERN_NONE in no known mapping. It is cached
 * for all processes. `place`: as for add_frame; its name may change with time. */
static uint32_t
frame_of(struct symbolizer *s, uint32_t dso, uint64_t addr, const struct jitplace *place)
{
    struct {
        uint64_t addr, dso, name;
    } key = {addr, dso, 0};
    uint32_t number;
    bool nowhere = dso == INTERN_NONE;
    if (place != NULL)
        key.name = s->jitnames->key(s->jitnames, place);
    if (nowhere)
        key.dso |= (uint64_t)s->pid << 32;
    size_t len = key.name != 0 ? sizeof key : 2 * sizeof key.addr;
    if (intern_put(&s->places, span_of((const char *)&key, len), &number)) {
        s->frame_of =
            mem_grow(s->frame_of, &s->frame_of_cap, (size_t)number + 1, sizeof *s->frame_of);
        s->frame_of[number] = add_frame(s, nowhere ? NULL : code_of(s, dso), addr, place);
        s->nowhere += nowhere;
    }
    return s->frame_of[number];
}

/* Return true if the DSO may contain JIT-compiled code, whose names only its compiler knows. */
static bool
is_jit(const struct symbolizer *s, const struct dso *dso)
{
    return s->jitnames != NULL &&
           (dso->kind == DSO_JIT || (s->jitnames->anywhere && dso->kind != DSO_KERNEL &&
                                     frame_is_anonymous(&(struct frame){.dso = dso->name})));
}

/* Find the source lines of code that the recording names: *lines, from the record with this serial
 * and number; 0 and INTERN_NONE if there are none. */
static void
find_lines(const struct symbolizer *s, const struct codename *code, uint64_t addr,
           enum symbolizer_kind kind, struct codename *lines)
{
    struct v8name name;
    *lines = (struct codename){.number = INTERN_NONE};
    if (!s->options->lines ||
        (kind == SYMBOLIZER_RUNS_BYTECODE && v8name_parse(code->label, &name) && name.tier == '~'))
        return;
    codenames_find_lines(&s->codenames, s->named, addr - (kind == SYMBOLIZER_AFTER), s->seen,
                         lines);
}

/* Return the last of the source lines. */
static struct span
last_line(struct span lines)
{
    size_t newline = span_rfind(lines, '\n');
    return newline < lines.len ? span_from(lines, newline + 1) : lines;
}

static void
set_line(struct frame *f, struct span line)
{
    f->srcline = line;
    f->has_srcline = line.len > 0;
}

/* Add the frame of code that the recording names, as if a perf map of the process named it. */
static uint32_t
add_named(struct symbolizer *s, const struct codename *code, uint64_t addr, struct span lines)
{
    char offset[JITNAME_OFFSET], dso[32];
    snprintf(dso, sizeof dso, "/tmp/perf-%d.map", (int)code->pid);
    struct jitname name = {.text = code->label, .start = code->start};
    struct code c = {.dso = {.name = span_cstr(dso), .kind = DSO_JIT, .pid = code->pid}};
    struct frame f = {.ip = addr, .has_ip = true, .dso = c.dso.name};
    jitname_set(&name, addr, &f, offset);
    if (lines.len > 0)
        set_line(&f, last_line(lines));
    else if (s->options->lines)
        add_line(s, &c, addr, &f);
    return frametab_add(s->frames, &f);
}

/* Return the frame of code that the recording names, from the cache if possible. `lines`: as from
 * find_lines. */
static uint32_t
named_frame(struct symbolizer *s, const struct codename *code, uint64_t addr,
            const struct codename *lines)
{
    const uint64_t key[] = {addr, code->start, code->number, (uint64_t)code->pid, lines->number};
    const uint64_t version = /* differs from all spaces' */
        (lines->serial > code->serial ? lines->serial : code->serial) | (uint64_t)1 << 63;
    struct symbolizer_slot *slot = &s->recent[hash_mix(version, addr) & (RECENT - 1)];
    uint32_t number;
    if (slot->version == version && slot->addr == addr)
        return slot->frame;
    if (intern_put(&s->places, SPAN_BYTES(key), &number)) {
        s->frame_of =
            mem_grow(s->frame_of, &s->frame_of_cap, (size_t)number + 1, sizeof *s->frame_of);
        s->frame_of[number] = add_named(s, code, addr, lines->label);
    }
    *slot = (struct symbolizer_slot){version, addr, -1, s->frame_of[number]};
    return slot->frame;
}

/* Return true if the names of the current process's code come from the recording alone. */
static bool
has_names(const struct symbolizer *s)
{
    struct jitnames *n = s->jitnames;
    return s->named != NULL && (n == NULL || n->has_map == NULL || !n->has_map(n, s->pid));
}

/* Find the recording's name for a user address. */
static bool
find_named(const struct symbolizer *s, const struct procspace *space, uint64_t addr,
           struct codename *code)
{
    bool user = space == NULL || space->pid != PROCMAPS_KERNEL;
    return s->named != NULL && user && codenames_find(&s->codenames, s->named, addr, s->seen, code);
}

uint64_t
symbolizer_caller(const struct symbolizer *s, const struct procspace *space, uint64_t addr)
{
    struct codename code;
    if (s->named == NULL || find_named(s, space, addr, &code))
        return addr;
    const struct map *map = procmaps_find(space, addr);
    if (map != NULL && procmaps_dso(&s->maps, map->dso).kind != DSO_MEMORY)
        return addr;
    uint64_t interpreter = codenames_interpreter(&s->codenames, s->pid);
    return interpreter != 0 ? interpreter : addr;
}

uint32_t
symbolizer_frame(struct symbolizer *s, const struct procspace *space, uint64_t addr,
                 enum symbolizer_kind kind)
{
    struct codename code, lines;
    if (find_named(s, space, addr, &code)) {
        find_lines(s, &code, addr, kind, &lines);
        return named_frame(s, &code, addr, &lines);
    }
    uint64_t version = space != NULL ? space->version : 0;
    struct symbolizer_slot *slot = &s->recent[hash_mix(version, addr) & (RECENT - 1)];
    if (version != 0 && slot->version == version && slot->addr == addr &&
        (slot->pid < 0 || slot->pid == s->pid))
        return slot->frame;
    const struct map *map = procmaps_find(space, addr);
    struct jitplace place = {s->pid, -1, addr, unmapped};
    if (map == NULL)
        return s->jitnames != NULL && s->jitnames->anywhere && !has_names(s)
                   ? frame_of(s, INTERN_NONE, addr, &place)
                   : add_frame(s, NULL, addr, NULL);
    struct dso dso = procmaps_dso(&s->maps, map->dso);
    bool jit = is_jit(s, &dso) && !has_names(s);
    place.dso = dso.name;
    place.map_pid = dso.kind == DSO_JIT ? dso.pid : -1;
    bool asks = jit || (dso.kind == DSO_FILE && s->jitnames != NULL && s->jitnames->in_files);
    uint32_t frame = frame_of(s, map->dso, map_address(map, addr), asks ? &place : NULL);
    if (dso.kind != DSO_MEMORY)
        *slot = (struct symbolizer_slot){version, addr, jit ? s->pid : -1, frame};
    return frame;
}

/* Add the frames of the calls at an address in a file; `frame` is that of the outer function. A
 * caller's source line is that of the call, not that of the return address: then a frame is needed
 * even if no call was inlined. */
static struct symbolizer_calls
add_calls(struct symbolizer *s, const struct code *c, uint64_t addr, bool caller, uint32_t frame)
{
    const struct dwarf_call *calls = NULL;
    struct symbolizer_calls added = {s->ncall_frames, 0};
    size_t n = find_calls(s, c, address_in_file(c, addr), caller, &calls);
    size_t least = caller && s->options->lines ? 1 : 2;
    for (size_t i = 0; n >= least && i < n; i++) {
        struct frame f = *frametab_frame(s->frames, frame);
        if (i < n - 1) {
            f.dso = SPAN("inlined");
            f.sym =
                calls[i].function.len > 0 ? printed_name(s, calls[i].function) : SPAN("[unknown]");
        }
        s->line.len = 0;
        if (s->options->lines) {
            f.has_srcline = calls[i].file.len > 0 && srcline_add(&calls[i], &s->line);
            f.srcline = f.has_srcline ? text_span(&s->line) : f.srcline;
        }
        MEM_ADD(s->call_frames, s->ncall_frames, s->call_frames_cap, frametab_add(s->frames, &f));
        added.count++;
    }
    return added;
}

/* Maximum inlined calls at an address: a damaged recording could have any number. */
enum { NAMED_CALLS_MAX = 64 };

static size_t
count_lines(struct span text)
{
    size_t n = text.len > 0;
    for (size_t i = 0; i < text.len; i++)
        n += text.ptr[i] == '\n';
    return n;
}

/* Add the frames of calls that V8 inlined, and the frame of the function that contains them. The
 * source lines are for all of them, or for that function alone. */
static size_t
named_calls(struct symbolizer *s, const struct codename *code, uint64_t addr,
            enum symbolizer_kind kind, const uint32_t **frames)
{
    struct span labels;
    struct codename lines;
    if (!codenames_find_inlined(&s->codenames, s->named, addr - (kind == SYMBOLIZER_AFTER), s->seen,
                                &labels))
        return 0;
    find_lines(s, code, addr, kind, &lines);
    s->named_calls.n = 0;
    uint32_t outer = named_frame(s, code, addr, &lines);
    if (count_lines(lines.label) != count_lines(labels) + 1)
        lines.label = SPAN("");
    while (labels.len > 0 && s->named_calls.n < NAMED_CALLS_MAX) {
        struct frame f = *frametab_frame(s->frames, outer);
        f.dso = SPAN("inlined");
        f.sym = span_take(&labels, '\n');
        set_line(&f, span_take(&lines.label, '\n'));
        VEC_ADD(s->named_calls, frametab_add(s->frames, &f));
    }
    VEC_ADD(s->named_calls, outer);
    *frames = s->named_calls.at;
    return s->named_calls.n;
}

size_t
symbolizer_calls(struct symbolizer *s, const struct procspace *space, uint64_t addr,
                 enum symbolizer_kind kind, const uint32_t **frames)
{
    bool caller = kind == SYMBOLIZER_AFTER;
    struct codename code;
    if (find_named(s, space, addr, &code))
        return named_calls(s, &code, addr, kind, frames);
    const struct map *map = procmaps_find(space, addr);
    if (map == NULL)
        return 0;
    const uint64_t key[] = {map_address(map, addr), map->dso, caller};
    uint32_t place;
    if (intern_put(&s->call_places, SPAN_BYTES(key), &place)) {
        s->calls_of =
            mem_grow(s->calls_of, &s->calls_of_cap, s->call_places.count, sizeof *s->calls_of);
        uint32_t frame = symbolizer_frame(s, space, addr, kind);
        s->calls_of[place] = add_calls(s, code_of(s, map->dso), key[0], caller, frame);
    }
    *frames = s->call_frames + s->calls_of[place].first;
    return s->calls_of[place].count;
}

uint32_t
symbolizer_raw_frame(struct symbolizer *s, const struct procspace *space, uint64_t addr)
{
    struct frame f = *frametab_frame(s->frames, symbolizer_frame(s, space, addr, SYMBOLIZER_AT));
    f.ip = addr;
    return frametab_add(s->frames, &f);
}

/* Return how to print a module. perf 6.1 prints the path of one in the recording's list of
 * build-ids, from which it learns of that file first. */
static enum kernel_module_style
module_style(const struct symbolizer *s, const struct record *r, const struct record_mmap *m)
{
    bool listed = m->build_id.len > 0 && r->mmap.build_id.len == 0;
    if (!s->options->as_perf)
        return KERNEL_MODULE;
    return listed ? KERNEL_MODULE_PATH : KERNEL_MODULE_AS_PERF;
}

void
symbolizer_map(struct symbolizer *s, const struct record *r, const struct record_mmap *m)
{
    enum { PROT_X = 4 }; /* PROT_EXEC of mmap(2), on Linux */
    unsigned mode = r->misc & PERF_RECORD_MISC_CPUMODE_MASK;
    struct procmap map = {.start = m->addr,
                          .len = m->len,
                          .pgoff = m->pgoff,
                          .time = r->time,
                          .name = m->file,
                          .build_id = m->build_id,
                          .executable = r->type == PERF_RECORD_MMAP2
                                            ? (m->prot & PROT_X) != 0
                                            : (r->misc & PERF_RECORD_MISC_MMAP_DATA) == 0};
    bool dumps =
        !s->options->as_perf && s->options->objects == NULL; /* do not read one that still grows */
    if (mode == PERF_RECORD_MISC_USER && dumps && jitcode_takes(&s->jit, (int32_t)m->pid, &map))
        return;
    if (mode == PERF_RECORD_MISC_KERNEL)
        kernel_map(&s->kernel, &s->maps, &map, module_style(s, r, m));
    else if (mode == PERF_RECORD_MISC_USER)
        procmaps_map(&s->maps, (int32_t)m->pid, &map);
}

static void
forget_frames(struct symbolizer *s)
{
    intern_free(&s->places);
    s->nowhere = 0;
    intern_free(&s->call_places);
    s->ncall_frames = 0;
    memset(s->recent, 0, RECENT * sizeof *s->recent);
}

void
symbolizer_see(struct symbolizer *s, const struct record *r)
{
    struct ownrecord own;
    struct jitnames *n = s->jitnames;
    bool names = ownrecord_read(r, &own) && own.what == OWN_CODE && own.code.label.len > 0;
    if (s->options->as_perf || (names && n != NULL && n->has_map != NULL && n->has_map(n, own.pid)))
        return;
    if (names && n != NULL && n->needs_no_map != NULL)
        n->needs_no_map(n, own.pid);
    s->named = NULL; /* until the next symbolizer_advance() */
    codenames_see(&s->codenames, r);
    if (s->codenames.renumbered != s->renumbered)
        forget_frames(s);
    s->renumbered = s->codenames.renumbered;
}

void
symbolizer_made(struct symbolizer *s, const struct record_ksymbol *k)
{
    struct procmap map = {.start = k->addr, .len = k->len, .name = k->name, .executable = true};
    if ((k->flags & 1) == 0)
        kernel_made(&s->kernel, &s->maps, &map);
}

size_t
symbolizer_frames_size(const struct symbolizer *s)
{
    return intern_size(&s->places) + s->frame_of_cap * sizeof *s->frame_of +
           intern_size(&s->call_places) + s->calls_of_cap * sizeof *s->calls_of +
           s->call_frames_cap * sizeof *s->call_frames;
}

/* Recordings */

/* Renumber s->code (see procmaps.renumbered): DSOs that no process uses any more were forgotten. */
static void
renumber_code(void *ctx, const uint32_t *numbers, size_t count)
{
    struct symbolizer *s = ctx;
    struct code **old = s->code;
    size_t old_cap = s->code_cap;
    debuginfo_end(&s->debuginfo);
    if (s->code_cap < count) /* the new number of a DSO may be larger than the old one */
        s->code_cap = count;
    s->code = mem_alloc(s->code_cap * sizeof(struct code *));
    memset(s->code, 0, s->code_cap * sizeof(struct code *));
    for (size_t i = 0; i < count && i < old_cap; i++) {
        if (numbers[i] == INTERN_NONE) {
            free_code(old[i]);
        } else if (old[i] != NULL) {
            s->code[numbers[i]] = old[i];
            old[i]->dso = procmaps_dso(&s->maps, numbers[i]);
            if (old[i]->file != NULL && old[i]->dso.build_id.len > 0)
                old[i]->file->dso.build_id = old[i]->dso.build_id; /* it was borrowed */
        }
    }
    free(old);
    jitcode_renumber(&s->jit, numbers, count);
    for (size_t i = 0; i < s->code_cap; i++)
        if (s->code[i] != NULL)
            s->code[i]->piece = jitcode_find(&s->jit, (uint32_t)i);
    forget_frames(s);
}

static void
forget(struct symbolizer *s)
{
    forget_files(s);
    kernel_reset(&s->kernel);
    jitcode_free(&s->jit);
    codenames_free(&s->codenames);
    procmaps_free(&s->maps);
    forget_frames(s);
}

void
symbolizer_restart(struct symbolizer *s, bool mono)
{
    if (s->recent == NULL) {
        s->recent = mem_alloc(RECENT * sizeof *s->recent);
        s->memory = mem_alloc(sizeof *s->memory);
    }
    forget(s);
    s->kernel.kallsyms = s->options->kallsyms;
    s->kernel.vmlinux = s->options->vmlinux;
    s->kernel.cache = s->options->files.cache;
    s->kernel.patience = &s->patience;
    s->kernel.unchecked = s->options->as_perf || s->options->objects != NULL;
    s->nameless_kernel = false;
    s->maps.keeps_files = !s->options->as_perf;
    s->maps.limit = s->options->maps_limit;
    s->codenames.limit = s->options->codes_limit;
    s->maps.runs = s->options->objects != NULL ? s->options->objects->runs : NULL;
    s->maps.renumbered = renumber_code;
    s->maps.ctx = s;
    s->debuginfo.diag = s->diag;
    s->debuginfo.cache.search = &s->options->files;
    s->debuginfo.cache.paths = s->options->paths;
    s->debuginfo.limit = s->options->debug_limit;
    s->debuginfo.pace = s->options->debug_pace;
    s->jit = (struct jitcode){.diag = s->diag,
                              .symfs = s->options->files.symfs,
                              .lines = s->options->lines,
                              .no_times = !mono};
}

void
symbolizer_advance(struct symbolizer *s, uint64_t time, uint64_t seen, int64_t pid)
{
    s->pid = pid;
    s->seen = seen;
    s->named = codenames_of(&s->codenames, pid);
    if (frametab_was_emptied(s->frames, &s->generation))
        forget_frames(s);
    if (s->jit.pids.count > 0)
        jitcode_advance(&s->jit, &s->maps, time);
    if (s->jitnames != NULL && s->jitnames->advance(s->jitnames, time, &s->maps))
        memset(s->recent, 0, RECENT * sizeof *s->recent);
}

/* What was not found */

/* Print which files have only exported names, as most files of distributions do, if that concerns
 * at least a twentieth of the different addresses. */
static void
explain_stripped(const struct symbolizer *s, const struct tally *files)
{
    char list[TALLY_TEXT];
    uint64_t nameless = 0;
    for (size_t i = 0; i < files->names.count; i++)
        nameless += files->rows[i].count;
    if (nameless == 0 || nameless < (s->places.count - s->nowhere) / 20)
        return;
    tally_describe(files, list);
    diag_note(s->diag,
              "addresses without a name in files without debug symbols: %s; looked in %s and %s",
              list, s->options->files.cache, s->options->files.debug);
}

/* Print how to get the names of files that are missing on this machine. */
static void
explain_missing(const struct symbolizer *s)
{
    const char *cache = s->options->files.cache;
    if (cache[0] != '\0')
        diag_note(
            s->diag,
            "to get their names, run perf archive where it was recorded and unpack the result "
            "in %s, or give a folder with that machine's files as --symfs",
            cache);
    else
        diag_note(s->diag, "to get their names, give a folder with the recorded machine's files as "
                           "--symfs");
}

static void
explain_forgotten(const struct symbolizer *s)
{
    if (s->maps.forgotten > 0)
        diag_note(s->diag,
                  "the mappings of %zu processes, of process %d first, were forgotten, since those "
                  "of all take more than their share of --memory (%zu MB): their functions have no "
                  "names",
                  s->maps.forgotten, (int)s->maps.forgotten_pid, s->maps.limit >> 20);
}

/* Print that there was no room for all names that the recording has. */
static void
explain_refused(const struct symbolizer *s)
{
    const struct codenames *c = &s->codenames;
    if (c->refused > 0)
        diag_note(
            s->diag,
            "%s names of JavaScript functions, of process %d first, were not kept, since those of "
            "all take more than their share of --memory (%zu MB)",
            NUM_TEXT(c->refused), (int)c->refused_pid, c->limit >> 20);
}

void
symbolizer_explain(const struct symbolizer *s)
{
    explain_forgotten(s);
    explain_refused(s);
    if (s->kernel.why.len > 0 && s->nameless_kernel)
        diag_note(s->diag, "the kernel's functions have no names: %.*s%s",
                  SPAN_ARG(text_span(&s->kernel.why)),
                  s->options->objects != NULL
                      ? ""
                      : "; give the recorded kernel's file with --kallsyms or --vmlinux");
    struct tally stripped = {0};
    struct text why = {0};
    bool missing = false;
    for (size_t i = 0; i < s->code_cap; i++) {
        const struct code *c = s->code[i];
        why.len = 0;
        if (c == NULL || c->file == NULL)
            continue;
        const struct dsofile *dso = &c->file->dso;
        if (c->nameless == 0 && !dso->changed && dsofile_reading_problem(dso) == NULL)
            continue;
        if (!dsofile_explain(dso, &why))
            continue;
        missing |= c->file->dso.names == DSOFILE_NONE && c->dso.name.len > 0;
        if (dsofile_is_stripped(&c->file->dso))
            tally_add(&stripped, dso_base(c->dso.name), c->nameless, 0);
        else
            diag_warn(s->diag, "files whose code has no names", NOWHERE, "%.*s: %.*s",
                      SPAN_ARG(c->dso.name), SPAN_ARG(text_span(&why)));
    }
    if (missing && s->options->objects == NULL)
        explain_missing(s);
    explain_stripped(s, &stripped);
    tally_free(&stripped);
    free(why.ptr);
}

void
symbolizer_free(struct symbolizer *s)
{
    if (s->recent != NULL)
        forget(s);
    free(s->code);
    free(s->names);
    free(s->frame_of);
    free(s->calls_of);
    free(s->call_frames);
    free(s->named_calls.at);
    free(s->recent);
    free(s->memory);
    free(s->name.ptr);
    free(s->line.ptr);
    debuginfo_free(&s->debuginfo);
    arena_free(&s->arena);
    arena_free(&s->scratch);
}
