/*	    7f1e2215d058 uv_run+0x12 (/usr/bin/node)
 *   core.c:137
 *
 * The form of sample__fprintf_sym in tools/perf/util/evsel_fprintf.c of the Linux source. */
#include "common/stack/perfline.h"

/* Where the parenthesis opens that the last byte of s, a ")", closes, counting nested ones; if they
 * do not balance, the last one after a blank. SPAN_NONE: there is none. */
static size_t
dso_open(struct span s)
{
    int depth = 0;
    for (size_t at = s.len; at-- > 0;) {
        if (s.ptr[at] == ')')
            depth++;
        else if (s.ptr[at] == '(' && --depth == 0)
            return at > 0 && is_space(s.ptr[at - 1]) ? at : SPAN_NONE;
    }
    for (size_t at = s.len; at-- > 1;)
        if (s.ptr[at] == '(' && is_space(s.ptr[at - 1]))
            return at;
    return SPAN_NONE;
}

/* Cuts a trailing "+0x12" off *sym. */
static struct span
take_offset(struct span *sym)
{
    size_t at = sym->len;
    while (at > 0 && is_hex(sym->ptr[at - 1]))
        at--;
    if (at == sym->len || at < 3 || memcmp(sym->ptr + at - 3, "+0x", 3) != 0)
        return SPAN("");
    struct span offset = span_from(*sym, at - 3);
    *sym = span_head(*sym, at - 3);
    return offset;
}

/* Cuts " (/usr/bin/node)" off *sym. Empty parentheses belong to the symbol: "A::operator ()". */
static struct span
take_dso(struct span *sym)
{
    if (sym->len == 0 || sym->ptr[sym->len - 1] != ')')
        return SPAN("");
    size_t open = dso_open(*sym);
    if (open == SPAN_NONE || open + 2 == sym->len)
        return SPAN("");
    struct span dso = span_of(sym->ptr + open + 1, sym->len - open - 2);
    *sym = span_head(*sym, open);
    return dso;
}

bool
perf_frame_parse(struct span text, struct frame *f)
{
    size_t newline = span_find(text, '\n');
    f->srcline = SPAN("");
    f->has_srcline = newline != SPAN_NONE && newline + 1 < text.len;
    if (newline != SPAN_NONE) {
        f->srcline = span_trim(span_from(text, newline + 1));
        text = span_head(text, newline);
    }
    text = span_trim(text);
    size_t digits = span_run(text, 0, is_hex);
    if (digits == 0 || digits > 16 || (digits < text.len && !is_space(text.ptr[digits])))
        return false;
    f->addr = span_head(text, digits);
    struct span sym = span_from(text, digits);
    f->dso = take_dso(&sym);
    struct span name = sym.len > 0 ? span_from(sym, 1) : sym; /* past the blank that parts them */
    if (f->dso.len > 0 && name.len > 0)
        name.len--;
    f->offset = take_offset(&name);
    f->sym = span_trim(name);
    const char *end = name.ptr + name.len;
    f->sym_blanks = f->sym.len > 0 ? (uint32_t)((size_t)(end - f->sym.ptr) - f->sym.len) : 0;
    /* Two blanks: perf printed a symbol that is empty. */
    f->has_sym = f->sym.len > 0 || f->offset.len > 0 || sym.len > 1;
    return true;
}

/* How many bytes from the start of s the first frame with a DSO takes, "7f12 f+0x3 (/lib)"; 0: s
 * does not begin with one. */
static size_t
frame_length(struct span s)
{
    enum { TRIES = 64 }; /* each costs the length of s, which hostile input decides */
    struct frame f;
    for (size_t at = 0, tries = 0; at < s.len && tries < TRIES; at++) {
        size_t step = span_find(span_from(s, at), ')');
        if (step == SPAN_NONE)
            return 0;
        at += step;
        if (at + 1 < s.len && !is_space(s.ptr[at + 1]))
            continue;
        tries++;
        if (perf_frame_parse(span_head(s, at + 1), &f) && f.dso.len > 0)
            return at + 1;
    }
    return 0;
}

/* Where the last address inside a symbol begins, as in "55d15a3c main". Any number is one at the
 * symbol's start or right after an address, elsewhere only one that is no likely word.
 * SPAN_NONE: it holds none. */
static size_t
inner_address(struct span sym)
{
    enum { LONG = 8 };
    size_t found = SPAN_NONE;
    size_t least = 1;
    for (size_t at = 0, end; at < sym.len; at = end + span_run(sym, end, is_space)) {
        size_t digits = span_run(sym, at, is_hex);
        for (end = at + digits; end < sym.len && !is_space(sym.ptr[end]); end++)
            ;
        bool address = end == at + digits && end < sym.len && digits >= least && digits <= 16;
        least = address ? 1 : LONG;
        if (address)
            found = at;
    }
    return found;
}

/* A data address (perf script -F +addr) may stand before the frame's own, "7f0012 55d1 main+0x4
 * (/bin/x)", and other fields between the two. Gives the text from the frame's own address on. */
static struct span
skip_data_address(struct span text)
{
    struct frame f;
    size_t at = perf_frame_parse(text, &f) ? inner_address(f.sym) : SPAN_NONE;
    return at != SPAN_NONE ? span_from(text, (size_t)(f.sym.ptr - text.ptr) + at) : text;
}

/* perf mem's words about a data address stand before the frame, with a weight or two after them:
 *
 *     7f0012  68100142 |OP LOAD|LVL L3 or Remote Cache (1 hop) hit|SNP None|LCK No   56 0  401136 f
 *
 * Gives the text from the first number after the last of these words on. */
static struct span
skip_data_source(struct span rest)
{
    static const struct span parts[] = {SPAN("|OP "),  SPAN("|LVL "), SPAN("|SNP "),
                                        SPAN("|TLB "), SPAN("|LCK "), SPAN("|BLK ")};
    size_t at = span_search(rest, parts[0]), digits = 0;
    if (at == SPAN_NONE)
        return rest;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        size_t found = span_search(rest, parts[i]);
        rest = found != SPAN_NONE ? span_from(rest, found + parts[i].len) : rest;
    }
    for (at = 0; at < rest.len; at += span_run(rest, at, is_space)) {
        digits = span_run(rest, at, is_hex);
        if (digits > 0 && (at + digits == rest.len || is_space(rest.ptr[at + digits])))
            break;
        while (at < rest.len && !is_space(rest.ptr[at]))
            at++;
    }
    return span_from(rest, at);
}

/*     7f12 f+0x3 (/lib)                              a frame alone
 *     7f0012 data+0x8 (/lib)     55d1 f+0x3 (/lib)   after a data address (-F +addr)
 *     7f12 f+0x3 (/lib) => 7f34 g+0x0 (/lib)         of a branch: it starts in f
 *     7f12 f+0x3 (/lib) 0x7f12/0x7f34/P/-/-/0        before a branch stack (-F +brstack) */
struct span
perf_header_frame(const struct perf_header *h)
{
    struct span rest = skip_data_source(span_trim(h->field[PERF_REST]));
    struct span frame = span_head(rest, 0);
    for (size_t len; rest.len > 0 && (len = frame_length(rest)) > 0;) {
        frame = skip_data_address(span_head(rest, len));
        rest = span_trim(span_from(rest, len));
    }
    return frame;
}
