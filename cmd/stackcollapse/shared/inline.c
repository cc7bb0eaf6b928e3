#include "cmd/stackcollapse/shared/inline.h"

#include <stdlib.h>

#include "common/base/intern.h"
#include "common/base/num.h"
#include "common/base/text.h"
#include "common/base/vec.h"
#include "common/demangle/demangle.h"
#include "common/symbolize/debuginfo.h"

/* A file that is the DSO of frames. */
struct binary {
    struct dsofile file; /* file.symbols NULL: it cannot be read, or has no names */
    bool listed;         /* its symbols have been read, and are: */
    struct intern symbols;
    VEC(uint64_t) addresses; /* for each symbol number */
    bool reported;           /* that its debug information became unreadable was reported */
};

struct inliner {
    struct diag *diag;
    bool raw;     /* raw_inlined of the dialect */
    bool context; /* add source lines */
    struct dsofile_search search;
    struct elffiles files;
    struct debuginfo info;
    struct intern paths;
    VEC(struct binary) binaries; /* for each path number */
    /* With raw names: path number and address of frames, and the address that was looked up for
     * it. */
    struct intern questions;
    VEC(uint64_t) addresses; /* for each question number */
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

/* Return true if the DSO can have inlined calls. Neither dialect looks them up in names that match
 * /(perf-\d+.map|kernel\.|\[[^\]]+\])/. */
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
        return &in->binaries.at[*number];
    VEC_REACH(in->binaries, in->paths.count);
    struct binary *b = &in->binaries.at[*number];
    const char *path = arena_cstr(&in->arena, name);
    dsofile_open(&b->file, &in->files, &in->search, name, SPAN(""), path);
    if (b->file.problem != NULL && path[0] == '/') /* not for "inlined" or "anon_inode:..." */
        diag_warn(in->diag, "binaries that cannot be read", (struct place){path, 0},
                  "%s: calls inlined there are not shown", b->file.problem);
    else if (b->file.unusable != NULL)
        diag_warn(in->diag, "binaries that cannot be read", (struct place){b->file.unusable, 0},
                  "%s: calls inlined in %s may be missing", b->file.unusable_why, path);
    return b;
}

/* Return the name of a function as it is printed; valid until the next call. */
static struct span
function_name(struct inliner *in, struct span name)
{
    in->text.len = 0;
    if (demangle(&in->scratch, name, DEMANGLE_FULL, &in->text))
        name = text_span(&in->text);
    arena_reset(&in->scratch);
    return name.len > 0 ? name : SPAN("??");
}

/* Append ":file.c:12" to a name, with "?" for unknown parts. */
static void
write_source(struct text *name, const struct dwarf_call *c)
{
    char digits[NUM_DIGITS];
    TEXT_ADD(name, SPAN(":"), c->file.len > 0 ? c->file : SPAN("??"), SPAN(":"),
             c->line > 0 ? num_decimal(digits, c->line) : SPAN("?"));
}

/* As debuginfo_find, for a binary that can be read. */
static size_t
find_calls(struct inliner *in, struct binary *b, uint64_t address, const struct dwarf_call **calls)
{
    const struct elffile *info = dsofile_info(&b->file);
    size_t n = debuginfo_find(&in->info, info, address, calls);
    if (info->content.problem != NULL && !b->reported) {
        b->reported = true;
        diag_warn(in->diag, "binaries that cannot be read", (struct place){dsofile_path(info), 0},
                  "%s: inlined calls may be missing", info->content.problem);
    }
    return n;
}

/* Read the addresses of the symbols. Of equal names the first one counts. */
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
        if (s.st_shndx != SHN_UNDEF && name.len > 0 && intern_put(&b->symbols, name, &symbol))
            VEC_ADD(b->addresses, s.st_value);
    }
    view_free(&symbols);
    view_free(&names);
}

/* Set *address to the frame's address in the file, computed from its symbol and offset. */
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
    *address = b->addresses.at[symbol] + offset;
    return true;
}

/* Find the calls at the frame's address, innermost first. If the file has no such address, set *n
 * to 0. Return false if the DSO cannot be read. */
static bool
ask(struct inliner *in, const struct frame *f, const struct dwarf_call **calls, size_t *n)
{
    uint32_t number, question;
    uint64_t address = f->ip, other;
    struct binary *b = find_binary(in, f->dso, &number);
    if (b->file.symbols == NULL || !f->has_ip)
        return false;
    const uint64_t key[] = {number, address};
    if (in->raw && !intern_put(&in->questions, SPAN_BYTES(key), &question)) {
        /* there, the first symbol seen at an address counts for all others */
        *n = find_calls(in, b, in->addresses.at[question], calls);
        return true;
    }
    *n = find_calls(in, b, address, calls);
    /* The address may be one of the process instead of the file. */
    if (*n == 0 && file_address(b, f, &other))
        *n = find_calls(in, b, address = other, calls);
    if (in->raw)
        VEC_ADD(in->addresses, address);
    return true;
}

/* Add all names unchanged. Return false if there are none. */
static bool
add_raw(struct foldname *n, const struct dwarf_call *calls, size_t count)
{
    struct inliner *in = n->ctx;
    if (count == 0 || (count == 1 && calls->function.len == 0 && !in->context))
        return false;
    while (count-- > 0) {
        text_add(&n->text, function_name(in, calls[count].function));
        if (in->context)
            write_source(&n->text, &calls[count]);
        foldname_push(n);
    }
    return true;
}

/* Finish a frame that was composed in n->text. With --context, append its source line. */
static void
push(struct foldname *n, const struct dwarf_call *c)
{
    const struct inliner *in = n->ctx;
    size_t at = n->text.len;
    if (in->context && c->file.len > 0)
        write_source(&n->text, c);
    foldname_replace(n, at, ';', ':');
    foldname_push(n);
}

/* Add the calls as frames. The last call is the outermost function, which contains the others. Its
 * name in the debug information depends on how it was declared: use that only if perf has no
 * symbol. */
static bool
add_calls(struct foldname *n, const struct frame *f, bool java, const struct dwarf_call *calls,
          size_t count)
{
    static const struct dwarf_call nothing = {.function = {"", 0}, .file = {"", 0}};
    const struct dwarf_call *outermost = count > 0 ? &calls[count - 1] : &nothing;
    bool unnamed = frame_is_nameless(f);
    if (unnamed && outermost->function.len == 0)
        return false;
    foldname_write_symbol(n, unnamed ? function_name(n->ctx, outermost->function) : f->sym, f,
                          java);
    foldname_annotate(n, f);
    push(n, outermost);
    for (size_t i = count > 0 ? count - 1 : 0; i-- > 0;) {
        foldname_write_symbol(n, function_name(n->ctx, calls[i].function), f, java);
        foldname_annotate_inlined(n);
        push(n, &calls[i]);
    }
    return true;
}

bool
inliner_add(struct foldname *n, const struct frame *f, bool java)
{
    struct inliner *in = n->ctx;
    const struct dwarf_call *calls;
    size_t count;
    if (!is_wanted(f->dso) || !ask(in, f, &calls, &count))
        return false;
    return in->raw ? add_raw(n, calls, count) : add_calls(n, f, java, calls, count);
}

void
inliner_free(struct inliner *in)
{
    if (in == NULL)
        return;
    for (size_t i = 0; i < in->paths.count; i++) {
        intern_free(&in->binaries.at[i].symbols);
        free(in->binaries.at[i].addresses.at);
    }
    free(in->binaries.at);
    intern_free(&in->paths);
    intern_free(&in->questions);
    free(in->addresses.at);
    debuginfo_free(&in->info);
    elffiles_close(&in->files);
    free(in->text.ptr);
    arena_free(&in->arena);
    arena_free(&in->scratch);
    free(in);
}
