#include "common/v8/accept.h"

#include <stdlib.h>

enum {
    THREADS = 256, /* workers; a new one replaces the least recently noted one */
    KEPT = 32,     /* ids of a thread, in ascending order */
};

struct accept_thread {
    uint32_t tid, n;
    uint64_t noted; /* when it was noted last */
    struct {
        uint64_t time;
        int32_t id;
    } largest[KEPT];
};

static struct accept_thread *
find(const struct accept *a, uint32_t tid)
{
    for (size_t i = 0; i < a->threads.n; i++)
        if (a->threads.at[i].tid == tid)
            return &a->threads.at[i];
    return NULL;
}

/* Return a slot for a new thread. */
static struct accept_thread *
add(struct accept *a)
{
    struct accept_thread *oldest = NULL;
    if (a->threads.n < THREADS) {
        VEC_ADD(a->threads, (struct accept_thread){0});
        return &a->threads.at[a->threads.n - 1];
    }
    for (size_t i = 0; i < a->threads.n; i++)
        if (oldest == NULL || a->threads.at[i].noted < oldest->noted)
            oldest = &a->threads.at[i];
    return oldest;
}

bool
accept_note(struct accept *a, uint32_t tid, uint64_t time, uint64_t id_word)
{
    int32_t id;
    struct accept_thread *t = find(a, tid);
    if (!heap_smi(id_word, &id))
        return false;
    if (t == NULL) {
        t = add(a);
        *t = (struct accept_thread){.tid = tid};
    }
    t->noted = time;
    if (t->n > 0 && t->largest[t->n - 1].id >= id)
        return false;
    if (t->n == KEPT)
        memmove(t->largest, t->largest + 1, --t->n * sizeof *t->largest);
    t->largest[t->n].time = time;
    t->largest[t->n++].id = id;
    return true;
}

bool
accept_first(const struct accept *a, uint32_t tid, uint64_t time, uint64_t now, uint64_t id_word)
{
    int32_t id;
    const struct accept_thread *t = find(a, tid);
    if (!heap_smi(id_word, &id))
        return false;
    if (now <= time || now - time <= ACCEPT_WITHIN)
        return true;
    for (uint32_t i = t != NULL ? t->n : 0; i-- > 0;)
        if (t->largest[i].time < time)
            return id <= t->largest[i].id;
    return false;
}

size_t
accept_size(const struct accept *a)
{
    return a->threads.cap * sizeof *a->threads.at;
}

void
accept_free(struct accept *a)
{
    free(a->threads.at);
    *a = (struct accept){0};
}
