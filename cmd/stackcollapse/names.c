#include "cmd/stackcollapse/names.h"

#include <stdlib.h>

#include "common/stack/dso.h"
#include "common/stack/folded.h"
#include "common/stack/v8name.h"
#include "cmd/stackcollapse/dialect.h"
#include "cmd/stackcollapse/inline.h"
#include "cmd/stackcollapse/perl.h"
#include "cmd/stackcollapse/tidy.h"

static const struct span unknown = SPAN("[unknown]");

static size_t
append(struct names *n, size_t len, struct span s)
{
    n->text = mem_grow(n->text, &n->text_cap, len + s.len + 1, 1);
    if (s.len > 0)
        memcpy(n->text + len, s.ptr, s.len);
    return len + s.len;
}

static size_t
replace(char *text, size_t len, char from, char to)
{
    for (size_t i = 0; i < len; i++)
        if (text[i] == from)
            text[i] = to;
    return len;
}

static size_t
without(char *text, size_t len, char c)
{
    size_t kept = 0;
    for (size_t i = 0; i < len; i++)
        if (text[i] != c)
            text[kept++] = text[i];
    return kept;
}

/* Adds the first len bytes of the text as a name; a semicolon that is still there parts it in two,
 * as it would for a reader of the output. */
static void
push(struct names *n, size_t len)
{
    for (struct span rest = span_of(n->text, len); rest.ptr != NULL;) {
        struct span name = folded_frame(&rest);
        n->ids = mem_grow(n->ids, &n->cap, n->count + 1, sizeof *n->ids);
        n->ids[n->count++] = stacks_name(n->stacks, name);
    }
}

/* True where only the DSO, or nothing, is known. */
static bool
is_unknown(struct span sym, const struct perf_frame *f)
{
    return span_eq(sym, unknown) || (f->sym.len == 0 && f->offset.len == 0);
}

/* "[libfoo.so]", "[unknown]"; with --addrs "[libfoo.so <7f12>]" */
static size_t
write_unknown(struct names *n, const struct perf_frame *f)
{
    bool has_dso =
        !span_eq(f->dso, unknown) && (f->dso.len > 0 || n->options->dialect->java_by_comm);
    size_t len = append(n, 0, SPAN("["));
    len = append(n, len, has_dso ? dso_base(f->dso) : SPAN("unknown"));
    if (n->options->addrs) {
        len = append(n, len, SPAN(" <"));
        len = append(n, len, f->addr);
        len = append(n, len, SPAN(">"));
    }
    return append(n, len, SPAN("]"));
}

/* JavaScript's names and regular expressions have parentheses of their own. */
static bool
has_own_brackets(struct span sym, struct span dso)
{
    struct v8name name;
    enum frame_kind kind = frame_kind(sym, dso);
    return kind == KIND_REGEXP || v8name_parse(sym, &name) || kind == KIND_APP ||
           kind == KIND_DEP || kind == KIND_CORE || kind == KIND_WASM;
}

static size_t
tidy(struct names *n, size_t len, struct span dso)
{
    struct span name = span_of(n->text, len);
    if (n->options->tidy == TIDY_PERL)
        return tidy_perl(name, n->text);
    if (n->options->tidy == TIDY_BRACKETS && span_find(name, '(') != SPAN_NONE &&
        !has_own_brackets(name, dso))
        return tidy_brackets(name, n->text);
    return len;
}

/* "Lorg/foo/Bar;::baz": the L is a class descriptor's (JVM specification, 4.3.2). */
static bool
is_descriptor(struct span sym)
{
    return span_starts(sym, SPAN("L")) && span_find(sym, ';') != SPAN_NONE;
}

static size_t
write_symbol(struct names *n, struct span sym, const struct perf_frame *f, bool java)
{
    const struct dialect *d = n->options->dialect;
    bool unnamed = is_unknown(sym, f) && (span_eq(sym, unknown) || !d->skip_parenthesis);
    size_t len = unnamed ? write_unknown(n, f) : append(n, 0, sym);
    replace(n->text, len, ';', ':');
    if (!unnamed || d->tidy == TIDY_PERL)
        len = tidy(n, len, f->dso);
    if (!d->keep_quotes && n->options->tidy != TIDY_NONE)
        len = without(n->text, without(n->text, len, '"'), '\'');
    if (len > 0 && n->text[0] == 'L' && (d->java_by_comm ? java : is_descriptor(sym)) &&
        span_find(span_of(n->text, len), '/') != SPAN_NONE)
        memmove(n->text, n->text + 1, --len);
    return len;
}

static size_t
annotate(struct names *n, size_t len, const struct perf_frame *f)
{
    const struct options *o = n->options;
    struct span name = span_of(n->text, len);
    if (n->count > 0)
        return span_search(name, SPAN("_[i]")) == SPAN_NONE ? append(n, len, SPAN("_[i]")) : len;
    if (o->kernel && o->dialect->is_kernel(f->dso))
        return append(n, len, SPAN("_[k]"));
    if (o->jit && o->dialect->is_jit(f->dso) && span_search(name, SPAN("_[j]")) == SPAN_NONE)
        return append(n, len, SPAN("_[j]"));
    return len;
}

/* Takes a line off *lines and puts it behind the name: ":file.cpp:137". What stands in brackets is
 * an address. */
static size_t
add_srcline(struct names *n, size_t len, struct span *lines)
{
    size_t newline = span_find(*lines, '\n');
    struct span line = newline != SPAN_NONE ? span_head(*lines, newline) : *lines;
    *lines = span_from(*lines, newline != SPAN_NONE ? newline + 1 : lines->len);
    size_t start = len;
    len = append(n, len, SPAN(":"));
    while (line.len > 0) {
        size_t open = span_find(line, '[');
        size_t close = open != SPAN_NONE ? span_find(span_from(line, open), ']') : SPAN_NONE;
        if (close == SPAN_NONE) {
            len = append(n, len, line);
            break;
        }
        len = append(n, len, span_head(line, open));
        line = span_from(line, open + close + 1);
    }
    struct span text = span_trim(span_of(n->text + start + 1, len - start - 1));
    if (text.len == 0)
        return start;
    memmove(n->text + start + 1, text.ptr, text.len);
    if (!n->options->dialect->raw_semicolons)
        replace(n->text + start + 1, text.len, ';', ':');
    return start + 1 + text.len;
}

static void
add_part(struct names *n, struct span sym, const struct perf_frame *f, bool java,
         struct span *srclines)
{
    size_t len = write_symbol(n, sym, f, java);
    len = annotate(n, len, f);
    if (n->options->srcline && !(span_eq(sym, unknown) && span_eq(f->dso, unknown)))
        len = add_srcline(n, len, srclines);
    push(n, len);
}

/* The calls that addr2line says were inlined there; false where it knows nothing. */
static bool
add_inlined(struct names *n, const struct perf_frame *f)
{
    if (n->inliner == NULL)
        n->inliner = inliner_new(n->diag, n->options->context);
    struct span calls = inliner_ask(n->inliner, f);
    if (calls.len == 0)
        return false;
    while (calls.len > 0) {
        size_t end = span_find(calls, '\n');
        push(n, replace(n->text, append(n, 0, span_head(calls, end)), ';', ':'));
        calls = span_from(calls, end + 1);
    }
    return true;
}

void
names_of_frame(struct names *n, struct span frame, bool java)
{
    const struct dialect *d = n->options->dialect;
    struct perf_frame f;
    n->count = 0;
    if (!d->frame(frame, &f))
        return;
    if (n->options->inlined && inliner_wants(f.dso) && add_inlined(n, &f))
        return;
    if (d->skip_parenthesis && span_starts(f.sym, SPAN("(")))
        return;
    struct span rest = f.sym, part, srclines = f.srcline;
    if (!d->is_java_inline(f.sym, f.dso))
        add_part(n, f.sym, &f, java, &srclines);
    else
        while (perl_split_arrow(&rest, &part))
            add_part(n, part, &f, java, &srclines);
}

/* Replaces each run of so many digits and more by "<N>", as perf report's comm_nodigit does. */
static size_t
without_digits(struct names *n, struct span comm, size_t digits)
{
    size_t len = 0;
    for (size_t at = 0; at < comm.len;) {
        size_t run = span_run(comm, at, is_digit);
        if (run >= digits)
            len = append(n, len, SPAN("<N>"));
        else
            len = append(n, len, span_of(comm.ptr + at, run > 0 ? run : 1));
        at += run > 0 ? run : 1;
    }
    return len;
}

void
names_of_comm(struct names *n, const struct perf_header *h)
{
    const struct options *o = n->options;
    struct span pid = h->pid, tid = h->tid;
    size_t len = o->comm_digits > 0 ? without_digits(n, h->comm, (size_t)o->comm_digits)
                                    : append(n, 0, h->comm);
    if (o->dialect->zero_tid_is_missing && span_eq(tid, SPAN("0"))) {
        tid = pid.len > 0 ? pid : tid;
        pid.len = 0;
    }
    if (o->pid || o->tid) {
        len = append(n, len, SPAN("-"));
        len = append(n, len, pid.len > 0 ? pid : SPAN("?"));
    }
    if (o->tid) {
        len = append(n, len, SPAN("/"));
        len = append(n, len, tid);
    }
    replace(n->text, len, ' ', '_');
    if (!o->dialect->raw_semicolons)
        replace(n->text, len, ';', ':');
    n->count = 0;
    push(n, len);
}

void
names_free(struct names *n)
{
    inliner_free(n->inliner);
    free(n->ids);
    free(n->text);
}
