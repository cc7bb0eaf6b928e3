#include "cmd/stackrecord/capture/heldfiles.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/sym/elffile.h"
#include "common/symbolize/procroot.h"

struct heldfile {
    struct span name, build_id;
    struct regular_file file; /* may be closed */
};

/* Instead of a file's number. NONE: the file is not held. RETRY: its process has ended, so try the
 * next process that maps it. */
#define NONE  UINT32_MAX
#define RETRY (UINT32_MAX - 1)

/* Key of a file in MMAP2 records: this, then the build-id if the record has one, then the name. */
struct key_head {
    uint64_t inode, generation;
    uint32_t major, minor;
};

static struct span
key_of(struct heldfiles *h, const struct record_mmap *m)
{
    struct key_head head = {m->inode, m->inode_generation, m->major, m->minor};
    h->key.len = 0;
    text_add(&h->key, span_of((const char *)&head, sizeof head));
    text_add(&h->key, m->build_id);
    text_add(&h->key, m->file);
    return text_span(&h->key);
}

static struct heldfile *
find(const struct heldfiles *h, struct span name, struct span build_id)
{
    for (size_t i = 0; i < h->count; i++)
        if (span_eq(h->files[i].build_id, build_id) && span_eq(h->files[i].name, name))
            return &h->files[i];
    return NULL;
}

static bool
is_deleted(struct span name)
{
    return span_ends(name, SPAN(" (deleted)"));
}

static void
descriptor_path(char path[static HELDFILES_PATH], int fd)
{
    snprintf(path, HELDFILES_PATH, "/proc/self/fd/%d", fd);
}

/* Open the mapped file of a record. By its address only root may open it, but that also finds
 * deleted files; else open it by its name. */
static bool
open_mapped(const struct record_mmap *m, struct regular_file *f)
{
    char path[96], target[4096];
    int32_t pid = (int32_t)m->pid;
    const struct regular its = {.pid = pid};
    snprintf(path, sizeof path, "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, (int)pid, m->addr,
             m->addr + m->len);
    if (regular_open(f, path, &its) == NULL)
        return true;
    if (!is_deleted(m->file)) {
        if (m->file.len >= sizeof target)
            return false;
        snprintf(target, sizeof target, "%.*s", SPAN_ARG(m->file));
        return procroot_open(f, pid, target) == NULL;
    }
    snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
    ssize_t n = readlink(path, target, sizeof target);
    bool is_exe = n > 0 && span_eq(span_of(target, (size_t)n), m->file);
    return is_exe && regular_open(f, path, &its) == NULL;
}

bool
heldfiles_open(const struct record_mmap *m, struct regular_file *f,
               char path[static HELDFILES_PATH])
{
    if (!open_mapped(m, f))
        return false;
    descriptor_path(path, f->fd);
    return true;
}

/* Return a copy of the build-id of an open file. */
static struct span
read_build_id(struct heldfiles *h, int fd)
{
    char path[HELDFILES_PATH];
    struct elffile f;
    descriptor_path(path, fd);
    if (elffile_open(&f, path) != NULL)
        return SPAN("");
    struct span id = arena_copy(&h->arena, elf_build_id(&f.elf));
    elffile_close(&f);
    return id;
}

/* Hold an open file. Return its number. */
static uint32_t
hold(struct heldfiles *h, struct regular_file *file, struct span name)
{
    struct span id = read_build_id(h, file->fd);
    struct heldfile *known = find(h, name, id);
    if (known != NULL) {
        regular_close(file);
        return (uint32_t)(known - h->files);
    }
    h->files = mem_grow(h->files, &h->cap, h->count + 1, sizeof *h->files);
    h->files[h->count] = (struct heldfile){arena_copy(&h->arena, name), id, *file};
    h->held++;
    return (uint32_t)h->count++;
}

/* Return the maximum number of descriptors to hold. */
static size_t
limit(void)
{
    struct rlimit r;
    if (getrlimit(RLIMIT_NOFILE, &r) != 0 || r.rlim_cur / 4 >= HELDFILES_MAX)
        return HELDFILES_MAX;
    return (size_t)r.rlim_cur / 4;
}

/* Open the file that a process has mapped, if necessary. Return its number, NONE or RETRY. */
static uint32_t
open_file(struct heldfiles *h, const struct record_mmap *m)
{
    if (!is_deleted(m->file) && procroot_is_ours((int32_t)m->pid))
        return procroot_inner_pid((int32_t)m->pid) >= 0 ? NONE : RETRY;
    if (h->held >= limit()) {
        h->refused++;
        return NONE;
    }
    struct regular_file file;
    return open_mapped(m, &file) ? hold(h, &file, m->file) : RETRY;
}

/* Return true if the record maps code of a file: not of a device, and not of memory with a name
 * like a path. */
static bool
is_binary(const struct record *r)
{
    enum { PROT_X = 4 }; /* PROT_EXEC of mmap(2), on Linux */
    static const struct span others[] = {{"//", 2}, {"/dev/", 5}, {"/SYSV", 5}};
    return r->type == PERF_RECORD_MMAP2 &&
           (r->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER &&
           (r->mmap.prot & PROT_X) != 0 && span_starts(r->mmap.file, SPAN("/")) &&
           !span_starts_any(r->mmap.file, others, sizeof others / sizeof *others);
}

/* Forget the files that are not held, since processes may map an unlimited number of files. */
static void
forget_closed(struct heldfiles *h)
{
    struct heldfiles old = *h;
    uint32_t n;
    h->maps = (struct intern){0};
    h->arena = (struct arena){0};
    h->count = 0;
    uint32_t *moved = mem_alloc(old.count * sizeof *moved);
    for (size_t i = 0; i < old.count; i++) {
        struct heldfile f = old.files[i];
        moved[i] = f.file.fd >= 0 ? (uint32_t)h->count : NONE;
        if (f.file.fd < 0)
            continue;
        f.name = arena_copy(&h->arena, f.name);
        f.build_id = arena_copy(&h->arena, f.build_id);
        h->files[h->count++] = f;
    }
    for (uint32_t i = 0; i < old.maps.count; i++) {
        uint32_t file = old.file_of[i];
        if (file < RETRY && moved[file] != NONE &&
            intern_put(&h->maps, intern_text(&old.maps, i), &n))
            h->file_of[n] = moved[file];
    }
    free(moved);
    intern_free(&old.maps);
    arena_free(&old.arena);
}

void
heldfiles_see(struct heldfiles *h, const struct record *r)
{
    uint32_t number;
    if (!is_binary(r))
        return;
    if (h->count > HELDFILES_KNOWN ||
        intern_size(&h->maps) + arena_size(&h->arena) > HELDFILES_BYTES)
        forget_closed(h);
    bool new = intern_put(&h->maps, key_of(h, &r->mmap), &number);
    if (!new && h->file_of[number] != RETRY)
        return;
    h->file_of = mem_grow(h->file_of, &h->file_of_cap, h->maps.count, sizeof *h->file_of);
    h->file_of[number] = open_file(h, &r->mmap);
}

struct span
heldfiles_build_id(struct heldfiles *h, const struct record_mmap *m)
{
    uint32_t number = h->maps.count > 0 ? intern_find(&h->maps, key_of(h, m)) : INTERN_NONE;
    if (number == INTERN_NONE || h->file_of[number] >= RETRY)
        return SPAN("");
    return h->files[h->file_of[number]].build_id;
}

const char *
heldfiles_path(const struct heldfiles *h, struct span name, struct span build_id,
               char path[static HELDFILES_PATH])
{
    const struct heldfile *f = find(h, name, build_id);
    if (f == NULL || f->file.fd < 0)
        return NULL;
    descriptor_path(path, f->file.fd);
    return path;
}

void
heldfiles_release(struct heldfiles *h, struct span name, struct span build_id)
{
    struct heldfile *f = find(h, name, build_id);
    if (f == NULL || f->file.fd < 0)
        return;
    regular_close(&f->file);
    h->held--;
}

void
heldfiles_free(struct heldfiles *h)
{
    for (size_t i = 0; i < h->count; i++)
        regular_close(&h->files[i].file);
    free(h->files);
    free(h->file_of);
    free(h->key.ptr);
    intern_free(&h->maps);
    arena_free(&h->arena);
    *h = (struct heldfiles){0};
}
