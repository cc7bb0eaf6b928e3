#include "common/stage/fdpaths.h"

#include <stdlib.h>

struct fdpath {
    uint32_t path;    /* its number; INTERN_NONE: unknown */
    uint32_t version; /* number of times that the process was forgotten; older paths are invalid */
    bool closed;
};

enum { PROCESS = -1 };

struct key {
    uint32_t pid;
    int32_t fd;
};

static struct fdpath *
find(const struct fdpaths *f, uint32_t pid, int32_t fd)
{
    const struct key key = {pid, fd};
    uint32_t number = intern_find(&f->keys, SPAN_BYTES(key));
    return number != INTERN_NONE ? &f->of.at[number] : NULL;
}

static struct fdpath *
find_or_add(struct fdpaths *f, uint32_t pid, int32_t fd)
{
    const struct key key = {pid, fd};
    uint32_t number;
    if (intern_put(&f->keys, SPAN_BYTES(key), &number))
        VEC_ADD(f->of, (struct fdpath){.path = INTERN_NONE});
    return &f->of.at[number];
}

static uint32_t
version_of(const struct fdpaths *f, uint32_t pid)
{
    const struct fdpath *process = find(f, pid, PROCESS);
    return process != NULL ? process->version : 0;
}

static bool
is_full(const struct fdpaths *f)
{
    return intern_size(&f->keys) + intern_size(&f->paths) + f->of.cap * sizeof *f->of.at >
           FDPATHS_MAX;
}

void
fdpaths_set(struct fdpaths *f, uint32_t pid, int32_t fd, struct span path)
{
    if (fd < 0)
        return;
    if (is_full(f))
        fdpaths_free(f);
    uint32_t version = version_of(f, pid);
    uint32_t number = path.len > 0 ? intern_add(&f->paths, path) : INTERN_NONE;
    *find_or_add(f, pid, fd) = (struct fdpath){number, version, false};
}

void
fdpaths_close(struct fdpaths *f, uint32_t pid, int32_t fd)
{
    struct fdpath *p = find(f, pid, fd);
    if (p == NULL || fd < 0)
        return;
    p->path = p->closed ? INTERN_NONE : p->path;
    p->closed = true;
}

void
fdpaths_forget(struct fdpaths *f, uint32_t pid)
{
    if (f->of.n > 0)
        find_or_add(f, pid, PROCESS)->version++;
}

struct span
fdpaths_find(const struct fdpaths *f, uint32_t pid, int32_t fd, bool closed)
{
    const struct fdpath *p = fd >= 0 ? find(f, pid, fd) : NULL;
    bool found = p != NULL && p->path != INTERN_NONE && p->closed == closed &&
                 p->version == version_of(f, pid);
    return found ? intern_text(&f->paths, p->path) : SPAN("");
}

void
fdpaths_free(struct fdpaths *f)
{
    intern_free(&f->keys);
    intern_free(&f->paths);
    free(f->of.at);
    memset(&f->of, 0, sizeof f->of);
}
