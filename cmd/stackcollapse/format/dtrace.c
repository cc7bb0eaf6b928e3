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

struct dtrace {
    struct stacker base;
    struct text keys; /* keys of the current stack: "node, 4242" */
    size_t indent;    /* indent of its frames */
    bool keyed;       /* some stacks are followed by keys */
};

/* Push a frame. With --includeoffset, only the leaf loses its offset. */
static void
push(struct stacker *f, struct span frame)
{
    if (!f->c->options->offsets || f->n == 0)
        frame = counted_without_offset(frame);
    if (span_holds(frame, SPAN(";::"))) {
        counted_push_inlined(f, frame, false);
        return;
    }
    size_t tick = span_find(frame, '`'), module = tick == SPAN_NONE ? 0 : tick + 1;
    text_set(&f->name, frame); /* argument lists are after the module, "app`" */
    f->name.len = module + cxxname_tidy(span_from(frame, module), f->name.ptr + module);
    stacker_push(f, f->name.len > 0 ? text_span(&f->name) : SPAN("-"));
}

/* Return true for output of dtrace that is no stack: messages, the header line, and lines of a
 * probe that fires, " 0 64091 :tick-60s". */
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

/* The minimum indent of frames. Keys other than numbers have an indent of 2. */
enum { KEY_INDENT = 10 };

/* Return true for a line of keys without a count: " node 4242", " 4242". Other lines are frames,
 * some made by a helper that knows a language: "(anon) as read at a.js position 12". */
static bool
is_key(const struct dtrace *d, struct span line)
{
    size_t least = d->base.n > 0 && d->indent < KEY_INDENT ? d->indent : KEY_INDENT;
    struct span text = span_trim(line), number = text;
    span_take_run(&number, is_digit);
    bool numbered = number.len < text.len && (number.len == 0 || is_blank(number.ptr[0]));
    bool frame = span_starts(text, SPAN("0x")) || span_holds(text, SPAN("+0x")) ||
                 span_find(text, '`') != SPAN_NONE;
    return numbered || (span_blanks(line) < least && !frame);
}

/* Remove the number at the end of the line, with the blanks before it. After keys it must follow at
 * least two blanks, unless the frames of the stack are indented more than the line. Keys and a
 * number without a stack may belong to another aggregation, unless other stacks are followed by
 * keys. */
static bool
take_count(const struct dtrace *d, struct span *line, struct span *count)
{
    struct span text = span_trim(*line);
    size_t digits = span_run_before(text, text.len, is_digit);
    size_t end = span_run_before(text, digits, is_space);
    *count = span_from(text, digits);
    if (count->len == 0 || (end == digits && digits > 0))
        return false;
    if (digits > 0 && d->base.n == 0 && !d->keyed)
        return false;
    if (digits > 0 && digits - end < 2 && span_blanks(*line) >= d->indent)
        return false;
    *line = span_head(text, end);
    return true;
}

/* Append the keys in a line to those of the stack. */
static void
add_keys(struct text *keys, struct span line)
{
    const struct span blanks = SPAN("  ");
    while ((line = span_trim(line)).len > 0) {
        size_t end = span_search(line, blanks);
        struct span key = span_head(line, end != SPAN_NONE ? end : line.len);
        TEXT_ADD(keys, keys->len > 0 ? SPAN(", ") : SPAN(""), key);
        line = span_from(line, key.len);
    }
}

/* Emit the stack, with its keys as the root. */
static void
emit(struct dtrace *d, struct span digits)
{
    struct stacker *f = &d->base;
    struct decimal count;
    if (d->keys.len > 0)
        stacker_push(f, text_span(&d->keys));
    if (f->n == 0)
        stacker_add_empty(f, 1);
    if (decimal_parse(digits, &count))
        stacker_emit(f, LEAF_FIRST, count);
    d->keys.len = 0;
}

static bool
is_number(struct span line)
{
    line = span_trim(line);
    return span_run(line, 0, is_digit) == line.len;
}

/* End what precedes a blank line or the end of the text. A number alone was the count of an empty
 * stack. A stack that has begun may continue, since a blank line separates two stacks of one
 * key. */
static void
end_block(struct dtrace *d)
{
    struct span keys = text_span(&d->keys);
    if (d->base.n > 0)
        return;
    if (keys.len > 0 && is_number(keys))
        stacker_add_empty(&d->base, 1);
    d->keys.len = 0;
}

static void
take(struct stacker *f, struct span line)
{
    struct dtrace *d = (struct dtrace *)f;
    struct span keys = line, count;
    bool empty = f->n == 0 && d->keys.len == 0;
    if (is_other(line))
        return;
    if (span_trim(line).len == 0) {
        end_block(d);
    } else if (!(empty && is_number(line)) && take_count(d, &keys, &count)) {
        d->keyed |= keys.len > 0;
        add_keys(&d->keys, keys);
        emit(d, count);
    } else if (is_key(d, line)) {
        if (f->n == 0)
            d->keys.len = 0; /* the last line belonged to another aggregation */
        add_keys(&d->keys, line);
    } else {
        d->indent = f->n == 0 ? span_blanks(line) : d->indent;
        push(f, span_trim(line));
    }
}

static void
finish(struct stacker *f)
{
    struct dtrace *d = (struct dtrace *)f;
    end_block(d);
    counted_finish(f);
    d->keys.len = 0;
}

/* Return true for a frame, "unix`idle+0x114", or for the header line. At the first instruction of a
 * function a frame has no offset: " libsystem_kernel.dylib`mach_msg_trap". Such a line is indented,
 * and has only a module before the backquote; other lines with a backquote, such as those of lldb,
 * have more. */
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

const struct format format_dtrace = {.is = is_dtrace,
                                     .state_size = sizeof(struct dtrace),
                                     .buffers = MEMBERS(struct dtrace, keys),
                                     .take = take,
                                     .finish = finish};
