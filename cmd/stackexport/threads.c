#include "cmd/stackexport/threads.h"

#include "common/base/num.h"

/* Remove an id from the end of *name, with the character before it. Return it, or -1 if there is
 * none. */
static int64_t
take_id(struct span *name, char before)
{
    uint64_t id;
    size_t at = span_rfind(*name, before);
    if (at == SPAN_NONE || !num_u64(span_from(*name, at + 1), &id) || id > INT32_MAX)
        return -1;
    *name = span_head(*name, at);
    return (int64_t)id;
}

uint32_t
threads_add(struct threads *t, const struct profile *names, uint32_t name)
{
    VEC_REACH(t->by_name, (size_t)name + 1);
    if (t->by_name.at[name] == 0) {
        struct span text = profile_name_text(names, name);
        int64_t tid = take_id(&text, '/'), pid = take_id(&text, '-');
        VEC_ADD(t->list, (struct thread){name, pid, tid >= 0 ? tid : pid});
        t->by_name.at[name] = (uint32_t)t->list.n;
    }
    return t->by_name.at[name] - 1;
}
