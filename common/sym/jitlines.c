#include "common/sym/jitlines.h"

struct entry_head {
    uint64_t addr;
    uint32_t line, column;
};

/* Removes the first entry from the text. *file is the file name of the one before it. False if no
 * whole entry is left. */
static bool
take_entry(struct span *text, struct entry_head *head, struct span *file)
{
    if (text->len < sizeof *head)
        return false;
    memcpy(head, text->ptr, sizeof *head);
    struct span name = span_from(*text, sizeof *head);
    size_t nul = span_find(name, '\0');
    if (nul == SPAN_NONE)
        return false;
    *text = span_from(name, nul + 1);
    name.len = nul;
    if (!span_eq(name, SPAN("\xff")))
        *file = name;
    return true;
}

struct jitlines
jitlines_of(struct span bytes, uint64_t count, uint64_t addr)
{
    struct span rest = bytes, file = SPAN("");
    struct entry_head head;
    while (count > 0 && take_entry(&rest, &head, &file))
        count--;
    return (struct jitlines){span_head(bytes, bytes.len - rest.len), addr};
}

uint64_t
jitlines_least(const struct jitlines *t)
{
    uint64_t least = UINT64_MAX;
    struct span rest = t->entries, file = SPAN("");
    struct entry_head head;
    while (take_entry(&rest, &head, &file))
        if (head.addr - t->addr < least)
            least = head.addr - t->addr;
    return least;
}

bool
jitlines_find(const struct jitlines *t, uint64_t offset, uint64_t shift, struct jitline *found)
{
    uint64_t best = UINT64_MAX; /* bytes from the entry to the address */
    struct span rest = t->entries, file = SPAN("");
    struct entry_head head;
    while (take_entry(&rest, &head, &file)) {
        uint64_t at = head.addr - t->addr - shift;
        if (at > offset || offset - at > best)
            continue;
        best = offset - at;
        *found = (struct jitline){file, head.line, head.column};
    }
    return best != UINT64_MAX;
}
