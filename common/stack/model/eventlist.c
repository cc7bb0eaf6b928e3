#include "common/stack/model/eventlist.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>

/* Remove the item before the first comma that is not between slashes from *list, and return it. */
static struct span
take_item(struct span *list)
{
    bool in_slashes = false;
    size_t end = 0;
    for (; end < list->len && (in_slashes || list->ptr[end] != ','); end++)
        in_slashes ^= list->ptr[end] == '/';
    struct span item = span_head(*list, end);
    *list = span_from(*list, end < list->len ? end + 1 : end);
    return item;
}

bool
eventlist_add(struct eventlist *l, struct span list)
{
    bool any = false;
    while (list.len > 0) {
        struct span item = take_item(&list);
        any |= item.len > 0;
        if (span_eq(item, SPAN("all")) || span_eq(item, SPAN("*")))
            l->all = true;
        else if (item.len > 0)
            intern_add(&l->patterns, item);
    }
    return any;
}

/* Compare the event with each item of the list. */
static bool
look_up(const struct eventlist *l, struct span event)
{
    struct arena arena = {0};
    bool found = l->all || intern_find(&l->patterns, event) != INTERN_NONE;
    bool can_match = !span_has(event, '\0'); /* no event name contains a NUL */
    for (uint32_t i = 0; i < l->patterns.count && !found && can_match; i++)
        found = fnmatch(arena_cstr(&arena, intern_text(&l->patterns, i)), arena_cstr(&arena, event),
                        0) == 0;
    arena_free(&arena);
    return found;
}

bool
eventlist_matches(struct eventlist *l, struct span event)
{
    uint32_t known = (uint32_t)l->events.names.count;
    uint32_t number = tally_add(&l->events, event, 1, 0);
    if (number == known) {
        l->matches = mem_grow(l->matches, &l->cap, (size_t)number + 1, sizeof *l->matches);
        l->matches[number] = look_up(l, event);
    }
    return l->matches[number];
}

void
eventlist_explain(const struct eventlist *l, char text[static EVENTLIST_TEXT])
{
    enum { LIST_MAX = 200 };
    char there[TALLY_TEXT];
    struct text list = {0};
    for (uint32_t i = 0; i < l->patterns.count; i++)
        TEXT_ADD(&list, i > 0 ? SPAN(",") : SPAN(""), intern_text(&l->patterns, i));
    tally_describe(&l->events, there);
    snprintf(text, EVENTLIST_TEXT, "no sample of '%.*s%s'; the input has: %s",
             list.len < LIST_MAX ? (int)list.len : LIST_MAX, list.len > 0 ? list.ptr : "",
             list.len > LIST_MAX ? "..." : "", there);
    free(list.ptr);
}
