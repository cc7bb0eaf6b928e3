#include "common/symbolize/unwinder.h"

#include <stdlib.h>

#include "common/event/ownrecord.h"
#include "common/sym/gopclntab.h"

/* A file with its table, which is built when the first address in the file is looked up. */
struct unwinder_object {
    const struct elffile *file; /* the file with the code, or NULL */
    bool refused;               /* the file is too large for a table */
    struct cfitable table;
    struct unwinder_object *next; /* of those that are to be freed */
};

enum { BLOCK = 4096 }; /* bytes of code to read at once */

/* Objects */

static void
free_retired(struct unwinder *u)
{
    for (struct unwinder_object *o = u->retired, *next; o != NULL; o = next) {
        next = o->next;
        cfitable_free(&o->table);
        free(o);
    }
    u->retired = NULL;
    for (size_t i = 0; i < UNWINDER_BLOCKS; i++)
        u->blocks[i].of = NULL;
    walk_forget(&u->walker);
}

/* Forget all objects. The current walk may still use one: free the tables before the next walk. */
static void
retire(struct unwinder *u)
{
    for (size_t i = 0; i < u->files.count; i++) {
        u->objects[i]->next = u->retired;
        u->retired = u->objects[i];
    }
    intern_free(&u->files);
    u->bytes = 0;
    u->files_forgotten = u->symbolizer->files_forgotten;
}

static size_t
limit(const struct unwinder *u)
{
    return u->limit > 0 ? u->limit : UNWINDER_TABLES;
}

static uint64_t
section_size(const struct elf *e, struct span name)
{
    Elf64_Shdr s;
    return elf_find_section(e, SHT_NULL, name, &s) && s.sh_type != SHT_NOBITS ? s.sh_size : 0;
}

static struct unwinder_object *
make_object(struct unwinder *u, const struct dsofile *files)
{
    struct unwinder_object *o = mem_alloc(sizeof *o);
    *o = (struct unwinder_object){.file = files->runtime};
    if (files->runtime == NULL)
        return o;
    const struct elf *code = &files->runtime->elf;
    const struct elf *debug = files->symbols != NULL ? &files->symbols->elf : NULL;
    uint64_t plain = section_size(code, SPAN(".eh_frame")),
             more = section_size(debug != NULL ? debug : code, SPAN(".debug_frame")),
             go = gopclntab_size(code);
    o->refused = plain / 2 > limit(u) || more / 2 > limit(u) || go / 2 > limit(u);
    if (o->refused)
        return o;
    cfitable_build(&o->table, code, debug, &u->symbolizer->patience);
    u->read += plain + more + go;
    return o;
}

/* Add an object for a pair of files. Return NULL if it must wait for its table. Drop all objects at
 * most once in a walk, since the dropped ones stay in memory until its end. */
static struct unwinder_object *
add_object(struct unwinder *u, const struct dsofile *files, struct span key)
{
    uint32_t number;
    bool full = u->bytes > limit(u);
    if (u->read > UNWINDER_READ + u->samples * UNWINDER_READ_MORE || (full && u->retired != NULL)) {
        u->waiting = true;
        return NULL;
    }
    if (full)
        retire(u);
    intern_put(&u->files, key, &number);
    u->objects = mem_grow(u->objects, &u->cap, u->files.count, sizeof(struct unwinder_object *));
    u->objects[number] = make_object(u, files);
    u->bytes += sizeof *u->objects[number] + cfitable_size(&u->objects[number]->table);
    return u->objects[number];
}

/* Return the object of a DSO. Return NULL if it has no files, or, with *refused set, if they cannot
 * be used. */
static struct unwinder_object *
object_of(struct unwinder *u, uint32_t dso, bool *refused)
{
    const struct dsofile *files = symbolizer_file(u->symbolizer, dso);
    *refused = false;
    if (u->symbolizer->files_forgotten != u->files_forgotten)
        retire(u);
    if (files == NULL)
        return NULL;
    const struct elffile *pair[] = {files->runtime, files->symbols};
    struct span key = SPAN_BYTES(pair);
    uint32_t number = u->files.count > 0 ? intern_find(&u->files, key) : INTERN_NONE;
    struct unwinder_object *o =
        number != INTERN_NONE ? u->objects[number] : add_object(u, files, key);
    *refused = o == NULL || o->refused;
    return *refused ? NULL : o;
}

/* Addresses */

static bool
find(void *ctx, uint64_t addr, struct walk_place *place)
{
    struct unwinder *u = ctx;
    const struct map *map = procmaps_find(u->space, addr);
    uint64_t in_object;
    Elf64_Phdr segment;
    if (map == NULL)
        return false;
    enum dso_kind kind = procmaps_dso(&u->symbolizer->maps, map->dso).kind;
    bool refused;
    struct unwinder_object *o = object_of(u, map->dso, &refused);
    if (refused)
        return false;
    *place = (struct walk_place){.executable = kind != DSO_MEMORY && kind != DSO_KERNEL};
    if (o == NULL || o->file == NULL)
        return true;
    const struct elf *e = &o->file->elf;
    place->executable = elf_find_address(e, map_address(map, addr), &in_object) &&
                        elf_find_segment(e, in_object, &segment) && (segment.p_flags & PF_X) != 0;
    if (!place->executable)
        return true;
    place->table = &o->table;
    place->bias = addr - in_object;
    place->entry = e->entry != 0 ? e->entry + place->bias : 0;
    return true;
}

/* Return the bytes of the object's file from the offset to the end of the offset's block. */
static struct span
code_at(struct unwinder *u, const struct unwinder_object *o, uint64_t offset)
{
    struct content *file = o->file->elf.content;
    uint64_t number = offset / BLOCK, start = number * BLOCK;
    if (offset >= file->size)
        return SPAN("");
    size_t len = file->size - start < BLOCK ? (size_t)(file->size - start) : BLOCK;
    struct unwinder_block *b = &u->blocks[hash_mix((uintptr_t)o, number) % UNWINDER_BLOCKS];
    if (b->of != o || b->number != number) {
        if (b->bytes == NULL)
            b->bytes = mem_alloc(BLOCK);
        b->of = content_read(file, start, b->bytes, len) ? o : NULL;
        b->number = number;
    }
    return b->of != NULL ? span_from(span_of(b->bytes, len), (size_t)(offset - start)) : SPAN("");
}

static size_t
read_code(void *ctx, uint64_t addr, unsigned char *to, size_t n)
{
    struct unwinder *u = ctx;
    const struct map *map = procmaps_find(u->space, addr);
    bool refused;
    const struct unwinder_object *o = map != NULL ? object_of(u, map->dso, &refused) : NULL;
    size_t done = 0;
    while (o != NULL && o->file != NULL && done < n) {
        struct span code = code_at(u, o, map_address(map, addr) + done);
        size_t len = code.len < n - done ? code.len : n - done;
        if (len == 0)
            break;
        memcpy(to + done, code.ptr, len);
        done += len;
    }
    return done;
}

/* Samples */

/* Copy the user part of a record's callchain to u->chain. */
static size_t
take_chain(struct unwinder *u, const struct record *r, struct words chain)
{
    bool user = (r->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER;
    size_t n = 0;
    u->chain = mem_grow(u->chain, &u->chain_cap, chain.count, sizeof *u->chain);
    for (size_t i = 0; i < chain.count; i++) {
        uint64_t addr = words_at(chain, i);
        if (addr >= PERF_CONTEXT_MAX)
            user = addr == PERF_CONTEXT_USER;
        else if (user)
            u->chain[n++] = addr;
    }
    return n;
}

/* Set the thread's registers from a sample. Return false if it cannot be unwound: a necessary
 * register is missing, or the code is 32-bit code, or the machine is unsupported. */
static bool
take_registers(const struct unwinder *u, const struct record *r, struct walk_thread *t)
{
    enum { ABI_64 = 2 };
    const struct arch *arch = u->walker.arch;
    if (arch == NULL || r->sample.regs_user.abi != ABI_64)
        return false;
    t->known = 0;
    memset(t->regs, 0, sizeof t->regs);
    for (unsigned i = 0; i < arch->registers; i++)
        if (record_register(r->event->regs_user, &r->sample.regs_user, arch->perf[i], &t->regs[i]))
            t->known |= (uint64_t)1 << i;
    return (t->known >> arch->ip & 1) != 0 && (t->known >> arch->sp & 1) != 0;
}

/* Set the state of the thread whose stack is to be unwound. */
static bool
take_thread(struct unwinder *u, const struct record *r, struct walk_thread *t, uint32_t *pid)
{
    struct ownrecord own;
    const struct arch *arch = u->walker.arch;
    if (!ownrecord_read(r, &own)) {
        if (!take_registers(u, r, t))
            return false;
        *pid = r->pid;
        t->stack = r->sample.stack;
        t->nchain = take_chain(u, r, r->sample.callchain);
        return true;
    }
    if (own.what != OWN_STACK || arch == NULL)
        return false;
    *pid = own.pid;
    t->known = (uint64_t)1 << arch->ip | (uint64_t)1 << arch->sp;
    t->regs[arch->ip] = own.ip;
    t->regs[arch->sp] = own.sp;
    t->stack = own.stack;
    t->nchain = take_chain(u, r, own.chain);
    return true;
}

void
unwinder_begin(struct unwinder *u, struct span machine)
{
    u->walker.arch = machine.len > 0 ? arch_of_name(machine) : arch_of_host();
    retire(u);
}

bool
unwinder_walk(struct unwinder *u, const struct record *r, struct walk_result *result)
{
    enum { WAITING = 64 /* samples until waiting files are tried again */ };
    struct walk_thread t = {0};
    uint32_t pid;
    if (!take_thread(u, r, &t, &pid))
        return false;
    if (u->retired != NULL)
        free_retired(u);
    if (u->waiting && u->samples % WAITING == 0) {
        walk_forget(&u->walker);
        u->waiting = false;
    }
    u->samples++;
    u->space = procmaps_space(&u->symbolizer->maps, (int32_t)pid);
    t.chain = u->chain;
    struct walk_process process = {.find = find, .code = read_code, .ctx = u};
    process.version = u->space != NULL ? u->space->version : UINT64_MAX;
    walk(&u->walker, &process, &t, result);
    return true;
}

size_t
unwinder_needs(const struct unwinder *u, const struct record *r)
{
    struct walk_thread t = {.stack = r->sample.stack};
    return take_registers(u, r, &t) ? walk_needs(&u->walker, &t) : t.stack.len;
}

void
unwinder_free(struct unwinder *u)
{
    retire(u);
    free_retired(u);
    walk_free(&u->walker);
    for (size_t i = 0; i < UNWINDER_BLOCKS; i++)
        free(u->blocks[i].bytes);
    free(u->objects);
    free(u->chain);
}
