/* pkgsplit-perf.pl: it prints each sample as it reads it, and drops the kernel's idle functions. */
#include "cmd/stackcollapse/script/scriptstack.h"

static bool
is_slash(char c)
{
    return c == '/';
}

/* "java  4567/8603  [023] 13527.389886: cycles: ...": sets *comm if process and thread follow it,
 * and after them two colons. It is the shortest text for which that is so, of two bytes
 * or more. */
static bool
parse_comm(struct span line, struct span *comm)
{
    size_t start = span_run(line, 0, is_space);
    for (size_t end = start + 2; end < line.len; end++) {
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

/* Return what follows the event's name: "7fa863349895 Lcom/google/gson/JsonObject;::add (/tmp/...)". A
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

/* Return the function: what follows the address and white space, without " (/tmp/perf-4567.map)" at
 * the line's end. */
static struct span
parse_name(struct span line, bool newline)
{
    struct span text = after_event(line, newline);
    size_t open = span_search(text, SPAN(" ("));
    if (open != SPAN_NONE && span_ends(span_from(text, open + 2), SPAN(")")))
        text = span_head(text, open);
    span_take_word(&text);
    span_take_run(&text, is_space);
    return text;
}

static void
take(struct reader *f, struct span line)
{
    struct span comm;
    if (span_starts(line, SPAN("#")) || span_holds(line, SPAN("xen_hypercall_sched_op")) ||
        span_holds(line, SPAN("cpu_idle")) || span_holds(line, SPAN("native_safe_halt")) ||
        span_run(line, 0, is_space) == 0 || !parse_comm(line, &comm))
        return;
    text_set(&f->name, comm);
    text_replace(&f->name, ' ', '_');
    reader_push(f, text_span(&f->name));
    struct span name = parse_name(line, !f->c->input.lines.unterminated);
    span_skip(&name, SPAN("L"));
    text_set(&f->name, name);
    text_replace(&f->name, '/', ';');
    for (const char *digit = "0123456789"; *digit != '\0'; digit++)
        text_replace(&f->name, *digit, 'X');
    reader_push(f, text_span(&f->name));
    scriptstack_print(f, SPAN("1"));
}

const struct format script_pkgsplit = {.take = take};
