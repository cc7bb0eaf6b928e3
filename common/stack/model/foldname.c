#include "common/stack/model/foldname.h"

#include <stdlib.h>

#include "common/stack/frames/cxxname.h"
#include "common/stack/frames/dso.h"
#include "common/stack/text/foldedtext.h"
#include "common/stack/frames/framekind.h"
#include "common/stack/frames/v8name.h"

/* perf-map-agent and Compiler.perfmap write inlined methods as "A::b->C::d". In C++ ("operator->"),
 * JavaScript and regular expressions, "->" means something else. */
static bool
is_java_inline(struct span sym, struct span dso)
{
    struct v8name name;
    size_t arrow = span_search(sym, SPAN("->"));
    return arrow != SPAN_NONE && arrow > 0 && dso_is_jit(dso) && !v8name_parse(sym, &name) &&
           frame_kind(sym, dso) != KIND_REGEXP;
}

const struct foldname_dialect foldname_native = {
    .is_kernel = dso_is_kernel,
    .is_jit = dso_is_jit,
    .is_java_inline = is_java_inline,
    .keep_quotes = true,
    .marks_inlined = true,
};

static const struct span unknown = SPAN("[unknown]");

void
foldname_replace(struct foldname *n, size_t at, char from, char to)
{
    for (; at < n->text.len; at++)
        if (n->text.ptr[at] == from)
            n->text.ptr[at] = to;
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

void
foldname_push(struct foldname *n)
{
    for (struct span rest = text_span(&n->text); rest.ptr != NULL;) {
        struct span name = folded_frame(&rest);
        MEM_ADD(n->ids, n->count, n->cap, profile_name(n->profile, name));
    }
    n->text.len = 0;
}

/* Write "[libfoo.so]" or "[unknown]"; with --addrs, "[libfoo.so <7f12>]". */
static void
write_unknown(struct foldname *n, const struct frame *f)
{
    bool no_dso = span_eq(f->dso, unknown) || (f->dso.len == 0 && !n->options->dialect->keep_empty);
    TEXT_ADD(&n->text, SPAN("["), no_dso ? SPAN("unknown") : dso_base(f->dso));
    char addr[FRAME_ADDR];
    if (n->options->addrs)
        TEXT_ADD(&n->text, SPAN(" <"), frame_addr(f, addr), SPAN(">"));
    text_add(&n->text, SPAN("]"));
}

/* Return true for names such as "net/http.(*Client).Do". */
static bool
is_go_method(struct span name)
{
    size_t open = span_search(name, SPAN(".("));
    return open != SPAN_NONE && span_holds(span_from(name, open + 2), SPAN(")."));
}

/* Write the name up to the first parenthesis that does not begin "(anonymous namespace)", as
 * stackcollapse-perf.pl does. Return its length. `to` may be name.ptr. */
static size_t
tidy_as_script(struct span name, char *to)
{
    const struct span anonymous = SPAN("(anonymous namespace)");
    size_t end = is_go_method(name) ? name.len : 0;
    while (end < name.len && (name.ptr[end] != '(' || span_starts(span_from(name, end), anonymous)))
        end++;
    if (end > 0)
        memmove(to, name.ptr, end);
    return end;
}

/* Return true for names of JavaScript and regular expressions, which have parentheses of their own:
 * from V8, and from JavaScriptCore (Bun): "JSC-YarrJIT: /(a+)+b/". */
static bool
has_own_brackets(struct span sym, struct span dso)
{
    struct v8name name;
    enum v8form form = v8name_form(sym);
    return form == V8FORM_REGEXP || form == V8FORM_JS || span_starts(sym, SPAN("JSC-")) ||
           ((dso.len == 0 || dso_is_jit(dso)) && v8name_parse_clean(sym, &name));
}

/* Maps of Java and .NET have complete declarations: "int java.lang.String.hashCode()". Keep only
 * the method's name. Leave other names ("StubRoutines (1)") unchanged. */
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
tidy(struct foldname *n, struct span dso)
{
    struct span name = text_span(&n->text);
    if (n->options->tidy == TIDY_PERL)
        n->text.len = tidy_as_script(name, n->text.ptr);
    else if (n->options->tidy == TIDY_BRACKETS && span_has(name, '(') &&
             !has_own_brackets(name, dso))
        n->text.len =
            dso_is_jit(dso) ? tidy_declaration(name, n->text.ptr) : cxxname_tidy(name, n->text.ptr);
}

/* Return true for names such as "Lorg/foo/Bar;::baz", with the L of a class descriptor (JVM
 * specification, 4.3.2). */
static bool
is_descriptor(struct span sym)
{
    return span_starts(sym, SPAN("L")) && span_has(sym, ';');
}

void
foldname_write_symbol(struct foldname *n, struct span sym, const struct frame *f, bool java)
{
    const struct foldname_dialect *d = n->options->dialect;
    struct text *t = &n->text;
    bool unnamed = span_eq(sym, unknown) || (sym.len == 0 && !d->keep_empty);
    if (unnamed)
        write_unknown(n, f);
    else if (n->profile->demangle == NULL || !n->profile->demangle(sym, t))
        text_add(t, sym);
    foldname_replace(n, 0, ';', ':');
    if (!unnamed || d->tidy_unknown)
        tidy(n, f->dso);
    if (!d->keep_quotes && n->options->tidy != TIDY_NONE) {
        remove_all(t, '"');
        remove_all(t, '\'');
    }
    if (t->len > 0 && t->ptr[0] == 'L' && (d->java_from_command ? java : is_descriptor(sym)) &&
        span_has(text_span(t), '/'))
        memmove(t->ptr, t->ptr + 1, --t->len);
}

void
foldname_annotate(struct foldname *n, const struct frame *f)
{
    const struct foldname_options *o = n->options;
    if (n->count > 0) {
        if (!span_holds(text_span(&n->text), SPAN("_[i]")))
            text_add(&n->text, SPAN("_[i]"));
    } else if (o->kernel && o->dialect->is_kernel(f->dso)) {
        text_add(&n->text, SPAN("_[k]"));
    } else if (o->jit && o->dialect->is_jit(f->dso) &&
               !span_holds(text_span(&n->text), SPAN("_[j]"))) {
        text_add(&n->text, SPAN("_[j]"));
    } else if (span_eq(f->dso, SPAN("inlined"))) {
        foldname_annotate_inlined(n);
    }
}

void
foldname_annotate_inlined(struct foldname *n)
{
    if (n->options->kernel && n->options->dialect->marks_inlined)
        text_add(&n->text, SPAN("_[i]"));
}

/* Remove a line from *lines, and append it to the name: ":file.cpp:137". Text in brackets is an
 * address. */
static void
add_srcline(struct foldname *n, struct span *lines)
{
    struct text *t = &n->text;
    size_t start = t->len;
    struct span line = span_take(lines, '\n');
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
        foldname_replace(n, start, ';', ':');
}

static void
add_part(struct foldname *n, struct span sym, const struct frame *f, bool java,
         struct span *srclines)
{
    foldname_write_symbol(n, sym, f, java);
    foldname_annotate(n, f);
    if (n->options->srcline && !(span_eq(sym, unknown) && span_eq(f->dso, unknown)))
        add_srcline(n, srclines);
    foldname_push(n);
}

bool
foldname_split_arrow(struct span *sym, struct span *part)
{
    while (span_ends(*sym, SPAN("->")))
        sym->len -= 2;
    if (sym->len == 0)
        return false;
    size_t arrow = span_search(*sym, SPAN("->"));
    *part = arrow != SPAN_NONE ? span_head(*sym, arrow) : *sym;
    *sym = arrow != SPAN_NONE ? span_from(*sym, arrow + 2) : span_from(*sym, sym->len);
    return true;
}

void
foldname_frame(struct foldname *n, const struct frame *f, bool java)
{
    const struct foldname_dialect *d = n->options->dialect;
    n->count = 0;
    if (n->add_inlined != NULL && n->add_inlined(n, f, java))
        return;
    if (d->skip_parenthesis && span_starts(f->sym, SPAN("(")))
        return;
    struct span rest = f->sym, part, srclines = f->srcline;
    if (d->is_java_inline != NULL && !d->is_java_inline(f->sym, f->dso))
        add_part(n, f->sym, f, java, &srclines);
    else
        while (foldname_split_arrow(&rest, &part))
            add_part(n, part, f, java, &srclines);
}

/* Write "<N>" in place of each run of at least `digits` digits, as perf report's comm_nodigit
 * does. */
static void
write_without_digits(struct foldname *n, struct span comm, size_t digits)
{
    for (size_t at = 0; at < comm.len;) {
        size_t run = span_run(comm, at, is_digit), step = run > 0 ? run : 1;
        text_add(&n->text, run >= digits ? SPAN("<N>") : span_of(comm.ptr + at, step));
        at += step;
    }
}

void
foldname_comm(struct foldname *n, const struct perf_header *h)
{
    const struct foldname_options *o = n->options;
    char digits[2][PERF_NUMBER];
    struct span pid = perf_header_text(h, PERF_PID, digits[0]);
    struct span tid = perf_header_text(h, PERF_TID, digits[1]);
    struct text *t = &n->text;
    if (o->comm_digits > 0)
        write_without_digits(n, h->field[PERF_COMM], o->comm_digits);
    else
        text_add(t, h->field[PERF_COMM]);
    if (o->dialect->zero_tid_is_missing && span_eq(tid, SPAN("0"))) {
        tid = pid.len > 0 ? pid : tid;
        pid.len = 0;
    }
    if (o->pid || o->tid)
        TEXT_ADD(t, t->len > 0 ? SPAN("-") : SPAN(""), pid.len > 0 ? pid : SPAN("?"));
    if (o->tid) {
        TEXT_ADD(t, SPAN("/"), tid);
    }
    foldname_replace(n, 0, ' ', '_');
    if (!o->dialect->raw_semicolons)
        foldname_replace(n, 0, ';', ':');
    n->count = 0;
    foldname_push(n);
}

void
foldname_free(struct foldname *n)
{
    free(n->ids);
    free(n->text.ptr);
}
