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
 * Other keys of the aggregation are on a line before the stack, or after it with the count:
 *
 *       node                                                          4242
 *                   libc.so.1`write+0xa
 *                     7
 *
 *                   libc.so.1`write+0xa
 *       node                                                             7
 *
 * Calls that Java inlined are one frame: "La/B;::run->La/C;::call+0x1a". */
#include "cmd/stackcollapse/shared/counted.h"
#include "common/stack/frames/cxxname.h"

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
push(struct stacker *f, struct span frame)
{
    if (!f->c->options->offsets || f->n == 0)
        frame = counted_without_offset(frame);
    if (span_holds(frame, SPAN(";::"))) {
        counted_push_inlined(f, frame, false);
        return;
    }
    frame = tidy(&f->name, frame);
    stacker_push(f, frame.len > 0 ? frame : SPAN("-"));
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

/* The indent of the frames; that of other keys than numbers is 2. */
enum { KEY_INDENT = 10 };

/* Return true for what can only be a frame: "unix`idle+0x1", "app`main", "0xfffffd7fff2a0d". */
static bool
is_plain_frame(struct span text)
{
    return span_starts(text, SPAN("0x")) || span_holds(text, SPAN("+0x")) ||
           span_find(text, '`') != SPAN_NONE;
}

/* Return true for a line of keys, without a count: "  node     4242", "      4242". Other lines are
 * frames, of a helper that knows a language: "(anon) as read at a.js position 12". */
static bool
is_key(const struct stacker *f, struct span line)
{
    size_t least = f->n > 0 && f->depth < KEY_INDENT ? f->depth : KEY_INDENT;
    struct span text = span_trim(line), number = text;
    span_take_run(&number, is_digit);
    bool numbered = number.len < text.len && (number.len == 0 || is_blank(number.ptr[0]));
    return numbered || (span_blanks(line) < least && !is_plain_frame(text));
}

/* Take the number at the end of the line off it, with the blanks before it. After keys there are at
 * least two blanks, unless the frames of the stack, whose indent is `depth`, are indented more than
 * the line. Keys and a number without a stack may be of another aggregation, unless other stacks
 * have keys after them (`started`). */
static bool
take_count(const struct stacker *f, struct span *line, struct span *count)
{
    struct span text = span_trim(*line);
    size_t digits = span_run_before(text, text.len, is_digit);
    size_t end = span_run_before(text, digits, is_space);
    *count = span_from(text, digits);
    if (count->len == 0 || (end == digits && digits > 0))
        return false;
    if (digits > 0 && f->n == 0 && !f->started)
        return false;
    if (digits > 0 && digits - end < 2 && span_blanks(*line) >= f->depth)
        return false;
    *line = span_head(text, end);
    return true;
}

/* Append the keys of a line to those that the stack has, in kept[0]: "node, 4242". */
static void
add_keys(struct stacker *f, struct span line)
{
    const struct span blanks = SPAN("  ");
    while ((line = span_trim(line)).len > 0) {
        size_t end = span_search(line, blanks);
        struct span key = span_head(line, end != SPAN_NONE ? end : line.len);
        if (f->kept->len > 0)
            text_add(f->kept, SPAN(", "));
        text_add(f->kept, key);
        line = span_from(line, key.len);
    }
}

/* Emit the stack below its keys. */
static void
emit(struct stacker *f, struct span digits)
{
    struct decimal count;
    if (f->kept->len > 0)
        stacker_push(f, text_span(f->kept));
    if (f->n == 0) {
        f->c->samples++;
        f->c->without_frames++;
    }
    if (decimal_parse(digits, &count))
        stacker_emit(f, LEAF_FIRST, count);
    f->kept->len = 0;
}

static bool
is_number(struct span line)
{
    line = span_trim(line);
    return span_run(line, 0, is_digit) == line.len;
}

/* End what is before a blank line or the text's end. A number alone was the count of an empty
 * stack; a stack may go on, since a blank line is between two of one key. */
static void
end_block(struct stacker *f)
{
    struct span keys = text_span(f->kept);
    if (f->n > 0)
        return;
    if (keys.len > 0 && is_number(keys)) {
        f->c->samples++;
        f->c->without_frames++;
    }
    f->kept->len = 0;
}

static void
take(struct stacker *f, struct span line)
{
    struct span keys = line, count;
    bool empty = f->n == 0 && f->kept->len == 0;
    if (is_other(line))
        return;
    if (span_trim(line).len == 0) {
        end_block(f);
    } else if (!(empty && is_number(line)) && take_count(f, &keys, &count)) {
        f->started |= keys.len > 0;
        add_keys(f, keys);
        emit(f, count);
    } else if (is_key(f, line)) {
        if (f->n == 0)
            f->kept->len = 0; /* the line before was a row of another aggregation */
        add_keys(f, line);
    } else {
        f->depth = f->n == 0 ? span_blanks(line) : f->depth;
        push(f, span_trim(line));
    }
}

static void
finish(struct stacker *f)
{
    end_block(f);
    counted_finish(f);
    f->kept->len = 0;
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

const struct format format_dtrace = {.is = is_dtrace, .take = take, .finish = finish};
