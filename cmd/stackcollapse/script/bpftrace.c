/* Replaces stackcollapse-bpftrace.pl, which supports only maps without a name, and keys after the
 * stack. */
#include "cmd/stackcollapse/shared/counted.h"
#include "cmd/stackcollapse/script/scriptparts.h"

struct bpftrace_script {
    struct stacker base;
    bool open; /* inside a stack */
};

/* Return the text without leading white space, but skip at most `most` bytes. */
static struct span
without_space(struct span text, size_t most)
{
    size_t space = span_run(text, 0, is_space);
    return span_from(text, space < most ? space : most);
}

/* Match /^@\[$/, or for an empty stack /^@\[,\s(.*)\]: (\d+)/. */
static void
begin(struct stacker *f, struct span line)
{
    struct span text, count;
    ((struct bpftrace_script *)f)->open = span_eq(line, SPAN("@["));
    if (!span_skip(&line, SPAN("@[,")) || line.len == 0 || !is_space(line.ptr[0]) ||
        !counted_split(span_from(line, 1), &text, &count))
        return;
    stacker_push(f, text);
    scriptstack_print(f, count);
}

/* Match /^,?\s?(.*)\]: (\d+)/. */
static void
add(struct stacker *f, struct span line)
{
    struct span text, count;
    if (!counted_split(line, &text, &count)) {
        stacker_push_leaf_first(f, without_space(line, line.len));
        return;
    }
    span_skip(&text, SPAN(","));
    text = without_space(text, 1);
    if (text.len > 0)
        stacker_push_leaf_first(f, text);
    stacker_reverse(f, 0);
    scriptstack_print(f, count);
    ((struct bpftrace_script *)f)->open = false;
}

static void
take(struct stacker *f, struct span line)
{
    (((struct bpftrace_script *)f)->open ? add : begin)(f, line);
}

const struct format script_bpftrace = {.state_size = sizeof(struct bpftrace_script), .take = take};
