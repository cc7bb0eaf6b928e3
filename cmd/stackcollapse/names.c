#include "cmd/stackcollapse/names.h"

#include <stdlib.h>

#include "common/stack/cxxname.h"
#include "common/stack/dso.h"
#include "common/stack/foldedtext.h"
#include "common/stack/v8name.h"
#include "cmd/stackcollapse/dialect.h"
#include "cmd/stackcollapse/inline.h"
#include "cmd/stackcollapse/perl.h"

static const struct span unknown = SPAN("[unknown]");

/* Replaces a character in the text from `at` on. */
static void
replace(struct text *t, size_t at, char from, char to)
{
    for (; at < t->len; at++)
        if (t->ptr[at] == from)
            t->ptr[at] = to;
}

static void
remove_all(struct text *t, char c)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->len; i++)
        if (t->ptr[i] != c)
            t->ptr[kept++] = t->ptr[i];
    t->len = kept;
}

static bool
holds(const struct text *t, struct span s)
{
    return span_search(text_span(t), s) != SPAN_NONE;
}

/* Adds the text as a name and empties it; a semicolon that is still there parts it in two, as it
 * would for a reader of the output. */
static void
push(struct names *n)
{
    for (struct span rest = text_span(&n->text); rest.ptr != NULL;) {
        struct span name = folded_frame(&rest);
        n->ids = mem_grow(n->ids, &n->cap, n->count + 1, sizeof *n->ids);
        n->ids[n->count++] = profile_name(n->profile, name);
    }
    n->text.len = 0;
}

/* "[libfoo.so]", "[unknown]"; with --addrs "[libfoo.so <7f12>]" */
static void
write_unknown(struct names *n, const struct frame *f)
{
    bool no_dso = span_eq(f->dso, unknown) || (f->dso.len == 0 && !n->options->dialect->keep_empty);
    text_add(&n->text, SPAN("["));
    text_add(&n->text, no_dso ? SPAN("unknown") : dso_base(f->dso));
    if (n->options->addrs) {
        text_add(&n->text, SPAN(" <"));
        text_add(&n->text, f->addr);
        text_add(&n->text, SPAN(">"));
    }
    text_add(&n->text, SPAN("]"));
}

/* JavaScript's names and regular expressions have parentheses of their own. */
static bool
has_own_brackets(struct span sym, struct span dso)
{
    struct v8name name;
    enum v8form form = v8name_form(sym);
    return form == V8FORM_REGEXP || form == V8FORM_JS ||
           ((dso.len == 0 || dso_is_jit(dso)) && v8name_parse_clean(sym, &name));
}

/* The maps of Java and .NET have whole declarations: "int java.lang.String.hashCode()". Of those
 * the method's name stays; other names ("StubRoutines (1)") stay as they are. */
static size_t
tidy_declaration(struct span name, char *to)
{
    struct span method = cxxname_own(name);
    if (method.ptr + method.len == name.ptr + name.len || method.ptr[method.len] != '(')
        return name.len;
    memmove(to, method.ptr, method.len);
    return method.len;
}

static void
tidy(struct names *n, struct span dso)
{
    struct span name = text_span(&n->text);
    if (n->options->tidy == TIDY_PERL)
        n->text.len = perl_tidy(name, n->text.ptr);
    else if (n->options->tidy == TIDY_BRACKETS && span_find(name, '(') != SPAN_NONE &&
             !has_own_brackets(name, dso))
        n->text.len = dso_is_jit(dso) ? tidy_declaration(name, n->text.ptr)
                                      : cxxname_tidy(name, n->text.ptr);
}

/* "Lorg/foo/Bar;::baz": the L is a class descriptor's (JVM specification, 4.3.2). */
static bool
is_descriptor(struct span sym)
{
    return span_starts(sym, SPAN("L")) && span_find(sym, ';') != SPAN_NONE;
}

static void
write_symbol(struct names *n, struct span sym, const struct frame *f, bool java)
{
    const struct dialect *d = n->options->dialect;
    struct text *t = &n->text;
    bool unnamed = span_eq(sym, unknown) || (sym.len == 0 && !d->keep_empty);
    if (unnamed)
        write_unknown(n, f);
    else
        text_add(t, sym);
    replace(t, 0, ';', ':');
    if (!unnamed || d->tidy_unknown)
        tidy(n, f->dso);
    if (!d->keep_quotes && n->options->tidy != TIDY_NONE) {
        remove_all(t, '"');
        remove_all(t, '\'');
    }
    if (t->len > 0 && t->ptr[0] == 'L' && (d->java_by_comm ? java : is_descriptor(sym)) &&
        holds(t, SPAN("/")))
        memmove(t->ptr, t->ptr + 1, --t->len);
}

/* Marks an inlined call, a kernel function, a function compiled at run time. */
static void
annotate(struct names *n, const struct frame *f)
{
    const struct options *o = n->options;
    if (n->count > 0) {
        if (!holds(&n->text, SPAN("_[i]")))
            text_add(&n->text, SPAN("_[i]"));
    } else if (o->kernel && o->dialect->is_kernel(f->dso)) {
        text_add(&n->text, SPAN("_[k]"));
    } else if (o->jit && o->dialect->is_jit(f->dso) && !holds(&n->text, SPAN("_[j]"))) {
        text_add(&n->text, SPAN("_[j]"));
    }
}

/* Takes a line off *lines and appends it to the name: ":file.cpp:137". What stands in brackets is
 * an address. */
static void
add_srcline(struct names *n, struct span *lines)
{
    struct text *t = &n->text;
    size_t newline = span_find(*lines, '\n'), start = t->len;
    struct span line = newline != SPAN_NONE ? span_head(*lines, newline) : *lines;
    *lines = span_from(*lines, newline != SPAN_NONE ? newline + 1 : lines->len);
    text_add(t, SPAN(":"));
    while (line.len > 0) {
        size_t open = span_find(line, '[');
        size_t close = open != SPAN_NONE ? span_find(span_from(line, open), ']') : SPAN_NONE;
        text_add(t, close != SPAN_NONE ? span_head(line, open) : line);
        line = span_from(line, close != SPAN_NONE ? open + close + 1 : line.len);
    }
    struct span text = span_trim(span_from(text_span(t), start + 1));
    memmove(t->ptr + start + 1, text.ptr, text.len);
    t->len = text.len > 0 ? start + 1 + text.len : start;
    if (!n->options->dialect->raw_semicolons)
        replace(t, start, ';', ':');
}

static void
add_part(struct names *n, struct span sym, const struct frame *f, bool java,
         struct span *srclines)
{
    write_symbol(n, sym, f, java);
    annotate(n, f);
    if (n->options->srcline && !(span_eq(sym, unknown) && span_eq(f->dso, unknown)))
        add_srcline(n, srclines);
    push(n);
}

static struct span
take_line(struct span *lines)
{
    size_t end = span_find(*lines, '\n');
    struct span line = span_head(*lines, end);
    *lines = span_from(*lines, end + 1);
    return line;
}

/* Under the Perl script's name: addr2line's names as they are. False where it knows nothing. */
static bool
add_inlined_raw(struct names *n, struct span calls)
{
    struct span name = take_line(&calls), source = take_line(&calls);
    bool context = n->options->context;
    if (calls.len == 0 && span_eq(name, SPAN("??")) && (!context || span_eq(source, SPAN("??:0"))))
        return false;
    for (;; name = take_line(&calls), source = take_line(&calls)) {
        text_add(&n->text, name);
        if (context) {
            text_add(&n->text, SPAN(":"));
            text_add(&n->text, source);
        }
        push(n);
        if (calls.len == 0)
            return true;
    }
}

static void
add_source(struct names *n, struct span source)
{
    size_t at = n->text.len;
    if (!n->options->context || span_starts(source, SPAN("??:")))
        return;
    text_add(&n->text, SPAN(":"));
    text_add(&n->text, source);
    replace(&n->text, at, ';', ':');
}

/* Adds perf's symbol and the calls that addr2line reports inside of it, innermost last. False where
 * nothing is known. The first of addr2line's names stands for perf's symbol and is used only where
 * there is none: it depends on how the function was declared. */
static bool
add_inlined(struct names *n, const struct frame *f, bool java)
{
    if (n->inliner == NULL)
        n->inliner = inliner_new(n->diag, n->options->dialect->raw_inlined);
    struct span calls = inliner_ask(n->inliner, f);
    if (calls.len == 0)
        return false;
    if (n->options->dialect->raw_inlined)
        return add_inlined_raw(n, calls);
    bool unnamed = f->sym.len == 0 || span_eq(f->sym, unknown);
    if (unnamed && span_starts(calls, SPAN("??\n")))
        return false;
    struct text outermost = {0};
    struct span name = take_line(&calls), source = take_line(&calls);
    write_symbol(n, unnamed ? name : f->sym, f, java);
    text_add(&outermost, text_span(&n->text));
    annotate(n, f);
    add_source(n, source);
    push(n);
    while (calls.len > 0) {
        name = take_line(&calls), source = take_line(&calls);
        write_symbol(n, name, f, java);
        /* addr2line 2.40 gives the innermost function the name of the symbol, where both begin at
         * the same address and the function has no linkage name. That would look like recursion. */
        if (calls.len == 0 && span_eq(text_span(&n->text), text_span(&outermost))) {
            n->text.len = 0;
            break;
        }
        add_source(n, source);
        push(n);
    }
    free(outermost.ptr);
    return true;
}

void
names_of_frame(struct names *n, const struct frame *f, bool java)
{
    const struct dialect *d = n->options->dialect;
    n->count = 0;
    if (n->options->inlined && inliner_wants(f->dso) && add_inlined(n, f, java))
        return;
    if (d->skip_parenthesis && span_starts(f->sym, SPAN("(")))
        return;
    struct span rest = f->sym, part, srclines = f->srcline;
    if (!d->is_java_inline(f->sym, f->dso))
        add_part(n, f->sym, f, java, &srclines);
    else
        while (perl_split_arrow(&rest, &part))
            add_part(n, part, f, java, &srclines);
}

/* Each run of so many digits and more becomes "<N>", as perf report's comm_nodigit has it. */
static void
write_without_digits(struct names *n, struct span comm, size_t digits)
{
    for (size_t at = 0; at < comm.len;) {
        size_t run = span_run(comm, at, is_digit), step = run > 0 ? run : 1;
        text_add(&n->text, run >= digits ? SPAN("<N>") : span_of(comm.ptr + at, step));
        at += step;
    }
}

void
names_of_comm(struct names *n, const struct perf_header *h)
{
    const struct options *o = n->options;
    struct span pid = h->field[PERF_PID], tid = h->field[PERF_TID];
    struct text *t = &n->text;
    if (o->comm_digits > 0)
        write_without_digits(n, h->field[PERF_COMM], (size_t)o->comm_digits);
    else
        text_add(t, h->field[PERF_COMM]);
    if (o->dialect->zero_tid_is_missing && span_eq(tid, SPAN("0"))) {
        tid = pid.len > 0 ? pid : tid;
        pid.len = 0;
    }
    if (o->pid || o->tid) {
        text_add(t, SPAN("-"));
        text_add(t, pid.len > 0 ? pid : SPAN("?"));
    }
    if (o->tid) {
        text_add(t, SPAN("/"));
        text_add(t, tid);
    }
    replace(t, 0, ' ', '_');
    if (!o->dialect->raw_semicolons)
        replace(t, 0, ';', ':');
    n->count = 0;
    push(n);
}

void
names_free(struct names *n)
{
    inliner_free(n->inliner);
    free(n->ids);
    free(n->text.ptr);
}
