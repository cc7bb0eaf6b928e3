#include "common/machine/probe.h"

#include <stdlib.h>
#include <sys/utsname.h>

#include "common/base/lines.h"
#include "common/base/num.h"
#include "common/base/regular.h"
#include "common/machine/function.h"
#include "common/machine/message.h"
#include "common/machine/probefile.h"

/* The text of a probe, split into its parts. */
struct probe_text {
    struct span name;      /* without arguments */
    struct span function;  /* empty: it is a line */
    struct span source;    /* "main.c" */
    uint64_t line;         /* 0: it is a function */
    struct span arguments; /* between the parentheses */
    bool has_arguments, returns;
};

/* Return the offset of the parenthesis that the last character closes; SPAN_NONE if there is none.
 * "operator()" has no arguments. */
static size_t
opening_parenthesis(struct span s)
{
    size_t depth = 0;
    if (!span_ends(s, SPAN(")")))
        return SPAN_NONE;
    for (size_t at = s.len; at-- > 0;) {
        depth += s.ptr[at] == ')';
        if (s.ptr[at] == '(' && --depth == 0)
            return span_ends(span_head(s, at), SPAN("operator")) ? SPAN_NONE : at;
    }
    return SPAN_NONE;
}

static struct probe_text
split(struct span text)
{
    struct probe_text t = {.name = text};
    size_t open = opening_parenthesis(text);
    if (open != SPAN_NONE) {
        t.has_arguments = true;
        t.name = span_trim(span_head(text, open));
        t.arguments = span_trim(span_of(text.ptr + open + 1, text.len - open - 2));
    }
    t.function = t.name;
    t.returns = span_ends(t.name, SPAN("%return"));
    if (t.returns)
        t.function.len -= sizeof "%return" - 1;
    size_t colon = span_rfind(t.function, ':');
    if (colon != SPAN_NONE && colon > 0 && t.function.ptr[colon - 1] != ':' &&
        num_u64(span_from(t.function, colon + 1), &t.line) && t.line > 0) {
        t.source = span_head(t.function, colon);
        t.function = SPAN("");
    }
    return t;
}

/* Finding */

static struct probe_event *
event_with(struct probe *p, struct span types, struct arena *a)
{
    for (size_t i = 0; i < p->count; i++)
        if (span_eq(p->events[i].types, types))
            return &p->events[i];
    MEM_ADD(p->events, p->count, p->cap, (struct probe_event){.types = arena_copy(a, types)});
    return &p->events[p->count - 1];
}

static void
add_offset(struct probe *p, uint64_t offset, const struct probeargs *args, struct arena *a)
{
    struct probe_event *e = event_with(p, text_span(&args->types), a);
    const char *fetch = arena_cstr(a, text_span(&args->text));
    e->fetch = mem_grow(e->fetch, &e->fetch_cap, e->count + 1, sizeof *e->fetch);
    e->fetch[e->count] = fetch;
    MEM_ADD(e->offsets, e->count, e->cap, offset);
}

/* A probe that is being looked up. */
struct search {
    struct probe *probe;
    struct probe_text text;
    struct probefile file;
    struct scope scope;
    bool of_kernel;
    uint64_t kernel_text; /* address of the kernel's _text in its file */
    struct probefile_places places;
    const char *missing;        /* why inlined copies are missing in `places`; NULL: none are */
    struct argument *arguments; /* those in the text */
    size_t count, cap;
    struct arena *arena;
};

struct argument {
    struct span text;
    const char *wrong, *first; /* at the last place; at the first place without it; NULL: none */
    size_t without;            /* number of places where it is not known */
};

static void
split_arguments(struct search *s)
{
    for (struct span rest = s->text.arguments; rest.len > 0;) {
        const struct argument added = {.text = span_trim(span_take(&rest, ','))};
        MEM_ADD(s->arguments, s->count, s->cap, added);
    }
}

static void
note(struct search *s, const char *text)
{
    struct probe *p = s->probe;
    MEM_ADD(p->notes, p->nnotes, p->notes_cap, text);
}

static const char *
nothing_known(struct search *s)
{
    return message(s->arena, "the debug information of %s has no variables of '%.*s'", s->file.path,
                   SPAN_ARG(s->text.name));
}

static void
add_arguments(struct search *s, const struct probearg_site *site, struct probeargs *args)
{
    probeargs_free(args);
    for (size_t i = 0; i < s->count; i++)
        s->arguments[i].wrong = probeargs_add(args, s->arguments[i].text, site, s->arena);
}

/* Find the arguments at a place. If they are complete only after the prologue of a function, move
 * the place there. */
static const char *
find_arguments(struct search *s, struct probefile_place *place, struct probeargs *args)
{
    struct varplace cfa;
    struct probearg_site site;
    const struct probe_text *t = &s->text;
    for (int pass = 0; pass < 2; pass++) {
        if (!probefile_site(&s->file, place, &s->scope, &cfa, &site))
            return nothing_known(s);
        site.returns = t->returns;
        if (s->of_kernel)
            site.bias = UINT64_MAX; /* its data cannot be found by offset */
        add_arguments(s, &site, args);
        if (!args->framed || place->kind != PROBEFILE_FUNCTION || pass > 0)
            break;
        if (probefile_is_optimized(&site))
            return message(s->arena,
                           "'%.*s' stores an argument in memory only after its first "
                           "instruction: name a source line of it (--list-lines)",
                           SPAN_ARG(t->function));
        place->address = probefile_after_prologue(&site);
    }
    for (size_t i = 0; i < s->count; i++) {
        struct argument *a = &s->arguments[i];
        a->without += a->wrong != NULL;
        a->first = a->first != NULL ? a->first : a->wrong;
    }
    return NULL;
}

static const char *
add_place(struct search *s, struct probefile_place place)
{
    struct probeargs args = {0};
    uint64_t offset;
    const char *wrong = s->count > 0 ? find_arguments(s, &place, &args) : NULL;
    if (wrong == NULL && s->of_kernel)
        add_offset(s->probe, place.address - s->kernel_text, &args, s->arena);
    else if (wrong == NULL && probefile_offset(&s->file, place.address, &offset))
        add_offset(s->probe, offset, &args, s->arena);
    probeargs_free(&args);
    return wrong;
}

/* Append the inlined copies of the function. The kernel refuses kprobes in some of its code: then
 * nothing would be sampled because of one copy. */
static void
find_copies(struct search *s, bool exact)
{
    if (!s->of_kernel)
        s->missing = probefile_find_copies(&s->file, s->text.function, exact, &s->places);
}

/* Find the places that the probe is about. */
static const char *
find_places(struct search *s)
{
    struct function f;
    if (s->text.line != 0)
        return probefile_find_line(&s->file, s->text.source, s->text.line, &s->places);
    const char *wrong = function_find(&f, span_cstr(s->file.path), s->text.function, s->arena);
    for (size_t i = 0; wrong == NULL && i < f.count; i++) {
        struct probefile_place place = {.kind = PROBEFILE_FUNCTION};
        if (probefile_address(&s->file, f.offsets[i], &place.address))
            MEM_ADD(s->places.list, s->places.count, s->places.cap, place);
    }
    bool too_many = wrong != NULL && f.count > 0;
    if (!too_many)
        find_copies(s, f.exact);
    function_free(&f);
    return s->places.count > 0 ? NULL : s->missing != NULL ? s->missing : wrong;
}

/* Without debug information, find a function alone, not its inlined copies. */
static const char *
find_function(struct probe *p, const struct probe_text *t, struct arena *a)
{
    struct function f;
    const struct probeargs none = {0};
    const char *wrong = function_find(&f, span_cstr(p->file), t->function, a);
    for (size_t i = 0; wrong == NULL && i < f.count; i++)
        add_offset(p, f.offsets[i], &none, a);
    function_free(&f);
    return wrong;
}

static const char *
no_file(struct span file, struct arena *a)
{
    struct function f;
    const char *wrong = function_find(&f, file, SPAN(""), a);
    function_free(&f);
    return wrong;
}

/* Leave out inlined copies, which do not return in a way that the kernel sees. */
static const char *
leave_out_copies(struct search *s)
{
    struct probefile_places *l = &s->places;
    size_t kept = 0, all = l->count;
    for (size_t i = 0; i < all; i++)
        if (l->list[i].kind != PROBEFILE_COPY)
            l->list[kept++] = l->list[i];
    l->count = kept;
    if (kept == all)
        return NULL;
    const char *n = NUM_TEXT(all - kept), *plural = all - kept == 1 ? "" : "s";
    if (kept == 0)
        return message(s->arena,
                       "'%.*s' was inlined wherever it is called, at %s place%s, so its returns "
                       "cannot be sampled: leave out %%return",
                       SPAN_ARG(s->text.function), n, plural);
    note(s, message(s->arena, "'%.*s' was inlined at %s place%s, where its returns are not sampled",
                    SPAN_ARG(s->text.function), n, plural));
    return NULL;
}

/* Note the arguments that are not known at some places. If one is known nowhere, return why. */
static const char *
check_arguments(struct search *s)
{
    for (size_t i = 0; i < s->count; i++) {
        const struct argument *a = &s->arguments[i];
        if (a->without == s->places.count)
            return a->first;
        if (a->without > 0)
            note(s, message(s->arena, "at %s of %s places of '%.*s', samples have no '%.*s': %s",
                            NUM_TEXT(a->without), NUM_TEXT(s->places.count), SPAN_ARG(s->text.name),
                            SPAN_ARG(a->text), a->first));
    }
    return NULL;
}

/* Find the instructions, and the arguments at each. */
static const char *
find_all(struct search *s)
{
    struct probe *p = s->probe;
    split_arguments(s);
    const char *wrong = find_places(s);
    if (wrong == NULL && s->missing != NULL)
        note(s, s->missing);
    if (wrong == NULL && s->text.returns)
        wrong = leave_out_copies(s);
    for (size_t i = 0; i < s->places.count && wrong == NULL; i++)
        wrong = add_place(s, s->places.list[i]);
    if (wrong == NULL && p->count == 0)
        wrong = message(s->arena, "%s does not contain the code of '%.*s'", s->file.path,
                        SPAN_ARG(p->name));
    return wrong != NULL ? wrong : check_arguments(s);
}

static void
close_search(struct search *s)
{
    scope_free(&s->scope);
    free(s->places.list);
    free(s->arguments);
    probefile_close(&s->file);
}

/* The places of the kernel's file with debug information: see perf's vmlinux_path__init(). */
static const char *
find_vmlinux(struct arena *a)
{
    static const char *const places[] = {"/usr/lib/debug/boot/vmlinux-%s",
                                         "/usr/lib/debug/lib/modules/%s/vmlinux",
                                         "/lib/modules/%s/build/vmlinux", "/boot/vmlinux-%s"};
    struct utsname u;
    uname(&u);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct span place = span_cstr(places[i]);
        size_t at = span_find(place, '%');
        struct span after = span_from(place, at + 2);
        const char *path =
            message(a, "%.*s%s%.*s", SPAN_ARG(span_head(place, at)), u.release, SPAN_ARG(after));
        if (function_file(span_cstr(path), a) != NULL)
            return path;
    }
    return NULL;
}

static const char no_vmlinux[] =
    "variables and lines of the kernel need its debug information: there is no vmlinux of this "
    "kernel in /usr/lib/debug, /boot or /lib/modules; install its debug package";

/* Find a function of the kernel by its name, which needs no debug information. */
static const char *
find_kernel_function(struct probe *p, const struct probe_text *t, struct arena *a)
{
    const struct probeargs none = {0};
    for (size_t i = 0; i < t->function.len; i++)
        if (!is_word(t->function.ptr[i]) && t->function.ptr[i] != '.')
            return message(a, "'%.*s' is not the name of a function of the kernel",
                           SPAN_ARG(t->function));
    p->symbol = arena_cstr(a, t->function);
    add_offset(p, 0, &none, a);
    return NULL;
}

static const char *
find_in_kernel(struct search *s)
{
    struct probe *p = s->probe;
    uint64_t text;
    if (s->text.line == 0 && s->text.arguments.len == 0)
        return find_kernel_function(p, &s->text, s->arena);
    const char *path = find_vmlinux(s->arena);
    if (path == NULL)
        return no_vmlinux;
    const char *wrong = probefile_open(&s->file, path, s->arena);
    if (wrong != NULL)
        return wrong;
    /* The kernel is loaded at another address than in the file. */
    p->symbol = "_text";
    if (!probefile_symbol(&s->file, SPAN("_text"), &text))
        return message(s->arena, "%s has no symbol '_text'", path);
    s->kernel_text = text;
    return find_all(s);
}

const char *
probe_find(struct probe *p, struct span file, struct span text, struct arena *a)
{
    struct search s = {.probe = p, .text = split(text), .arena = a};
    *p = (struct probe){.name = s.text.name, .returns = s.text.returns};
    if (s.text.line != 0 && s.text.returns)
        return "%return goes with a function, not with a line";
    const char *wrong;
    if (span_eq(file, PROBE_KERNEL)) {
        s.of_kernel = true;
        wrong = find_in_kernel(&s);
        close_search(&s);
        return wrong;
    }
    p->file = function_file(file, a);
    if (p->file == NULL)
        return no_file(file, a);
    bool is_plain = s.text.line == 0 && s.text.arguments.len == 0;
    wrong = probefile_open(&s.file, p->file, a);
    if (wrong == NULL)
        wrong = find_all(&s);
    else if (is_plain)
        wrong = find_function(p, &s.text, a);
    close_search(&s);
    return wrong;
}

void
probe_free(struct probe *p)
{
    for (size_t i = 0; i < p->count; i++) {
        free(p->events[i].offsets);
        free(p->events[i].fetch);
    }
    free(p->events);
    free(p->notes);
    *p = (struct probe){0};
}

/* Printing */

/* Open the file of "FILE:TEXT", and find the places of the text. */
static const char *
open_spec(struct search *s, struct span spec, struct arena *a)
{
    size_t colon = span_find(spec, ':');
    *s = (struct search){.arena = a};
    if (colon == SPAN_NONE || colon + 1 == spec.len)
        return "write FILE:FUNCTION";
    s->text = split(span_from(spec, colon + 1));
    struct span file = span_head(spec, colon);
    s->of_kernel = span_eq(file, PROBE_KERNEL);
    const char *path = s->of_kernel ? find_vmlinux(a) : function_file(file, a);
    if (path == NULL)
        return s->of_kernel ? no_vmlinux : no_file(file, a);
    const char *wrong = probefile_open(&s->file, path, a);
    return wrong != NULL ? wrong : find_places(s);
}

static void
print_variable(struct search *s, const struct variable *v, struct out *out)
{
    struct text line = {0};
    text_add(&line, SPAN("\t\t"));
    type_name(&line, s->file.dwarf, &v->die.values[DIE_TYPE]);
    size_t tab = line.len;
    TEXT_ADD(&line, SPAN("\t"), die_text(&v->die, s->file.dwarf, DIE_NAME));
    dwarf_mask(&line);
    line.ptr[0] = line.ptr[1] = line.ptr[tab] = '\t';
    out_span(out, text_span(&line));
    out_span(out, SPAN("\n"));
    free(line.ptr);
}

static void
print_masked(struct out *out, struct span text)
{
    struct text masked = {0};
    text_add(&masked, text);
    dwarf_mask(&masked);
    out_span(out, text_span(&masked));
    free(masked.ptr);
}

/* Print "@<parse+11>"; for an inlined copy, as perf does, the function into which it is inlined. */
static void
print_place(struct search *s, const struct probefile_place *place, struct out *out)
{
    const struct die *f = place->kind == PROBEFILE_COPY ? &s->scope.code : &s->scope.function;
    const uint64_t address = place->address;
    uint64_t start;
    out_span(out, SPAN("\t@<"));
    print_masked(out, die_text(f, s->file.dwarf, DIE_NAME));
    if (value_address(f->at.units, f->at.unit, &f->values[DIE_LOW_PC].v, &start) &&
        start <= address) {
        out_char(out, '+');
        out_u64(out, address - start);
    }
    out_span(out, SPAN(">\n"));
}

/* Print the variables that can be fetched at a place, or after the prologue of a function. */
static const char *
print_variables_at(struct search *s, struct probefile_place *place, struct out *out)
{
    struct varplace cfa;
    struct probearg_site site;
    bool framed, later = false;
    size_t printed = 0;
    if (!probefile_site(&s->file, place, &s->scope, &cfa, &site))
        return nothing_known(s);
    for (size_t i = 0; i < s->scope.count; i++)
        later |= probeargs_try(&s->scope.list[i], &site, &framed, s->arena) == NULL && framed;
    if (later && place->kind == PROBEFILE_FUNCTION && !probefile_is_optimized(&site)) {
        place->address = probefile_after_prologue(&site);
        if (!probefile_site(&s->file, place, &s->scope, &cfa, &site))
            return nothing_known(s);
    }
    print_place(s, place, out);
    for (size_t i = 0; i < s->scope.count; i++) {
        const struct variable *v = &s->scope.list[i];
        if (probeargs_try(v, &site, &framed, s->arena) != NULL)
            continue;
        print_variable(s, v, out);
        printed++;
    }
    if (printed == 0)
        out_span(out, SPAN("\t\t(no variables that can be fetched)\n"));
    return NULL;
}

const char *
probe_print_variables(struct span spec, struct out *out, const char **note, struct arena *a)
{
    struct search s;
    const char *wrong = open_spec(&s, spec, a);
    *note = s.missing;
    if (wrong == NULL)
        out_format(out, "Available variables at %.*s\n", SPAN_ARG(s.text.name));
    for (size_t i = 0; i < s.places.count && wrong == NULL; i++)
        wrong = print_variables_at(&s, &s.places.list[i], out);
    close_search(&s);
    return wrong;
}

/* The lines of a function that have code, at any of its places. */
struct listing {
    struct text path;
    uint64_t declared; /* its first line */
    uint32_t *lines;
    size_t count, cap;
};

struct listings {
    struct listing *list;
    size_t count, cap;
};

/* Rows of a line table that belong to a place. */
struct place_rows {
    uint64_t address; /* of its first instruction */
    struct cover code;
    uint64_t file; /* the function's, in the line table */
    bool known;    /* `file` is */
    struct listing *to;
};

static void
find_file(void *ctx, const struct linetable_row *row)
{
    struct place_rows *r = ctx;
    if (r->known || row->address != r->address)
        return;
    r->file = row->file;
    r->known = true;
}

static void
add_listed(void *ctx, const struct linetable_row *row)
{
    struct place_rows *r = ctx;
    if (row->line > 0 && row->file == r->file && cover_find(&r->code, row->address) != COVER_NONE)
        MEM_ADD(r->to->lines, r->to->count, r->to->cap, row->line);
}

/* Return the listing of a function, which is a new one if it has none. */
static struct listing *
listing_of(struct listings *l, struct span path, uint64_t declared)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->list[i].declared == declared && span_eq(text_span(&l->list[i].path), path))
            return &l->list[i];
    MEM_ADD(l->list, l->count, l->cap, (struct listing){.declared = declared});
    text_add(&l->list[l->count - 1].path, path);
    return &l->list[l->count - 1];
}

static int
by_line(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void
sort_lines(struct listing *l)
{
    size_t n = 0;
    if (l->count > 0)
        qsort(l->lines, l->count, sizeof *l->lines, by_line);
    for (size_t i = 0; i < l->count; i++)
        if (n == 0 || l->lines[n - 1] != l->lines[i])
            l->lines[n++] = l->lines[i];
    l->count = n;
}

/* Print the lines from `first` to the last one of the list, with numbers at those of the list.
 * Return NULL, or why the source cannot be read. */
static const char *
print_source(const struct listing *l, const char *path, uint64_t first, struct out *out)
{
    struct regular_file file;
    struct lines lines = {0};
    struct span line;
    size_t at = 0;
    const char *wrong = regular_open(&file, path, NULL);
    if (wrong == NULL)
        regular_lines(&file, &lines);
    while (wrong == NULL && at < l->count && lines_next(&lines, &line)) {
        if (lines.number < first)
            continue;
        if (lines.number == l->lines[at])
            out_format(out, "%7u  ", l->lines[at++]);
        else
            out_format(out, "%7s  ", "");
        for (size_t i = 0; i < line.len; i++)
            out_char(out, is_space(line.ptr[i]) || (unsigned char)line.ptr[i] >= ' ' ? line.ptr[i]
                                                                                     : '?');
        out_char(out, '\n');
    }
    if (at < l->count && wrong == NULL)
        wrong = lines.error != 0 ? regular_error(lines.error) : "has fewer lines than the code";
    for (; at < l->count; at++)
        out_format(out, "%7u\n", l->lines[at]);
    lines_free(&lines);
    regular_close(&file);
    return wrong;
}

/* Add the lines that have code at a place. */
static const char *
list_lines_at(struct search *s, const struct probefile_place *place, struct listings *to)
{
    struct varplace cfa;
    struct probearg_site site;
    struct linetable table = {.all = true};
    struct ranges ranges = {0};
    struct text path = {0};
    if (!probefile_site(&s->file, place, &s->scope, &cfa, &site))
        return nothing_known(s);
    const struct dwarf_entry *unit = &s->scope.unit.at;
    const struct die *function = &s->scope.function;
    const struct die_value *declared_in = &function->values[DIE_FILE];
    struct place_rows r = {.address = place->address,
                           .file = declared_in->v.number,
                           .known = declared_in->v.form != 0 && declared_in->of.unit == unit->unit};
    die_ranges(function, &ranges);
    cover_make(&r.code, &ranges, NULL);
    linetable_read(&table, unit->units, unit->unit);
    linetable_each(&table, find_file, &r);
    probefile_source(&s->file, unit, &table, r.file, &path);
    r.to = listing_of(to, text_span(&path), function->values[DIE_LINE].v.number);
    if (r.known)
        linetable_each(&table, add_listed, &r);
    sort_lines(r.to);
    free(path.ptr);
    ranges_free(&ranges);
    cover_free(&r.code);
    linetable_free(&table);
    return NULL;
}

static void
print_listing(struct search *s, const struct listing *l, struct out *out, const char **note)
{
    const struct span path = text_span(&l->path);
    const char *file = arena_cstr(s->arena, path);
    uint64_t first = l->count > 0 && l->declared > l->lines[0] ? l->lines[0] : l->declared;
    out_span(out, SPAN("<"));
    print_masked(out, s->text.function);
    out_format(out, "@%.*s>\n", SPAN_ARG(path));
    const char *wrong = print_source(l, file, first, out);
    if (wrong != NULL)
        *note = message(s->arena, "%s: %s: only the numbers of its lines are printed", file, wrong);
}

const char *
probe_print_lines(struct span spec, struct out *out, const char **note, struct arena *a)
{
    struct search s;
    struct listings listings = {0};
    const char *wrong = open_spec(&s, spec, a);
    *note = s.missing;
    if (wrong == NULL && s.text.line != 0)
        wrong = "write FILE:FUNCTION";
    for (size_t i = 0; i < s.places.count && wrong == NULL; i++)
        wrong = list_lines_at(&s, &s.places.list[i], &listings);
    for (size_t i = 0; i < listings.count; i++) {
        if (wrong == NULL)
            print_listing(&s, &listings.list[i], out, note);
        free(listings.list[i].path.ptr);
        free(listings.list[i].lines);
    }
    free(listings.list);
    close_search(&s);
    return wrong;
}
