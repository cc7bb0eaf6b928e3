/* The samples of a recording of Instruments, exported as XML (xctrace's page in Xcode; tables
 * time-profile and cpu-profile), leaf first. An element with an id is repeated as its name with a
 * ref:
 *
 *     xctrace export --input app.trace --output app.xml \
 *         --xpath '/trace-toc/run[@number="1"]/data/table[@schema="time-profile"]'
 *
 *     <?xml version="1.0"?>
 *     <trace-query-result>
 *     <node xpath='//trace-toc[1]/run[1]/data[1]/table[11]'>
 *     <schema name="time-profile">...</schema>
 *     <row>
 *      <sample-time id="1" fmt="00:00.057.246">57246708</sample-time>
 *      <process id="4" fmt="app (49374)">...</process>
 *      <weight id="9" fmt="1.00 ms">1000000</weight>
 *      <tagged-backtrace id="10"><backtrace id="11">
 *       <frame id="12" name="hot" addr="0x102af5d99"><binary id="13" name="app"/></frame>
 *       <frame id="14" name="main" addr="0x102af5f30"><binary ref="13"/></frame>
 *      </backtrace></tagged-backtrace></row>
 *     <row>...<process ref="4"/><weight ref="9"/><tagged-backtrace ref="10"/></row>
 *
 * The weight of time-profile is nanoseconds; the cycle-weight of cpu-profile is cycles. */
#include <stdlib.h>

#include "cmd/stackcollapse/formats.h"
#include "cmd/stackcollapse/build/reader.h"
#include "cmd/stackcollapse/build/xml.h"

/* The elements that are read; all others are passed over. */
enum element { ROW, TAGGED, BACKTRACE, FRAME, BINARY, PROCESS, WEIGHT, CYCLES, ELEMENTS };

enum { WEIGHT_MAX = 64 }; /* characters of a number */

#define NO_FRAMES UINT32_MAX

/* What an id stands for. */
struct value {
    enum element element;
    uint32_t number; /* in the profile, of a name or of a list: a backtrace's, or NO_FRAMES */
    struct decimal weight;
};

struct row {
    bool bad;         /* it refers to an id that is not there */
    uint32_t process; /* the number of its name, or NO_FRAMES */
    struct decimal weight;
};

/* The stack of the reader is the row's, leaf first; a whole backtrace is only its number there. Its
 * `ids` are those of elements. */
struct state {
    struct reader base;
    struct xml xml;
    VEC(struct value) values; /* by id */
    struct row row;
    struct {
        bool open;
        struct text id; /* empty: it has none */
    } elements[ELEMENTS];
    uint32_t binary; /* of the frame: the number of its name, or NO_FRAMES */
};

/* Texts kept; the name is the frame's. */
enum { ADDRESS, WEIGHT_TEXT, SCRATCH };

static enum element
element_of(const struct xml *x)
{
    static const struct span names[ELEMENTS] = {
        SPAN("row"),    SPAN("tagged-backtrace"), SPAN("backtrace"), SPAN("frame"),
        SPAN("binary"), SPAN("process"),          SPAN("weight"),    SPAN("cycle-weight"),
    };
    size_t i = 0;
    while (i < ELEMENTS && !span_eq(x->name, names[i]))
        i++;
    return (enum element)i;
}

/* Give the row what an element, or one that it refers to, stands for. */
static void
use(struct state *st, struct value value)
{
    struct stackbuild *b = &st->base.stack;
    enum element e = value.element;
    if (e == TAGGED || e == BACKTRACE)
        stackbuild_clear(b);
    bool whole = b->n > 0 && (b->frames[0] & PROFILE_LIST); /* a frame after that is in none */
    if ((e == TAGGED || e == BACKTRACE || e == FRAME) && value.number != NO_FRAMES && !whole)
        stackbuild_push_name(b, value.number);
    else if (e == BINARY)
        st->binary = value.number;
    else if (e == PROCESS)
        st->row.process = value.number;
    else if (e == WEIGHT || e == CYCLES)
        st->row.weight = value.weight;
}

/* Give the row what the element stands for, and keep that under the element's id. */
static void
define(struct state *st, struct value value)
{
    struct span id = text_span(&st->elements[value.element].id);
    use(st, value);
    if (id.len == 0)
        return;
    uint32_t i = intern_add(&st->base.ids, id);
    VEC_REACH(st->values, (size_t)i + 1);
    st->values.at[i] = value;
}

/* Name the process without its number: "app (49374)" is "app", or with --pid "app-49374". */
static uint32_t
process_name(struct state *st, struct span process)
{
    size_t open = span_rfind(process, '(');
    size_t digits = open != SPAN_NONE ? span_run(process, open + 1, is_digit) : 0;
    bool number = open != SPAN_NONE && digits > 0 && open + 1 + digits + 1 == process.len;
    if (!number)
        return stackbuild_name(&st->base.stack, process);
    text_set(&st->base.name, span_trim(span_head(process, open)));
    if (st->base.c->options->fold.names.pid)
        TEXT_ADD(&st->base.name, SPAN("-"), span_of(process.ptr + open + 1, digits));
    return stackbuild_name(&st->base.stack, text_span(&st->base.name));
}

/* Return the frame's name. A function without a symbol, which is called by its address, is "[app]",
 * as of perf. */
static uint32_t
frame_name(struct state *st)
{
    struct span name = text_span(&st->base.name), address = text_span(&st->base.kept[ADDRESS]);
    bool unknown = name.len == 0 || span_eq(name, address);
    if (!unknown || st->binary == NO_FRAMES)
        return stackbuild_name(&st->base.stack, name.len > 0 ? name : SPAN("[unknown]"));
    name = reader_bracket(&st->base, profile_name_text(&st->base.c->profile, st->binary));
    return stackbuild_name(&st->base.stack, name);
}

/* Empty the stack, and return the number in the profile of the list of its frames. */
static uint32_t
take_frames(struct state *st)
{
    struct stackbuild *b = &st->base.stack;
    stackbuild_reverse(b, 0);
    uint32_t list = b->n > 0 ? profile_list(b->profile, b->frames, b->n) : NO_FRAMES;
    stackbuild_clear(b);
    return list;
}

/* Fold the row. Its stack begins with the process's name. */
static void
end_row(struct state *st)
{
    struct collapse *c = st->base.c;
    struct row *row = &st->row;
    if (row->bad) {
        reader_skip(&st->base, "a row that refers to an id that is not there");
        stackbuild_clear(&st->base.stack);
        return;
    }
    c->samples++;
    c->without_frames += st->base.stack.n == 0;
    if (st->base.stack.n == 0)
        return;
    struct stacktree *tree = &c->profile.tree;
    uint32_t stack = STACKTREE_ROOT, frames = take_frames(st);
    if (row->process != NO_FRAMES && !c->options->fold.no_comm)
        stack = stacktree_child(tree, stack, row->process);
    stack = stacktree_child(tree, stack, frames);
    stacktree_count(tree, stack, row->weight);
}

/* Take the end of an element that was no reference. */
static void
end_element(struct state *st, enum element e)
{
    struct value value = {.element = e};
    st->elements[e].open = false;
    if (e == ROW) {
        end_row(st);
    } else if (e == WEIGHT || e == CYCLES) {
        if (!decimal_parse(span_trim(text_span(&st->base.kept[WEIGHT_TEXT])), &value.weight))
            return;
        value.weight = decimal_shift(value.weight, e == WEIGHT ? -3 : 0);
        define(st, value);
    } else if (e != PROCESS && e != BINARY) {
        value.number = e == FRAME ? frame_name(st) : take_frames(st);
        define(st, value);
    }
}

/* Set the text to the attribute's value, or to the empty text. */
static struct span
attribute(struct state *st, struct span name, struct text *value)
{
    xml_attribute(&st->xml, name, value);
    return text_span(value);
}

/* Take the start of an element. */
static void
start_element(struct state *st, enum element e)
{
    struct value value = {.element = e};
    if (xml_attribute(&st->xml, SPAN("ref"), &st->base.kept[SCRATCH])) {
        uint32_t id = intern_find(&st->base.ids, text_span(&st->base.kept[SCRATCH]));
        if (id != INTERN_NONE && st->values.at[id].element == e)
            use(st, st->values.at[id]);
        else
            st->row.bad = true;
        return;
    }
    for (size_t i = 0; i < ELEMENTS && e == ROW; i++)
        st->elements[i].open = false;
    st->elements[e].open = true;
    attribute(st, SPAN("id"), &st->elements[e].id);
    if (e == ROW)
        st->row = (struct row){.process = NO_FRAMES, .weight = READER_ONCE};
    if (e == ROW || e == TAGGED || e == BACKTRACE)
        stackbuild_clear(&st->base.stack);
    if (e == FRAME) {
        attribute(st, SPAN("name"), &st->base.name);
        attribute(st, SPAN("addr"), &st->base.kept[ADDRESS]);
        st->binary = NO_FRAMES;
    }
    if (e == PROCESS || e == BINARY) {
        struct span name =
            attribute(st, e == PROCESS ? SPAN("fmt") : SPAN("name"), &st->base.kept[SCRATCH]);
        value.number =
            e == PROCESS ? process_name(st, name) : stackbuild_name(&st->base.stack, name);
        define(st, value);
    }
    st->base.kept[WEIGHT_TEXT].len = 0;
}

static void
take(struct state *st)
{
    struct xml *x = &st->xml;
    if (x->item == XML_TEXT) {
        if ((st->elements[WEIGHT].open || st->elements[CYCLES].open) &&
            st->base.kept[WEIGHT_TEXT].len < WEIGHT_MAX)
            text_add(&st->base.kept[WEIGHT_TEXT], x->text);
        return;
    }
    enum element e = element_of(x);
    st->base.started |= xml_is(x, SPAN("trace-query-result"));
    if (e == ELEMENTS || (e != ROW && !st->elements[ROW].open))
        return;
    if (x->item != XML_CLOSE)
        start_element(st, e);
    if (x->item != XML_OPEN && st->elements[e].open)
        end_element(st, e);
}

static void
fold(struct reader *f)
{
    struct state *st = (struct state *)f;
    struct collapse *c = f->c;
    xml_start(&st->xml, &c->input.lines);
    while (xml_next(&st->xml) != XML_END && st->xml.item != XML_ERROR)
        take(st);
    if (st->xml.item == XML_ERROR)
        diag_error(c->diag, input_place(&c->input), "%s", st->xml.why);
    else if (!f->started)
        diag_error(c->diag, reader_file(f), "no trace-query-result");
}

static void
end(struct reader *f)
{
    struct state *st = (struct state *)f;
    for (size_t e = 0; e < ELEMENTS; e++)
        free(st->elements[e].id.ptr);
    free(st->values.at);
}

static bool
is_xctrace(struct span line)
{
    return span_search(line, SPAN("<trace-query-result")) != SPAN_NONE;
}

const struct format format_xctrace = {.is = is_xctrace,
                                      .fold = fold,
                                      .per_file = true,
                                      .state_size = sizeof(struct state),
                                      .end = end};
