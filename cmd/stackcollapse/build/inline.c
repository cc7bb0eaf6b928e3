#include "cmd/stackcollapse/build/inline.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/stackcollapse/build/dialect.h"
#include "cmd/stackcollapse/build/vec.h"
#include "common/base/intern.h"
#include "common/base/num.h"
#include "common/base/text.h"
#include "common/sym/addr2line.h"

/* A file that frames name as their DSO. */
struct binary {
    const char *path; /* NULL: not a file that can be read */
    bool listed;      /* nm has been run; what follows is its output */
    struct intern symbols;
    VEC(uint64_t) addresses; /* by symbol number */
};

struct answer {
    struct span calls; /* as ask returns them */
    bool nowhere;      /* "??" at "??:0": the file has no such address */
};

struct inliner {
    struct diag *diag;
    bool raw;        /* the dialect's raw_inlined */
    bool context;    /* add source lines */
    bool cannot_run; /* there is no addr2line, or it takes too long */
    unsigned late;   /* binaries on which it did */
    struct intern paths;
    VEC(struct binary) binaries; /* by path number */
    struct intern questions;     /* path number and address, as bytes */
    VEC(struct answer) answers;  /* by question number */
    struct addr2line addr2line;
    struct subprocess nm;
    struct text text; /* the answer, innermost call first; or a path */
    struct arena arena;
};

struct inliner *
inliner_new(const struct options *o, struct diag *diag)
{
    struct inliner *in = mem_alloc(sizeof *in);
    *in = (struct inliner){.diag = diag, .raw = o->dialect->raw_inlined, .context = o->context};
    return in;
}

/* Return true if addr2line can be asked about this DSO. In both dialects it is not asked about
 * names that match /(perf-\d+.map|kernel\.|\[[^\]]+\])/. */
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
    struct stat st;
    if (!intern_put(&in->paths, name, number))
        return &in->binaries.at[*number];
    VEC_REACH(in->binaries, in->paths.count);
    struct binary *b = &in->binaries.at[*number];
    /* "./" since "@name" and "-name" mean something else to binutils. */
    TEXT_SET(&in->text, name.ptr[0] == '/' ? SPAN("") : SPAN("./"), name);
    const char *path = arena_cstr(&in->arena, text_span(&in->text));
    /* A FIFO would block addr2line, and us with it. */
    bool readable = stat(path, &st) == 0 && access(path, R_OK) == 0;
    if (readable && S_ISREG(st.st_mode))
        b->path = path;
    else if (name.ptr[0] == '/') /* and not "inlined" or "anon_inode:..." */
        diag_warn(in->diag, "binaries that cannot be read", (struct place){path, 0},
                  "%s: calls inlined there are not shown",
                  readable ? "not a regular file" : strerror(errno));
    return b;
}

/* Copy the calls in in->text, the outermost first. */
static struct span
copy_reversed(struct inliner *in)
{
    struct span rest = text_span(&in->text);
    char *copy = arena_text(&in->arena, rest.len), *at = copy + rest.len;
    while (rest.len > 0) {
        size_t name = span_find(rest, '\n') + 1;
        size_t call = name + span_find(span_from(rest, name), '\n') + 1;
        at -= call;
        memcpy(at, rest.ptr, call);
        rest = span_from(rest, call);
    }
    return span_of(copy, in->text.len);
}

static void
explain(struct inliner *in, struct binary *b, uint64_t address, bool late)
{
    enum { LATE_MOST = 3 };
    if (!late) {
        diag_warn(in->diag, "addresses that addr2line failed on", NOWHERE,
                  "addr2line failed on 0x%" PRIx64 " in %s: try it by hand", address, b->path);
        return;
    }
    in->cannot_run = ++in->late == LATE_MOST;
    diag_warn(in->diag, NULL, NOWHERE,
              "addr2line did not answer within %d seconds on 0x%" PRIx64
              " in %s: no calls inlined in %s",
              ADDR2LINE_SECONDS, address, b->path,
              in->cannot_run ? "any binary from here on" : "that binary");
    b->path = NULL;
}

/* Ask for one address a process that was asked nothing else. The first answer of GNU addr2line
 * gives an inlined function without a linkage name the symbol that covers the address; the second
 * gives its own name. */
static struct answer
run_addr2line(struct inliner *in, struct binary *b, uint64_t address)
{
    if (!addr2line_start(&in->addr2line, b->path)) {
        diag_warn(in->diag, NULL, NOWHERE,
                  "addr2line cannot be run, inlined calls are not shown: install binutils");
        in->cannot_run = true;
        return (struct answer){{"", 0}, false};
    }
    bool whole = addr2line_ask(&in->addr2line, address, &in->text) &&
                 (in->raw || addr2line_ask(&in->addr2line, address, &in->text));
    bool late = in->addr2line.process.late;
    if (!addr2line_end(&in->addr2line) || !whole)
        explain(in, b, address, late);
    return (struct answer){copy_reversed(in),
                           span_eq(text_span(&in->text), SPAN(ADDR2LINE_UNKNOWN))};
}

/* Return the number of the answer for an address of the file. addr2line runs where there is none
 * yet. */
static uint32_t
look_up(struct inliner *in, uint32_t number, uint64_t address)
{
    char key[sizeof number + sizeof address];
    memcpy(key, &number, sizeof number);
    memcpy(key + sizeof number, &address, sizeof address);
    uint32_t q;
    if (intern_put(&in->questions, span_of(key, sizeof key), &q))
        VEC_ADD(in->answers, run_addr2line(in, &in->binaries.at[number], address));
    return q;
}

/* Read the addresses of the symbols: "0000000000401b78 T main". Of equal names the first counts.
 */
static void
list_symbols(struct inliner *in, struct binary *b)
{
    struct span line;
    const char *argv[] = {"nm", "--", b->path, NULL};
    b->listed = true;
    if (!subprocess_start(&in->nm, argv, ADDR2LINE_SECONDS))
        return;
    while (lines_next(&in->nm.lines, &line)) {
        uint64_t address;
        size_t blank = span_find(line, ' ');
        if (blank == SPAN_NONE || line.len < blank + 4 ||
            !num_hex(span_head(line, blank), &address))
            continue;
        uint32_t symbol;
        if (intern_put(&b->symbols, span_from(line, blank + 3), &symbol))
            VEC_ADD(b->addresses, address);
    }
    if (in->nm.late)
        diag_warn(in->diag, "binaries that nm takes long for", NOWHERE,
                  "nm did not print all symbols of %s within %d seconds", b->path,
                  ADDR2LINE_SECONDS);
    subprocess_end(&in->nm);
}

/* Set *address to the frame's address in the file, from its symbol and offset. */
static bool
file_address(struct inliner *in, struct binary *b, const struct frame *f, uint64_t *address)
{
    uint64_t offset;
    if (f->offset.len < 2 || !num_hex(span_from(f->offset, 1), &offset))
        return false;
    if (!b->listed && b->path != NULL)
        list_symbols(in, b);
    uint32_t symbol = intern_find(&b->symbols, f->sym);
    if (symbol == INTERN_NONE)
        return false;
    *address = b->addresses.at[symbol] + offset;
    return true;
}

/* Return the calls at the frame's address, outermost first, two lines for each: the function ("??"
 * where it is not known) and its source line, "file.c:12". Empty where addr2line cannot be run,
 * cannot read the DSO, or prints nothing; the first two are reported. Good until inliner_free. */
static struct span
ask(struct inliner *in, const struct frame *f)
{
    uint32_t number;
    uint64_t address;
    struct binary *b = find_binary(in, f->dso, &number);
    if (b->path == NULL || in->cannot_run || !num_hex(f->addr, &address))
        return (struct span){"", 0};
    uint32_t q = look_up(in, number, address);
    struct answer a = in->answers.at[q];
    /* The address may be the process's and not the file's. */
    if (a.nowhere && file_address(in, b, f, &address))
        a = in->answers.at[look_up(in, number, address)];
    if (in->raw) { /* there the first symbol seen at an address counts for all others */
        a.nowhere = false;
        in->answers.at[q] = a;
    }
    return a.calls;
}

/* Add addr2line's names as they are. False where it knows nothing. */
static bool
add_raw(struct foldname *n, struct span calls, bool context)
{
    struct span name = span_take(&calls, '\n'), source = span_take(&calls, '\n');
    if (calls.len == 0 && span_eq(name, SPAN("??")) && (!context || span_eq(source, SPAN("??:0"))))
        return false;
    for (;; name = span_take(&calls, '\n'), source = span_take(&calls, '\n')) {
        text_add(&n->text, name);
        if (context)
            TEXT_ADD(&n->text, SPAN(":"), source);
        foldname_push(n);
        if (calls.len == 0)
            return true;
    }
}

static void
add_source(struct foldname *n, struct span source, bool context)
{
    size_t at = n->text.len;
    if (!context || span_starts(source, SPAN("??:")))
        return;
    TEXT_ADD(&n->text, SPAN(":"), source);
    foldname_replace(n, at, ';', ':');
}

/* Add the calls as frames. The first call is the outermost function, which contains the others.
 * addr2line's name for that one is used only where perf has no symbol: it depends on how the
 * function was declared. */
static bool
add_calls(struct foldname *n, const struct frame *f, bool java, struct span calls, bool context)
{
    bool unnamed = frame_is_nameless(f);
    if (unnamed && span_starts(calls, SPAN("??\n")))
        return false;
    struct text outermost = {0};
    struct span name = span_take(&calls, '\n'), source = span_take(&calls, '\n');
    foldname_write_symbol(n, unnamed ? name : f->sym, f, java);
    text_add(&outermost, text_span(&n->text));
    foldname_annotate(n, f);
    add_source(n, source, context);
    foldname_push(n);
    while (calls.len > 0) {
        name = span_take(&calls, '\n'), source = span_take(&calls, '\n');
        foldname_write_symbol(n, name, f, java);
        /* addr2line 2.40 gives the innermost function the name of the symbol, where both begin at
         * the same address and the function has no linkage name. That would look like recursion. */
        if (calls.len == 0 && span_eq(text_span(&n->text), text_span(&outermost))) {
            n->text.len = 0;
            break;
        }
        add_source(n, source, context);
        foldname_push(n);
    }
    free(outermost.ptr);
    return true;
}

bool
inliner_add(struct foldname *n, const struct frame *f, bool java)
{
    struct inliner *in = n->ctx;
    struct span calls = is_wanted(f->dso) ? ask(in, f) : SPAN("");
    if (calls.len == 0)
        return false;
    return in->raw ? add_raw(n, calls, in->context) : add_calls(n, f, java, calls, in->context);
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
    free(in->answers.at);
    addr2line_free(&in->addr2line);
    subprocess_free(&in->nm);
    free(in->text.ptr);
    arena_free(&in->arena);
    free(in);
}
