/* Replaces pkgsplit-perf.pl, which prints each sample as it reads it, and drops idle functions of
 * the kernel. */
#include "cmd/stackcollapse/script/scriptparts.h"

/* Return what follows the event's name: "7fa863349895 Lcom/google/gson/JsonObject;::add
 * (/tmp/...)". A colon and white space, or a newline, end the name. */
static struct span
after_event(struct span line, bool newline)
{
    size_t time = span_find(line, ':');
    for (size_t i = time + 1; i < line.len; i++)
        if (line.ptr[i] == ':' && (i + 1 < line.len ? is_space(line.ptr[i + 1]) : newline))
            return span_from(line, i + 1 + span_run(line, i + 1, is_space));
    return line;
}

/* Return the function after the address and white space, without " (/tmp/perf-4567.map)" at the end
 * of the line. */
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
take(struct stacker *f, struct span line)
{
    struct span comm, pid, tid, task = line;
    span_take_run(&task, is_space);
    if (span_starts(line, SPAN("#")) || span_holds(line, SPAN("xen_hypercall_sched_op")) ||
        span_holds(line, SPAN("cpu_idle")) || span_holds(line, SPAN("native_safe_halt")) ||
        task.len == line.len || !script_task(task, &comm, &pid, &tid))
        return;
    struct span rest = span_from(task, (size_t)(tid.ptr + tid.len - task.ptr));
    if (span_find(rest, ':') == span_rfind(rest, ':')) /* the second colon ends the event's name */
        return;
    text_set(&f->name, comm);
    text_replace(&f->name, ' ', '_');
    stacker_push(f, text_span(&f->name));
    struct span name = parse_name(line, !f->c->input.lines.unterminated);
    span_skip(&name, SPAN("L"));
    text_set(&f->name, name);
    text_replace(&f->name, '/', ';');
    for (const char *digit = "0123456789"; *digit != '\0'; digit++)
        text_replace(&f->name, *digit, 'X');
    stacker_push(f, text_span(&f->name));
    scriptstack_print(f, SPAN("1"));
}

const struct format script_pkgsplit = {.take = take};
