/* Stacks that DTrace aggregates, leaf first, each with its count on a line of its own (the chapter
 * "Aggregations" of the Dynamic Tracing Guide):
 *
 *     CPU     ID                    FUNCTION:NAME
 *       0  64091                        :tick-60s
 *
 *                   unix`i86_mwait+0xd
 *                   unix`cpu_idle_mwait+0xf1
 *                   unix`thread_start+0x8
 *                  1641
 *
 * Calls that Java inlined are one frame: "La/B;::run->La/C;::call+0x1a". */
#include "cmd/stackcollapse/build/counted.h"
#include "common/stack/cxxname.h"

/* Return the name without the argument lists after the module, "app`"; in *text. */
static struct span
tidy(struct text *text, struct span name)
{
    size_t tick = span_find(name, '`'), module = tick == SPAN_NONE ? 0 : tick + 1;
    text_set(text, name);
    text->len = module + cxxname_tidy(span_from(name, module), text->ptr + module);
    return text_span(text);
}

/* With --includeoffset the leaf alone loses its offset. */
static void
push(struct reader *f, struct span frame)
{
    if (!f->c->options->offsets || f->stack.n == 0)
        frame = counted_without_offset(frame);
    if (span_holds(frame, SPAN(";::"))) {
        counted_push_inlined(f, frame, false);
        return;
    }
    frame = tidy(&f->name, frame);
    stackbuild_push(&f->stack, frame.len > 0 ? frame : SPAN("-"));
}

/* Return true for what dtrace prints that is no stack: its messages, the header line, and the lines
 * of a probe that fires, "  0  64091    :tick-60s". */
static bool
is_other(struct span line)
{
    line = span_trim(line);
    if (span_starts(line, SPAN("dtrace: ")) ||
        (span_starts(line, SPAN("CPU ")) && span_ends(line, SPAN("FUNCTION:NAME"))))
        return true;
    bool cpu = span_take_run(&line, is_digit).len > 0;
    span_take_run(&line, is_space);
    return cpu && span_take_run(&line, is_digit).len > 0 && span_starts(line, SPAN(" ")) &&
           span_has(line, ':');
}

static void
take(struct reader *f, struct span line)
{
    if (!is_other(line) && !counted_end(f, line))
        push(f, span_trim(line));
}

/* A frame, "unix`idle+0x114", or the header line. The first instruction of a function has no
 * offset: "   libsystem_kernel.dylib`mach_msg_trap". Such a line is indented and has only a module
 * before the backquote; other lines with a backquote, such as those of lldb, have more. */
static bool
is_dtrace(struct span line)
{
    struct span text = span_trim(line), rest = text;
    size_t tick = span_find(text, '`'), plus = span_rfind(text, '+');
    bool offset = plus != SPAN_NONE && span_starts(span_from(text, plus), SPAN("+0x")) &&
                  plus + 3 + span_run(text, plus + 3, is_hex) == text.len;
    bool alone = line.len > 0 && is_space(line.ptr[0]) && tick + 1 < text.len &&
                 span_take_word(&rest).len > tick + 1;
    return (span_starts(text, SPAN("CPU ")) && span_ends(text, SPAN("FUNCTION:NAME"))) ||
           (tick != SPAN_NONE && tick > 0 && (offset || alone));
}

const struct format format_dtrace = {.is = is_dtrace, .take = take, .finish = counted_finish};
