#include "cmd/stackcollapse/build/inline.h"

#include <stdio.h>
#include <stdlib.h>

#include "cmd/stackcollapse/build/dialect.h"
#include "common/base/intern.h"
#include "common/base/num.h"
#include "common/base/text.h"
#include "common/demangle/demangle.h"
#include "common/symbolize/debuginfo.h"

/* A file that frames name as their DSO. */
struct binary {
    struct dsofile file; /* file.symbols NULL: it cannot be read, or names nothing */
    bool listed;         /* its symbols have been read, which are: */
    struct intern symbols;
    uint64_t *addresses; /* by symbol number */
    size_t addresses_cap;
    bool told; /* that its debug information cannot be read any more */
};

struct call {
    struct span function; /* demangled; "??" if it is not known */
    struct span source;   /* "file.c:12"; "file.c:?" and "??:0" if some of it is not known */
};

/* The calls at an address, the outermost first. */
struct answer {
    struct call *calls;
    size_t count;
    bool nowhere; /* the file has no such address */
};

struct inliner {
    struct diag *diag;
    bool raw;     /* the dialect's raw_inlined */
    bool context; /* add source lines */
    struct dsofile_search search;
    struct elffiles files;
    struct debuginfo info;
    struct intern paths;
    struct binary *binaries; /* by path number */
    size_t binaries_cap;
    struct intern questions; /* path number and address, as bytes */
    struct answer *answers;  /* by question number */
    size_t answers_cap;
    struct text text;
    struct arena arena, scratch;
};

struct inliner *
inliner_new(const struct options *o, struct diag *diag)
{
    struct inliner *in = mem_alloc(sizeof *in);
    *in =
        (struct inliner){.diag = diag,
                         .info.diag = diag,
                         .raw = o->dialect->raw_inlined,
                         .context = o->context,
                         .search = {.symfs = "", .cache = "", .debug = o->debug_dir, .info = true}};
    in->info.cache.search = &in->search;
    if (!in->raw) {
        in->search.debuginfod = debuginfod_cache_dir();
        in->search.servers = o->servers;
    }
    return in;
}

/* Return true if the DSO can have inlined calls. In both dialects none are looked up in names that
 * match /(perf-\d+.map|kernel\.|\[[^\]]+\])/. */
static bool
is_wanted(struct span dso)
{
    if (dso.len == 0 || span_holds(dso, SPAN("kernel.")))
        return false;
    for (size_t at = 0; at < dso.len; at++) {
        struct span s = span_from(dso, at);
        size_t close = s.ptr[0] == '[' ? span_find(s, ']') : SPAN_NONE;
        if (close != SPAN_NONE && close > 1)
            return false;
        if (!span_starts(s, SPAN("perf-")))
            continue;
        size_t digits = span_run(s, 5, is_digit);
        if (digits > 0 && s.len > 5 + digits &&
            span_starts(span_from(s, 5 + digits + 1), SPAN("map")))
            return false;
    }
    return true;
}

static struct binary *
find_binary(struct inliner *in, struct span name, uint32_t *number)
{
    if (!intern_put(&in->paths, name, number))
        return &in->binaries[*number];
    in->binaries = mem_grow(in->binaries, &in->binaries_cap, in->paths.count, sizeof *in->binaries);
    struct binary *b = &in->binaries[*number];
    *b = (struct binary){.listed = false};
    const char *path = arena_cstr(&in->arena, name);
    dsofile_open(&b->file, &in->files, &in->search, name, SPAN(""), path);
    if (b->file.problem != NULL && path[0] == '/') /* and not "inlined" or "anon_inode:..." */
        diag_warn(in->diag, "binaries that cannot be read", (struct place){path, 0},
                  "%s: calls inlined there are not shown", b->file.problem);
    else if (b->file.unusable != NULL)
        diag_warn(in->diag, "binaries that cannot be read", (struct place){b->file.unusable, 0},
                  "%s: calls inlined in %s may be missing", b->file.unusable_why, path);
    return b;
}

/* The name of a function as it is shown; it is copied. */
static struct span
function_name(struct inliner *in, struct span name)
{
    in->text.len = 0;
    if (demangle(&in->scratch, name, DEMANGLE_FULL, &in->text))
        name = text_span(&in->text);
    struct span copy = arena_copy(&in->arena, name.len > 0 ? name : SPAN("??"));
    arena_reset(&in->scratch);
    return copy;
}

static struct span
source_text(struct inliner *in, const struct dwarf_call *c)
{
    char digits[NUM_DIGITS];
    text_set(&in->text, c->file.len > 0 ? c->file : SPAN("??"));
    text_add(&in->text, SPAN(":"));
    text_add(&in->text, c->line > 0 ? num_decimal(digits, c->line) : SPAN("?"));
    return arena_copy(&in->arena, text_span(&in->text));
}

static struct answer
find_calls(struct inliner *in, struct binary *b, uint64_t address)
{
    const struct dwarf_call *found = NULL;
    const struct elffile *info = b->file.info != NULL ? b->file.info : b->file.symbols;
    size_t n = debuginfo_find(&in->info, info, address, &found);
    if (info != NULL && info->content.problem != NULL && !b->told) {
        b->told = true;
        diag_warn(in->diag, "binaries that cannot be read", (struct place){dsofile_path(info), 0},
                  "%s: inlined calls may be missing", info->content.problem);
    }
    struct answer a = {.count = n > 0 ? n : 1, .nowhere = n == 0};
    a.calls = arena_alloc(&in->arena, a.count * sizeof *a.calls);
    if (n == 0)
        a.calls[0] = (struct call){SPAN("??"), SPAN("??:0")};
    for (size_t i = 0; i < n; i++)
        a.calls[n - 1 - i] =
            (struct call){function_name(in, found[i].function), source_text(in, &found[i])};
    return a;
}

/* The number of the answer for an address of the file, which is looked up once. */
static uint32_t
look_up(struct inliner *in, uint32_t number, uint64_t address)
{
    char key[sizeof number + sizeof address];
    memcpy(key, &number, sizeof number);
    memcpy(key + sizeof number, &address, sizeof address);
    uint32_t q;
    if (intern_put(&in->questions, span_of(key, sizeof key), &q)) {
        in->answers =
            mem_grow(in->answers, &in->answers_cap, in->questions.count, sizeof *in->answers);
        in->answers[q] = find_calls(in, &in->binaries[number], address);
    }
    return q;
}

/* Reads the addresses of the symbols. Of equal names the first counts. */
static void
list_symbols(struct binary *b)
{
    const struct elf *e = &b->file.symbols->elf;
    Elf64_Shdr table, strings;
    Elf64_Sym s;
    b->listed = true;
    if (!elf_find_section(e, SHT_SYMTAB, SPAN(""), &table) ||
        !elf_section(e, table.sh_link, &strings))
        return;
    struct view symbols = elf_section_view(e, &table, VIEW_TABLE);
    struct view names = elf_section_view(e, &strings, VIEW_TABLE);
    size_t n = elf_count(e, &table);
    for (size_t i = 1; i < n && elf_symbol(e, &symbols, i, &s); i++) {
        uint32_t symbol;
        struct span name = view_string(&names, s.st_name);
        if (s.st_shndx == SHN_UNDEF || name.len == 0 || !intern_put(&b->symbols, name, &symbol))
            continue;
        b->addresses =
            mem_grow(b->addresses, &b->addresses_cap, b->symbols.count, sizeof *b->addresses);
        b->addresses[symbol] = s.st_value;
    }
    view_free(&symbols);
    view_free(&names);
}

/* The frame's address in the file, from its symbol and offset. */
static bool
file_address(struct binary *b, const struct frame *f, uint64_t *address)
{
    uint64_t offset;
    if (f->offset.len < 2 || !num_hex(span_from(f->offset, 1), &offset))
        return false;
    if (!b->listed)
        list_symbols(b);
    uint32_t symbol = intern_find(&b->symbols, f->sym);
    if (symbol == INTERN_NONE)
        return false;
    *address = b->addresses[symbol] + offset;
    return true;
}

/* The calls at the frame's address; none where the DSO cannot be read. */
static struct answer
ask(struct inliner *in, const struct frame *f)
{
    uint32_t number;
    uint64_t address;
    struct binary *b = find_binary(in, f->dso, &number);
    if (b->file.symbols == NULL || !num_hex(f->addr, &address))
        return (struct answer){.count = 0};
    uint32_t q = look_up(in, number, address);
    struct answer a = in->answers[q];
    /* The address may be the process's and not the file's. */
    if (a.nowhere && file_address(b, f, &address))
        a = in->answers[look_up(in, number, address)];
    if (in->raw) { /* there the first symbol seen at an address counts for all others */
        a.nowhere = false;
        in->answers[q] = a;
    }
    return a;
}

/* Add all names as they are. False where nothing is known. */
static bool
add_raw(struct foldname *n, const struct answer *a, bool context)
{
    const struct call *c = a->calls;
    if (a->count == 1 && span_eq(c->function, SPAN("??")) &&
        (!context || span_eq(c->source, SPAN("??:0"))))
        return false;
    for (; c < a->calls + a->count; c++) {
        text_add(&n->text, c->function);
        if (context) {
            text_add(&n->text, SPAN(":"));
            text_add(&n->text, c->source);
        }
        foldname_push(n);
    }
    return true;
}

static void
add_source(struct foldname *n, struct span source, bool context)
{
    size_t at = n->text.len;
    if (!context || span_starts(source, SPAN("??:")))
        return;
    text_add(&n->text, SPAN(":"));
    text_add(&n->text, source);
    foldname_replace(n, at, ';', ':');
}

/* Add the calls as frames. The first call is the outermost function, which contains the others. The
 * name that the debug information has for that one is used only where perf has no symbol: it
 * depends on how the function was declared. */
static bool
add_calls(struct foldname *n, const struct frame *f, bool java, const struct answer *a,
          bool context)
{
    const struct call *c = a->calls;
    bool unnamed = frame_is_nameless(f);
    if (unnamed && span_eq(c->function, SPAN("??")))
        return false;
    foldname_write_symbol(n, unnamed ? c->function : f->sym, f, java);
    foldname_annotate(n, f);
    add_source(n, c->source, context);
    foldname_push(n);
    while (++c < a->calls + a->count) {
        foldname_write_symbol(n, c->function, f, java);
        foldname_annotate_inlined(n);
        add_source(n, c->source, context);
        foldname_push(n);
    }
    return true;
}

bool
inliner_add(struct foldname *n, const struct frame *f, bool java)
{
    struct inliner *in = n->ctx;
    struct answer a = {.count = 0};
    if (is_wanted(f->dso))
        a = ask(in, f);
    if (a.count == 0)
        return false;
    return in->raw ? add_raw(n, &a, in->context) : add_calls(n, f, java, &a, in->context);
}

void
inliner_free(struct inliner *in)
{
    if (in == NULL)
        return;
    for (size_t i = 0; i < in->paths.count; i++) {
        intern_free(&in->binaries[i].symbols);
        free(in->binaries[i].addresses);
    }
    free(in->binaries);
    intern_free(&in->paths);
    intern_free(&in->questions);
    free(in->answers);
    debuginfo_free(&in->info);
    elffiles_close(&in->files);
    free(in->text.ptr);
    arena_free(&in->arena);
    arena_free(&in->scratch);
    free(in);
}
