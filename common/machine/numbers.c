/* Samples: "0-1" (/sys/devices/system/cpu/online), "4242,4243" (pgrep -d, node). */
#include "common/machine/numbers.h"

#include <stdio.h>
#include <unistd.h>

#include "common/base/mem.h"
#include "common/base/num.h"

void
numbers_add(struct numbers *n, int32_t number)
{
    MEM_ADD(n->at, n->count, n->cap, number);
}

bool
numbers_has(const struct numbers *n, int32_t number)
{
    for (size_t i = 0; i < n->count; i++)
        if (n->at[i] == number)
            return true;
    return false;
}

static bool
add_range(struct numbers *n, struct span first, struct span last)
{
    enum { RANGE_MAX = 65536 };
    uint64_t from, to;
    if (!num_u64(first, &from) || !num_u64(last, &to) || to > INT32_MAX || from > to ||
        to - from >= RANGE_MAX)
        return false;
    for (uint64_t i = from; i <= to; i++)
        if (!numbers_has(n, (int32_t)i))
            numbers_add(n, (int32_t)i);
    return true;
}

static bool
is_separator(char c)
{
    return c == ',' || is_space(c);
}

static bool
is_of_item(char c)
{
    return !is_separator(c);
}

bool
numbers_parse(struct numbers *n, struct span text, bool ranges)
{
    for (text = span_trim(text); text.len > 0;) {
        struct span item = span_head(text, span_run(text, 0, is_of_item));
        size_t dash = ranges ? span_find(item, '-') : SPAN_NONE;
        bool single = dash == SPAN_NONE;
        if (!add_range(n, single ? item : span_head(item, dash),
                       single ? item : span_from(item, dash + 1)))
            return false;
        text = span_from(text, item.len);
        text = span_from(text, span_run(text, 0, is_separator));
    }
    return n->count > 0;
}

void
numbers_online_cpus(struct numbers *n)
{
    char text[4096];
    FILE *file = fopen("/sys/devices/system/cpu/online", "r");
    size_t len = file != NULL ? fread(text, 1, sizeof text, file) : 0;
    if (file != NULL)
        fclose(file);
    if (numbers_parse(n, span_trim(span_of(text, len)), true))
        return;
    n->count = 0; /* without sysfs, they are numbered from 0, if none was removed */
    for (int32_t i = 0; i < sysconf(_SC_NPROCESSORS_ONLN); i++)
        numbers_add(n, i);
}
