/* Maps of bpftrace whose keys are stacks, leaf first, each with a value (bpftrace(8), "kstack" and
 * "ustack"). Other keys may precede or follow the stack, and a "," may separate two stacks:
 *
 *     @[
 *         tcp_recvmsg+808
 *         sock_recvmsg+67
 *     ,
 *         __libc_recv+37
 *     , node]: 3
 *     @reads[bash,
 *         vfs_read+142
 *     ]: count 5, average 100, total 500                   stats()
 *     @times[
 *             401135 main+24 (/opt/app)                    the mode "perf"
 *     ]:
 *     [1]                    3 |@@@@@@@             |      hist(), lhist()
 *     [2, 4)                 9 |@@@@@@@@@@@@@@@@@@@@|
 *     @[, swapper/1]: 17
 *
 * and maps whose values are stacks:
 *
 *     @last[4242]:
 *             main+24
 *             _start+37 */
#include "cmd/stackcollapse/shared/counted.h"

struct bpftrace {
    struct stacker base;
    enum { OUTSIDE, KEY, VALUE, HISTOGRAM } part; /* position of take() */
    struct text root;                             /* the key before the stack */
    struct decimal count;                         /* sum of the histogram */
};

static void
emit(struct stacker *f, struct decimal count)
{
    struct bpftrace *b = (struct bpftrace *)f;
    b->part = OUTSIDE;
    if (!stacker_emit(f, LEAF_FIRST, count))
        stacker_add_empty(f, 1);
}

/* Remove the address that the mode "perf" puts before a frame: "401135 ". */
static struct span
without_address(struct span frame)
{
    size_t hex = span_run(frame, 0, is_hex);
    bool digit = false;
    for (size_t i = 0; i < hex; i++)
        digit |= is_digit(frame.ptr[i]);
    bool address = digit && hex < frame.len && frame.ptr[hex] == ' ';
    return address ? span_trim(span_from(frame, hex)) : frame;
}

/* Return the offset of "+24" or "+24@/src/a.c:12" in the frame, or the frame's length if there is
 * none. */
static size_t
offset_at(struct span frame)
{
    size_t plus = span_rfind(frame, '+');
    size_t digits = plus != SPAN_NONE ? span_run(frame, plus + 1, is_digit) : 0;
    size_t end = plus != SPAN_NONE ? plus + 1 + digits : 0;
    bool is_end = end == frame.len || (end < frame.len && frame.ptr[end] == '@');
    return digits > 0 && is_end ? plus : frame.len;
}

/* Return the function in "main+24 (/opt/app)". With --includeoffset, only the leaf loses its
 * offset. A function without a symbol is named by its file. */
static struct span
function(struct stacker *f, struct span line)
{
    struct span frame = without_address(span_trim(line)), file = SPAN("");
    size_t open = span_ends(frame, SPAN(")")) ? span_rsearch(frame, SPAN(" (")) : SPAN_NONE;
    struct span name = span_head(frame, open != SPAN_NONE ? open : frame.len);
    bool address = span_starts(name, SPAN("0x")) && span_run(name, 2, is_hex) == name.len - 2;
    if (open != SPAN_NONE && (address || offset_at(name) < name.len))
        file = span_of(frame.ptr + open + 2, frame.len - open - 3);
    else if (open != SPAN_NONE && !span_starts(name, SPAN("[")))
        name = frame;
    if (address && file.len > 0)
        return span_starts(file, SPAN("["))
                   ? file
                   : stacker_bracket(f, span_from(file, span_rfind(file, '/') + 1));
    bool keeps = f->c->options->offsets && f->n > 0;
    return keeps ? name : span_head(name, offset_at(name));
}

static void
push(struct stacker *f, struct span line)
{
    struct span name = function(f, line);
    if (name.len > 0)
        stacker_push(f, name);
}

/* Return the rest of the line after "@name", or ptr NULL if it does not begin so. */
static struct span
map_rest(struct span line)
{
    bool map = span_skip(&line, SPAN("@"));
    span_take_run(&line, is_word);
    bool follows = span_starts(line, SPAN("[")) || span_eq(span_trim(line), SPAN(":"));
    return map && follows ? line : (struct span){NULL, 0};
}

/* Take the first line of an entry of a map. A stack follows as the key if nothing is after "@[", or
 * if the line ends with a comma; it follows as the value if nothing is after the colon. */
static void
begin(struct stacker *f, struct span line)
{
    struct bpftrace *b = (struct bpftrace *)f;
    struct span key = map_rest(line), text, count;
    bool has_key = span_skip(&key, SPAN("["));
    struct span root = span_trim(key);
    if (has_key && (root.len == 0 || span_ends(root, SPAN(",")))) {
        b->part = KEY;
        text_set(&b->root, span_head(root, root.len > 0 ? root.len - 1 : 0));
    } else if (!has_key || span_ends(root, SPAN("]:"))) {
        b->part = VALUE;
        text_set(&b->root, span_head(root, has_key ? root.len - 2 : 0));
    } else if (span_skip(&key, SPAN(", ")) && counted_split(key, &text, &count)) {
        struct decimal n = ONCE;
        decimal_parse(count, &n);
        stacker_push(f, text); /* an empty stack */
        emit(f, n);
    }
}

/* Take the value at the end of an entry: a number, or the total of stats(). If there is none, a
 * histogram follows. */
static void
take_value(struct stacker *f, struct span value)
{
    struct bpftrace *b = (struct bpftrace *)f;
    const struct span label = SPAN("total ");
    struct decimal n;
    size_t total = span_starts(value, SPAN("count ")) ? span_rsearch(value, label) : SPAN_NONE;
    if (total != SPAN_NONE)
        value = span_from(value, total + label.len);
    struct span number = span_take_run(&value, is_digit);
    if (decimal_parse(number, &n)) {
        emit(f, n);
    } else if (value.len == 0) {
        b->part = HISTOGRAM;
        b->count = (struct decimal){0, 0};
    } else {
        stacker_skip(f, value.ptr[0] == '-' ? "a value that is negative, which is no count"
                                            : "a value that is no number");
        f->n = 0;
        b->part = OUTSIDE;
    }
}

/* Take a line of a stack that is a key. The last line may end with another key: ", node]: 3". */
static void
add(struct stacker *f, struct span line)
{
    struct bpftrace *b = (struct bpftrace *)f;
    struct span text, count;
    bool ends = counted_split(line, &text, &count);
    bool other = !ends && (span_starts(line, SPAN("]")) || span_starts(line, SPAN(","))) &&
                 (text.len = span_rsearch(line, SPAN("]:"))) != SPAN_NONE;
    if (!ends && !other) {
        if (!span_eq(span_trim(line), SPAN(",")))
            push(f, line);
        return;
    }
    struct span value = span_trim(span_from(line, text.len + 2));
    text = span_head(line, text.len);
    span_skip(&text, SPAN(","));
    text = span_from(text, text.len > 0 && is_space(text.ptr[0]));
    if (text.len > 0)
        stacker_push(f, text);
    if (b->root.len > 0)
        stacker_push(f, text_span(&b->root));
    take_value(f, value);
}

/* End the current entry, before the next one or at the end of the text. */
static void
finish(struct stacker *f)
{
    struct bpftrace *b = (struct bpftrace *)f;
    if (b->part == KEY)
        stacker_skip(f, "the stack before this line has no count");
    else if (b->part == HISTOGRAM)
        emit(f, b->count);
    else if (b->part == VALUE && f->n > 0) {
        if (b->root.len > 0)
            stacker_push(f, text_span(&b->root));
        emit(f, ONCE);
    }
    b->part = OUTSIDE;
    f->n = 0;
}

/* Add the count in "[2, 4) 9 |@@@@@ |". */
static void
add_row(struct stacker *f, struct span line)
{
    struct bpftrace *b = (struct bpftrace *)f;
    struct span row = span_trim(span_before(line, '|'));
    struct decimal n;
    size_t digits = span_run_before(row, row.len, is_digit);
    bool is_row = line.len > 0 && span_has(SPAN("[("), line.ptr[0]) && row.len < line.len &&
                  decimal_parse(span_from(row, digits), &n);
    if (is_row)
        b->count = decimal_add(b->count, n);
    else
        finish(f);
}

static void
take(struct stacker *f, struct span line)
{
    const struct bpftrace *b = (const struct bpftrace *)f;
    if (map_rest(line).ptr != NULL) {
        finish(f);
        begin(f, line);
    } else if (b->part == KEY) {
        add(f, line);
    } else if (b->part == VALUE) { /* lines of a stack are indented, those of a histogram are not */
        if (line.len > 0 && is_blank(line.ptr[0]))
            push(f, line);
        else if (line.len > 0 || f->n > 0)
            finish(f);
    } else if (b->part == HISTOGRAM) {
        add_row(f, line);
    }
}

static bool
is_bpftrace(struct span line)
{
    return map_rest(line).ptr != NULL || (span_starts(line, SPAN("Attaching ")) &&
                                          span_search(line, SPAN(" probe")) != SPAN_NONE);
}

const struct format format_bpftrace = {.is = is_bpftrace,
                                       .state_size = sizeof(struct bpftrace),
                                       .buffers = MEMBERS(struct bpftrace, root),
                                       .take = take,
                                       .finish = finish};
