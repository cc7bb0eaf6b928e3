#include "common/sym/content.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define CHANGED "was changed while it was read"

static void
close_descriptor(struct content *c)
{
    if (c->path == NULL || c->file.fd < 0)
        return;
    regular_close(&c->file);
    if (c->pool != NULL)
        c->pool->open[c->slot] = NULL;
}

/* Close all files of the pool. Return false if none was open. */
static bool
close_all(struct contentpool *pool)
{
    bool any = false;
    for (size_t i = 0; pool != NULL && i < CONTENTPOOL_MAX; i++)
        if (pool->open[i] != NULL) {
            close_descriptor(pool->open[i]);
            any = true;
        }
    return any;
}

/* Record an open file in its pool. */
static void
hold(struct content *c)
{
    if (c->pool == NULL)
        return;
    c->slot = c->pool->next++ % CONTENTPOOL_MAX;
    if (c->pool->open[c->slot] != NULL)
        close_descriptor(c->pool->open[c->slot]);
    c->pool->open[c->slot] = c;
}

static const char *
open_descriptor(struct content *c)
{
    const struct regular rules = {.root = c->root, .namer = c->named ? &c->namer : NULL};
    const char *problem = regular_open(&c->file, c->path, &rules);
    if (problem != NULL && errno == EMFILE && close_all(c->pool))
        problem = regular_open(&c->file, c->path, &rules);
    if (problem == NULL)
        hold(c);
    return problem;
}

static struct content_id
id_of(const struct stat *st)
{
    return (struct content_id){(uint64_t)st->st_dev, (uint64_t)st->st_ino, (uint64_t)st->st_size,
                               (int64_t)st->st_mtim.tv_sec, (int64_t)st->st_mtim.tv_nsec};
}

/* Open the file. Its path and rules are set. */
static const char *
open_first(struct content *c)
{
    const char *problem = open_descriptor(c);
    if (problem != NULL)
        return problem;
    c->id = id_of(&c->file.st);
    c->owner = c->file.st.st_uid;
    c->size = c->id.size;
    if (c->size == 0)
        problem = "is empty";
    if (problem != NULL)
        close_descriptor(c);
    return problem;
}

const char *
content_open(struct content *c, const char *root, const char *path, struct contentpool *pool)
{
    *c = (struct content){.path = path, .root = root, .pool = pool};
    return open_first(c);
}

const char *
content_open_named(struct content *c, const struct content *by, const char *root, const char *path,
                   struct contentpool *pool)
{
    *c = (struct content){.path = path,
                          .root = root,
                          .pool = pool,
                          .namer = by->owner,
                          .named = by->owner != 0 && by->owner != geteuid()};
    return open_first(c);
}

bool
content_has_neighbours(const struct content *c)
{
    return c->path != NULL && !span_starts(span_cstr(c->path), SPAN("/proc/self/fd/"));
}

bool
content_is_trusted(const struct content *c)
{
    return content_has_neighbours(c) && (c->owner == 0 || c->owner == geteuid());
}

struct content
content_of(struct span bytes)
{
    return (struct content){.size = bytes.len, .memory = bytes, .file.fd = -1};
}

/* Read n bytes from the file. Return what is wrong, or NULL. */
static const char *
read_file(struct content *c, uint64_t offset, char *to, size_t n)
{
    struct stat now = c->file.st;
    while (n > 0) {
        ssize_t got = regular_read(&c->file, offset, to, n, &now);
        if (got <= 0)
            return got < 0 ? regular_error(errno) : CHANGED;
        to += got;
        n -= (size_t)got;
        offset += (uint64_t)got;
    }
    const struct content_id id = id_of(&now);
    return memcmp(&id, &c->id, sizeof id) == 0 ? NULL : CHANGED;
}

bool
content_read(struct content *c, uint64_t offset, void *to, size_t n)
{
    if (c->problem != NULL || offset > c->size || n > c->size - offset)
        return false;
    if (c->path == NULL) {
        memcpy(to, c->memory.ptr + offset, n);
        return true;
    }
    if (c->file.fd < 0)
        c->problem = open_descriptor(c);
    if (c->problem == NULL)
        c->problem = read_file(c, offset, to, n);
    if (c->problem != NULL)
        close_descriptor(c);
    return c->problem == NULL;
}

void
content_close(struct content *c)
{
    close_descriptor(c);
}

/* Views */

struct view
view_of(struct span bytes)
{
    return (struct view){.size = bytes.len, .buffered = bytes};
}

struct view
view_over(struct content *c, uint64_t start, uint64_t size, size_t block)
{
    if (start > c->size || size > c->size - start)
        return (struct view){0};
    if (c->path == NULL)
        return view_of(span_of(c->memory.ptr + start, (size_t)size));
    return (struct view){.content = c, .start = start, .size = size, .block = block};
}

/* Fill the buffer from an offset with at least n bytes; fill it with all of a small view. */
static bool
fill(struct view *v, uint64_t offset, size_t n)
{
    bool all = v->size <= VIEW_TABLE && v->cap == 0;
    uint64_t at = all ? 0 : offset, left = v->size - at;
    size_t want = all ? VIEW_TABLE : n > v->block ? n : v->block;
    want = want < left ? want : (size_t)left;
    v->buffer = mem_grow(v->buffer, &v->cap, want, 1);
    v->buffered = SPAN("");
    if (!content_read(v->content, v->start + at, v->buffer, want))
        return false;
    v->at = at;
    v->buffered = span_of(v->buffer, want);
    return true;
}

struct span
view_unbuffered(struct view *v, uint64_t offset, size_t n)
{
    if (offset >= v->size)
        return SPAN("");
    uint64_t left = v->size - offset;
    n = n < left ? n : (size_t)left;
    bool buffered = offset >= v->at && offset - v->at + n <= v->buffered.len;
    if (!buffered && (v->content == NULL || !fill(v, offset, n)))
        return SPAN("");
    return span_from(v->buffered, (size_t)(offset - v->at));
}

struct span
view_string(struct view *v, uint64_t offset)
{
    enum { SHORT = 128 }; /* most names are shorter */
    struct span s = view_at(v, offset, SHORT);
    size_t nul = span_find(span_head(s, s.len < SHORT ? s.len : SHORT), '\0');
    if (nul == SPAN_NONE) {
        s = view_at(v, offset, VIEW_STRING_MAX);
        s = span_head(s, s.len < VIEW_STRING_MAX ? s.len : VIEW_STRING_MAX);
        nul = span_find(s, '\0');
    }
    return nul == SPAN_NONE ? s : span_head(s, nul);
}

void
view_free(struct view *v)
{
    free(v->buffer);
    *v = (struct view){0};
}
