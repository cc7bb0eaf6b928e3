/* stackcollapse-pmc.pl: it prints the last function of each path with its count. */
#include "cmd/stackcollapse/script/scriptstack.h"

/* Text kept: the count of the last line's function. A level that has no name is an empty one. */
static void
print(struct reader *f)
{
    for (size_t n = f->depth; n > 0; n--)
        reader_push(f, intern_text(&f->ids, f->list.at[n - 1]));
    scriptstack_print(f, text_span(f->kept));
}

/* /^( *)[0-9.]+%  \[([0-9]+)\]\s*(\S+)/ */
static void
take(struct reader *f, struct span line)
{
    size_t indent = span_take_run(&line, is_blank).len;
    if (span_take_run(&line, is_number_part).len == 0 || !span_skip(&line, SPAN("%  [")))
        return;
    struct span count = span_take_run(&line, is_digit);
    if (count.len == 0 || !span_skip(&line, SPAN("]")))
        return;
    struct span name = span_take_word(&line);
    if (name.len == 0)
        return;
    if (indent < f->depth)
        print(f);
    f->depth = indent + 1;
    scriptlevels_set(f, indent, name);
    text_set(f->kept, count);
}

const struct format script_pmc = {.take = take, .finish = print};
