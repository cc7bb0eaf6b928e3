/* The text of perf script without stacks, recorded without -g: each line is a sample with its
 * function (tools/perf/builtin-script.c in the Linux source). Of Java, the package's parts become
 * frames, so that the picture shows packages in place of callers:
 *
 *     java  4567/8603  [023] 13527.389886: cycles:  7fa863349895 Lcom/google/gson/JsonObject;::add
 * (/tmp/perf-4567.map)
 *
 *     java;com;google;gson;JsonObject;::add 1 */
#include "cmd/stackcollapse/build/lineformat.h"

#include <stdlib.h>

struct state {
    struct lineformat base;
    struct text comm;
};

static bool
is_slash(char c)
{
    return c == '/';
}

/* "java  4567/8603  [023] 13527.389886: cycles: ...": sets *comm if process and thread follow it,
 * and after them two colons. It is the shortest text for which that is so, of `least` bytes or
 * more. */
static bool
parse_comm(struct span line, size_t least, struct span *comm)
{
    size_t start = span_run(line, 0, is_space);
    for (size_t end = start + least; end < line.len; end++) {
        size_t pid = end + span_run(line, end, is_space);
        if (pid == end)
            continue;
        size_t slash = pid + span_run(line, pid, is_digit);
        size_t tid = slash + span_run(line, slash, is_slash);
        size_t after = tid + span_run(line, tid, is_digit);
        struct span rest = span_from(line, after);
        if (slash == pid || rest.len == 0 || !is_space(rest.ptr[0])) {
            end = pid; /* the rest of the white space leads to the same */
            continue;
        }
        *comm = span_of(line.ptr + start, end - start);
        return span_find(rest, ':') != span_rfind(rest, ':');
    }
    return false;
}

/* What follows the event's name: "7fa863349895 Lcom/google/gson/JsonObject;::add (/tmp/...)". A
 * colon and white space end the name; a newline is white space, too. */
static struct span
after_event(struct span line, bool newline)
{
    size_t time = span_find(line, ':');
    for (size_t i = time + 1; i < line.len; i++)
        if (line.ptr[i] == ':' && (i + 1 < line.len ? is_space(line.ptr[i + 1]) : newline))
            return span_from(line, i + 1 + span_run(line, i + 1, is_space));
    return line;
}

/* Removes " (/tmp/perf-4567.map)" from the line's end. */
static struct span
without_dso(struct span text)
{
    size_t open = span_search(text, SPAN(" ("));
    bool closed = open != SPAN_NONE && span_ends(span_from(text, open + 2), SPAN(")"));
    return closed ? span_head(text, open) : text;
}

/* Removes "+0x27" from the name's end. */
static struct span
without_offset(struct span name)
{
    size_t hex = name.len;
    while (hex > 0 && is_hex(name.ptr[hex - 1]))
        hex--;
    bool has = hex < name.len && span_ends(span_head(name, hex), SPAN("+0x"));
    return has ? span_head(name, hex - 3) : name;
}

/* The function: what follows the address and white space. */
static struct span
parse_name(struct span line, bool newline)
{
    struct span text = without_dso(after_event(line, newline));
    text = span_from(text, span_run(text, 0, is_space));
    while (text.len > 0 && !is_space(text.ptr[0]))
        text = span_from(text, 1);
    return span_from(text, span_run(text, 0, is_space));
}

/* "java.util.TreeMap.compare" of "int java.util.TreeMap.compare(java.lang.Object, ...)", as jcmd
 * writes methods; else an empty text. */
static struct span
java_method(struct span name)
{
    size_t paren = span_find(name, '(');
    if (paren == SPAN_NONE || !span_ends(name, SPAN(")")))
        return SPAN("");
    struct span head = span_head(name, paren);
    size_t blank = span_rfind(head, ' ');
    struct span method = span_from(head, blank != SPAN_NONE ? blank + 1 : paren);
    bool cxx = span_search(method, SPAN("::")) != SPAN_NONE;
    return span_find(method, '.') != SPAN_NONE && !cxx ? method : SPAN("");
}

/* Sets f->name to "com;google;gson;JsonObject;::add", for perf-map-agent's name of the method,
 * "Lcom/google/gson/JsonObject;::add", or jcmd's. Digits become X, since Java numbers the classes
 * that it makes while it runs. */
static void
split_name(struct lineformat *f, struct span name)
{
    struct span method = f->script ? SPAN("") : java_method(name);
    bool dots = method.len > 0, of_agent = f->script || span_search(name, SPAN(";::")) != SPAN_NONE;
    f->name.len = 0;
    if (!dots && of_agent && span_starts(name, SPAN("L")))
        name = span_from(name, 1);
    text_add(&f->name, dots ? method : name);
    for (size_t i = 0; i < f->name.len; i++) {
        char *c = &f->name.ptr[i];
        if (is_digit(*c))
            *c = 'X';
        else if (*c == '/' || (dots && *c == '.'))
            *c = ';';
    }
}

static void
add_stack(struct state *st, struct span comm, struct span name)
{
    struct lineformat *f = &st->base;
    st->comm.len = 0;
    text_add(&st->comm, comm);
    for (size_t i = 0; i < st->comm.len; i++)
        if (st->comm.ptr[i] == ' ')
            st->comm.ptr[i] = '_';
    lineformat_push(f, text_span(&st->comm));
    split_name(f, name);
    stackbuild_push_folded(&f->stack, text_span(&f->name));
}

/* The script prints each sample as it reads it, and drops the kernel's idle functions. */
static void
script_take(struct state *st, struct span line)
{
    struct span comm;
    if (span_search(line, SPAN("xen_hypercall_sched_op")) != SPAN_NONE ||
        span_search(line, SPAN("cpu_idle")) != SPAN_NONE ||
        span_search(line, SPAN("native_safe_halt")) != SPAN_NONE)
        return;
    if (span_run(line, 0, is_space) == 0 || !parse_comm(line, 2, &comm))
        return;
    add_stack(st, comm, parse_name(line, !st->base.c->input.lines.unterminated));
    lineformat_print(&st->base, SPAN("1"));
}

static void
own_take(struct state *st, struct span line)
{
    struct span comm, name = SPAN("");
    if (parse_comm(line, 1, &comm))
        name = without_offset(parse_name(line, true));
    if (name.len == 0) {
        input_skip(&st->base.c->input, "not a sample with its function: record without -g");
        return;
    }
    add_stack(st, comm, name);
    lineformat_emit(&st->base, LINEFORMAT_ONCE);
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    if (span_starts(line, SPAN("#")))
        return;
    if (st->base.script)
        script_take(st, line);
    else if (span_trim(line).len > 0)
        own_take(st, span_trim(line));
}

static void
end(void *state)
{
    struct state *st = state;
    free(st->comm.ptr);
}

/* It looks as perf script text does: only --from and the script's name ask for it. */
const struct format format_pkgsplit = {
    .state_size = sizeof(struct state),
    .take = take,
    .end = end,
};
