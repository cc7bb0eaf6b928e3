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
#include "cmd/stackcollapse/shared/stacker.h"
#include "common/base/num.h"
#include "common/base/utf8.h"

enum xml_item {
    XML_END, /* end of the text */
    XML_ERROR,
    XML_OPEN,  /* <name attribute="value"> */
    XML_EMPTY, /* <name attribute="value"/> */
    XML_CLOSE, /* </name> */
    XML_TEXT,  /* between two tags, or a part of that */
};

/* A reader of the part of XML 1.0 that the exports need. It buffers at most the longest tag, up to
 * a megabyte. It skips text in <![CDATA[...]]> as it skips comments, and does not compare the names
 * of start and end tags. */
struct xml {
    struct lines *lines;
    enum xml_item item; /* the last item read */
    /* Valid until the next item is read: */
    struct span name;       /* name of a tag */
    struct span attributes; /* attributes of a tag, as written */
    struct span text;       /* of XML_TEXT, as written */
    const char *why;        /* error message of XML_ERROR */
    size_t depth;           /* number of open elements */
};

/* Maximum size of a tag; a longer one is an error, so that memory is bounded. */
enum { TAG_MAX = 1024 * 1024 };

/* Read until more than n bytes are buffered. Return false if the text ends before that. */
static bool
has(struct xml *x, size_t n)
{
    return lines_buffered(x->lines).len > n || lines_ahead(x->lines, n + 1).len > n;
}

/* Return true if the rest begins with the text. */
static bool
starts(struct xml *x, struct span text)
{
    return has(x, text.len - 1) && span_starts(lines_buffered(x->lines), text);
}

/* Consume and return n bytes. */
static struct span
consume(struct xml *x, size_t n)
{
    struct span s = span_head(lines_buffered(x->lines), n), rest = s;
    size_t newlines = 0;
    for (size_t at; (at = span_find(rest, '\n')) != SPAN_NONE; newlines++)
        rest = span_from(rest, at + 1);
    lines_skip(x->lines, n, newlines);
    return s;
}

static enum xml_item
fail(struct xml *x, const char *why)
{
    x->why = why;
    return x->item = XML_ERROR;
}

/* Skip all up to the first occurrence of `end`, and that too. */
static bool
skip_to(struct xml *x, struct span end)
{
    while (has(x, end.len - 1)) {
        struct span text = lines_buffered(x->lines);
        size_t at = span_search(text, end);
        if (at != SPAN_NONE) {
            consume(x, at + end.len);
            return true;
        }
        consume(x, text.len - (end.len - 1)); /* `end` may begin in what remains */
    }
    return false;
}

/* Return the length of the tag that begins here, up to its ">" outside of quotation marks; 0 if it
 * has no end. */
static size_t
tag_length(struct xml *x)
{
    char quote = 0;
    for (size_t at = 1; at < TAG_MAX && has(x, at);)
        for (struct span text = lines_buffered(x->lines); at < text.len; at++) {
            char c = text.ptr[at];
            if (quote != 0)
                quote = c == quote ? 0 : quote;
            else if (c == '>')
                return at + 1;
            else if (c == '"' || c == '\'')
                quote = c;
        }
    return 0;
}

static enum xml_item
read_tag(struct xml *x)
{
    size_t len = tag_length(x), end = 0;
    if (len == 0)
        return fail(x, has(x, TAG_MAX)
                           ? "a tag of a megabyte and more: its quotation marks do not pair"
                           : "the XML text ends in a tag");
    struct span tag = consume(x, len);
    bool close = tag.ptr[1] == '/', empty = !close && tag.len > 3 && tag.ptr[len - 2] == '/';
    tag = span_of(tag.ptr + 1 + close, len - 2 - close - empty);
    while (end < tag.len && !is_space(tag.ptr[end]))
        end++;
    x->name = span_head(tag, end);
    x->attributes = span_from(tag, end);
    if (close && x->depth == 0)
        return fail(x, "an end tag without its start");
    x->depth = close ? x->depth - 1 : x->depth + !empty;
    return x->item = close ? XML_CLOSE : empty ? XML_EMPTY : XML_OPEN;
}

/* Read the next item. Skip comments, declarations and processing instructions. */
static enum xml_item
next_item(struct xml *x)
{
    static const struct {
        struct span start, end;
    } skipped[] = {
        {SPAN("<!--"), SPAN("-->")},
        {SPAN("<![CDATA["), SPAN("]]>")},
        {SPAN("<?"), SPAN("?>")},
        {SPAN("<!"), SPAN(">")},
    };
    while (starts(x, SPAN("<"))) {
        size_t i = 0;
        while (i < sizeof skipped / sizeof *skipped && !starts(x, skipped[i].start))
            i++;
        if (i == sizeof skipped / sizeof *skipped)
            return read_tag(x);
        if (!skip_to(x, skipped[i].end))
            return fail(x, "the XML text ends in a comment or declaration");
    }
    if (!has(x, 0))
        return x->depth > 0 ? fail(x, "the XML text ends too early") : (x->item = XML_END);
    x->text = consume(x, span_before(lines_buffered(x->lines), '<').len);
    return x->item = XML_TEXT;
}

/* Return the character of "&name;"; UTF8_BAD if there is none. */
static uint32_t
entity(struct span name)
{
    static const struct {
        struct span name;
        char is;
    } known[] = {
        {SPAN("amp"), '&'},  {SPAN("lt"), '<'},    {SPAN("gt"), '>'},
        {SPAN("quot"), '"'}, {SPAN("apos"), '\''},
    };
    uint64_t c;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (span_eq(name, known[i].name))
            return (unsigned char)known[i].is;
    bool hex = span_starts(name, SPAN("#x")), number = span_starts(name, SPAN("#"));
    bool good = hex ? num_hex(span_from(name, 2), &c) : number && num_u64(span_from(name, 1), &c);
    return good && c < 0x110000 && (c < 0xd800 || c > 0xdfff) ? (uint32_t)c : UTF8_BAD;
}

static void
decode(struct span raw, struct text *to)
{
    enum { LONGEST = 16 }; /* "#x10ffff;", with some leading zeros */
    char utf8[4];
    for (size_t amp; (amp = span_find(raw, '&')) != SPAN_NONE;) {
        text_add(to, span_head(raw, amp));
        raw = span_from(raw, amp + 1);
        size_t end = span_find(span_head(raw, raw.len < LONGEST ? raw.len : LONGEST), ';');
        uint32_t c = end != SPAN_NONE ? entity(span_head(raw, end)) : UTF8_BAD;
        if (c == UTF8_BAD) {
            text_add(to, SPAN("&"));
            continue;
        }
        text_add(to, span_of(utf8, utf8_encode(utf8, c)));
        raw = span_from(raw, end + 1);
    }
    text_add(to, raw);
}

/* Set *value to the value of an attribute of the last tag, with entities and character references
 * decoded. Return false, with *value empty, if there is no such attribute. */
static bool
find_attribute(const struct xml *x, struct span name, struct text *value)
{
    struct span rest = x->attributes;
    text_set(value, SPAN(""));
    for (size_t equals; (equals = span_find(rest, '=')) != SPAN_NONE;) {
        struct span key = span_trim(span_head(rest, equals));
        rest = span_from(rest, equals + 1);
        rest = span_from(rest, span_run(rest, 0, is_space));
        size_t end = rest.len > 1 ? span_find(span_from(rest, 1), rest.ptr[0]) : SPAN_NONE;
        if (end == SPAN_NONE)
            return false;
        if (span_eq(key, name)) {
            decode(span_of(rest.ptr + 1, end), value);
            return true;
        }
        rest = span_from(rest, end + 2);
    }
    return false;
}

/* The elements that are read. All others are skipped. */
enum element { OTHER, ROW, TAGGED, BACKTRACE, FRAME, BINARY, PROCESS, WEIGHT, CYCLES, ELEMENTS };

enum { WEIGHT_MAX = 64 }; /* characters of a number */

#define NO_FRAMES UINT32_MAX

/* The value of an element that has an id. */
struct xctrace_value {
    enum element element; /* OTHER: the element has not ended yet */
    uint32_t number;      /* in the profile: of a name, or of a backtrace's list; or NO_FRAMES */
    struct decimal weight;
};

struct xctrace_row {
    bool bad;         /* it refers to an id that does not exist */
    uint32_t process; /* number of the process's name, or NO_FRAMES */
    struct decimal weight;
};

struct xctrace {
    struct stacker
        base;    /* its stack is the row's, leaf first; a whole backtrace is one number there */
    bool result; /* the element trace-query-result was read */
    struct text address, weight, scratch; /* address of the frame, whose name is base.name */
    struct intern ids;                    /* of elements */
    struct xml xml;
    VEC(struct xctrace_value) values; /* for each id */
    struct xctrace_row row;
    struct {
        bool open;
        uint32_t id; /* number of its id; INTERN_NONE: none */
    } elements[ELEMENTS];
    uint32_t binary; /* of the frame: number of the binary's name, or NO_FRAMES */
};

static enum element
element_of(const struct xml *x)
{
    static const struct span names[ELEMENTS] = {
        SPAN(""),          SPAN("row"),    SPAN("tagged-backtrace"),
        SPAN("backtrace"), SPAN("frame"),  SPAN("binary"),
        SPAN("process"),   SPAN("weight"), SPAN("cycle-weight"),
    };
    size_t i = ELEMENTS - 1;
    while (i > OTHER && !span_eq(x->name, names[i]))
        i--;
    return (enum element)i;
}

/* Use the value of an element, or of one that it refers to, for the row. */
static void
use(struct xctrace *st, struct xctrace_value value)
{
    struct stacker *b = &st->base;
    enum element e = value.element;
    if (e == TAGGED || e == BACKTRACE)
        b->n = 0;
    bool whole = b->n > 0 && (b->frames[0] & PROFILE_LIST); /* a frame after that is in none */
    if ((e == TAGGED || e == BACKTRACE || e == FRAME) && value.number != NO_FRAMES && !whole)
        stacker_push_name(b, value.number);
    else if (e == BINARY)
        st->binary = value.number;
    else if (e == PROCESS)
        st->row.process = value.number;
    else if (e == WEIGHT || e == CYCLES)
        st->row.weight = value.weight;
}

/* Use the value of an element for the row, and keep it for references to the element's id. */
static void
define(struct xctrace *st, struct xctrace_value value)
{
    uint32_t id = st->elements[value.element].id;
    use(st, value);
    if (id != INTERN_NONE)
        st->values.at[id] = value;
}

/* Return the name of the process without its number: "app (49374)" becomes "app", or with --pid
 * "app-49374". */
static uint32_t
process_name(struct xctrace *st, struct span process)
{
    size_t open = span_rfind(process, '(');
    struct span number = span_from(process, open != SPAN_NONE ? open + 1 : process.len);
    size_t digits = span_run(number, 0, is_digit);
    if (digits == 0 || digits + 1 != number.len)
        return stacker_name(&st->base, process);
    text_set(&st->base.name, span_trim(span_head(process, open)));
    if (st->base.c->options->fold.names.pid)
        TEXT_ADD(&st->base.name, SPAN("-"), span_head(number, digits));
    return stacker_name(&st->base, text_span(&st->base.name));
}

/* Return the name of the frame. A function without a symbol, which has its address as its name,
 * becomes "[app]", as in perf's text. */
static uint32_t
frame_name(struct xctrace *st)
{
    struct span name = text_span(&st->base.name), address = text_span(&st->address);
    bool unknown = name.len == 0 || span_eq(name, address);
    if (!unknown || st->binary == NO_FRAMES)
        return stacker_name(&st->base, name.len > 0 ? name : SPAN("[unknown]"));
    name = stacker_bracket(&st->base, profile_name_text(&st->base.c->profile, st->binary));
    return stacker_name(&st->base, name);
}

/* Empty the stack. Return the number of the list of its frames in the profile. */
static uint32_t
take_frames(struct xctrace *st)
{
    struct stacker *b = &st->base;
    stacker_reverse(b, 0);
    uint32_t list = b->n > 0 ? profile_list(&b->c->profile, b->frames, b->n) : NO_FRAMES;
    b->n = 0;
    return list;
}

/* Fold the row. Its stack begins with the name of the process. */
static void
end_row(struct xctrace *st)
{
    struct collapse *c = st->base.c;
    struct xctrace_row *row = &st->row;
    if (row->bad) {
        stacker_skip(&st->base, "a row that refers to an id that is not there");
        st->base.n = 0;
        return;
    }
    c->samples++;
    c->without_frames += st->base.n == 0;
    if (st->base.n == 0)
        return;
    struct stacktree *tree = &c->profile.tree;
    uint32_t stack = STACKTREE_ROOT, frames = take_frames(st);
    if (row->process != NO_FRAMES && !c->options->fold.no_comm)
        stack = stacktree_child(tree, stack, row->process);
    stack = stacktree_child(tree, stack, frames);
    stacktree_count(tree, stack, row->weight);
}

/* Handle the end of an element that was no reference. */
static void
end_element(struct xctrace *st, enum element e)
{
    struct xctrace_value value = {.element = e};
    st->elements[e].open = false;
    if (e == ROW) {
        end_row(st);
    } else if (e == WEIGHT || e == CYCLES) {
        if (!decimal_parse(span_trim(text_span(&st->weight)), &value.weight))
            return;
        value.weight = decimal_shift(value.weight, e == WEIGHT ? -3 : 0);
        define(st, value);
    } else if (e != PROCESS && e != BINARY) {
        value.number = e == FRAME ? frame_name(st) : take_frames(st);
        define(st, value);
    }
}

/* Handle the start of an element. */
static void
start_element(struct xctrace *st, enum element e)
{
    struct xctrace_value value = {.element = e};
    struct text *text = &st->scratch;
    if (find_attribute(&st->xml, SPAN("ref"), text)) {
        uint32_t id = intern_find(&st->ids, text_span(text));
        if (id != INTERN_NONE && st->values.at[id].element == e)
            use(st, st->values.at[id]);
        else
            st->row.bad = true;
        return;
    }
    for (size_t i = 0; i < ELEMENTS && e == ROW; i++)
        st->elements[i].open = false;
    st->elements[e].open = true;
    find_attribute(&st->xml, SPAN("id"), text);
    st->elements[e].id = text->len > 0 ? intern_add(&st->ids, text_span(text)) : INTERN_NONE;
    VEC_REACH(st->values, st->ids.count);
    if (e == ROW)
        st->row = (struct xctrace_row){.process = NO_FRAMES, .weight = ONCE};
    if (e == ROW || e == TAGGED || e == BACKTRACE)
        st->base.n = 0;
    if (e == FRAME) {
        find_attribute(&st->xml, SPAN("name"), &st->base.name);
        find_attribute(&st->xml, SPAN("addr"), &st->address);
        st->binary = NO_FRAMES;
    }
    if (e == PROCESS || e == BINARY) {
        find_attribute(&st->xml, e == PROCESS ? SPAN("fmt") : SPAN("name"), text);
        value.number = e == PROCESS ? process_name(st, text_span(text))
                                    : stacker_name(&st->base, text_span(text));
        define(st, value);
    }
    st->weight.len = 0;
}

static void
take(struct xctrace *st)
{
    struct xml *x = &st->xml;
    if (x->item == XML_TEXT) {
        if ((st->elements[WEIGHT].open || st->elements[CYCLES].open) && st->weight.len < WEIGHT_MAX)
            text_add(&st->weight, x->text);
        return;
    }
    enum element e = element_of(x);
    st->result |= span_eq(x->name, SPAN("trace-query-result"));
    if (e == OTHER || (e != ROW && !st->elements[ROW].open))
        return;
    if (x->item != XML_CLOSE)
        start_element(st, e);
    if (x->item != XML_OPEN && st->elements[e].open)
        end_element(st, e);
}

static void
fold(struct stacker *f)
{
    struct xctrace *st = (struct xctrace *)f;
    struct collapse *c = f->c;
    st->xml = (struct xml){.lines = &c->input.lines};
    c->input.lines.number = 1; /* that of the end of what was read last, for messages */
    while (next_item(&st->xml) != XML_END && st->xml.item != XML_ERROR)
        take(st);
    if (st->xml.item == XML_ERROR)
        diag_error(c->diag, input_place(&c->input), "%s", st->xml.why);
    else if (!st->result)
        diag_error(c->diag, stacker_file(f), "no trace-query-result");
}

static bool
is_xctrace(struct span line)
{
    return span_search(line, SPAN("<trace-query-result")) != SPAN_NONE;
}

const struct format format_xctrace = {
    .is = is_xctrace,
    .fold = fold,
    .per_file = true,
    .state_size = sizeof(struct xctrace),
    .interns = MEMBERS(struct xctrace, ids),
    .buffers = MEMBERS(struct xctrace, address, weight, scratch, values)};
