/* Backtraces that gdb prints with "bt" or "thread apply all bt", one after the other, leaf first
 * (GDB manual, "Backtraces"):
 *
 *     Thread 2 (Thread 0x7f14ce1ff6c0 (LWP 4243) "worker"):
 *     #0  0x00007f14ce2d9745 in clock_nanosleep () from /lib/x86_64-linux-gnu/libc.so.6
 *     #1  work::run (this=0x55e3, n=5) at pool.cc:12
 *     #2  <signal handler called>
 *     #10 0x000055e3c1b4f0a5 in main () */
#include "cmd/stackcollapse/shared/stacker.h"
#include "common/stack/frames/cxxname.h"

/* Remove "#1 " from the line. Return false if it does not begin so. */
static bool
frame_number(struct span *line)
{
    return span_skip(line, SPAN("#")) && span_take_run(line, is_digit).len > 0 &&
           span_take_run(line, is_blank).len > 0;
}

/* Return true for the < in the name of an operator, and for the > of ->: these are not brackets. */
static bool
is_operator(struct span text, size_t i)
{
    bool named = i >= 8 && span_ends(span_head(text, i), SPAN("operator"));
    bool again = i >= 9 && text.ptr[i - 1] == text.ptr[i] &&
                 span_ends(span_head(text, i - 1), SPAN("operator"));
    return named || again || (i > 0 && text.ptr[i - 1] == '-');
}

/* Return the depth of brackets after the character at i. */
static size_t
depth_after(struct span text, size_t i, size_t depth)
{
    char c = text.ptr[i];
    if ((c == '<' || c == '>') && is_operator(text, i))
        return depth;
    return depth + span_has(SPAN("<([{"), c) - (depth > 0 && span_has(SPAN(">)]}"), c));
}

/* Set *name to the function in "name (arguments) at file:line": all before the first " (" that is
 * outside of brackets. */
static bool
function(struct span text, struct span *name)
{
    size_t depth = 0;
    for (size_t i = 0; i + 1 < text.len; i++) {
        if (depth == 0 && i > 0 && text.ptr[i] == ' ' && text.ptr[i + 1] == '(') {
            *name = span_head(text, i);
            return true;
        }
        depth = depth_after(text, i, depth);
    }
    return false;
}

static bool
parse_frame(struct span line, struct span *name)
{
    if (!frame_number(&line) || span_starts(line, SPAN("\""))) /* a thread in a dump of Java's */
        return false;
    if (span_starts(line, SPAN("<")) && span_ends(line, SPAN(">"))) {
        *name = line; /* <signal handler called> */
        return true;
    }
    if (span_skip(&line, SPAN("0x"))) {
        span_take_run(&line, is_hex);
        if (!span_skip(&line, SPAN(" in ")))
            return false;
    }
    return !span_starts(line, SPAN("0x")) && function(line, name);
}

/* Compose the name as perf prints it, in f->name. Without debug information gdb prints the argument
 * list as part of the symbol: "parse(bool) ()". */
static struct span
tidy(struct stacker *f, struct span name)
{
    if (f->c->options->fold.names.tidy == TIDY_NONE)
        return name;
    text_set(&f->name, name);
    f->name.len = cxxname_tidy(name, f->name.ptr);
    return text_span(&f->name);
}

/* Take a line. Between frames gdb also prints messages, variables (bt full) and source lines. */
static void
take(struct stacker *f, struct span line)
{
    struct span name;
    if (parse_frame(line, &name)) {
        if (span_starts(line, SPAN("#0 ")))
            stacker_emit(f, LEAF_FIRST, ONCE);
        stacker_push(f, tidy(f, name));
    } else if (span_starts(line, SPAN("Thread ")) || span_trim(line).len == 0) {
        stacker_emit(f, LEAF_FIRST, ONCE);
    } else if (frame_number(&line)) {
        input_skip(&f->c->input, "not a frame of gdb");
    }
}

static bool
is_frame(struct span line)
{
    struct span name;
    return parse_frame(line, &name);
}

const struct format format_gdb = {
    .is = is_frame, .hash_is_text = true, .take = take, .finish = stacker_finish};
