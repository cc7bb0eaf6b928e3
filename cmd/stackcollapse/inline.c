#define _GNU_SOURCE /* posix_spawnp's environ */
#include "cmd/stackcollapse/inline.h"

#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/intern.h"
#include "common/base/lines.h"
#include "common/base/num.h"

/* A program that runs; its standard input and output are our socket, so that writing to one that
 * has ended gives an error and no signal. */
struct child {
    pid_t pid;
    int fd;
    struct lines lines;
};

struct binary {
    struct child addr2line; /* pid 0: it could not be started or has ended */
    bool listed;            /* the symbols below are read */
    struct intern symbols;
    uint64_t *addresses; /* by symbol number */
    size_t addresses_cap;
};

struct inliner {
    struct diag *diag;
    bool context;
    struct intern paths;
    struct binary **binaries; /* by path number */
    size_t binaries_cap;
    char *answer;
    size_t len, cap;
};

struct inliner *
inliner_new(struct diag *diag, bool context)
{
    struct inliner *in = mem_alloc(sizeof *in);
    *in = (struct inliner){.diag = diag, .context = context};
    return in;
}

/* /(perf-\d+.map|kernel\.|\[[^\]]+\])/, the Perl script's, holds in both dialects. */
bool
inliner_wants(struct span dso)
{
    if (dso.len == 0 || span_search(dso, SPAN("kernel.")) != SPAN_NONE)
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

static bool
child_start(struct child *c, const char *const *argv)
{
    extern char **environ;
    int ends[2];
    *c = (struct child){0};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    int status = posix_spawnp(&c->pid, argv[0], &actions, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (status != 0) {
        close(ends[0]);
        c->pid = 0;
        return false;
    }
    c->fd = ends[0];
    lines_start(&c->lines, c->fd);
    return true;
}

static void
child_end(struct child *c)
{
    if (c->pid == 0)
        return;
    close(c->fd);
    waitpid(c->pid, NULL, 0);
    lines_free(&c->lines);
    c->pid = 0;
}

static struct binary *
binary_find(struct inliner *in, struct span path)
{
    uint32_t id;
    if (!intern_put(&in->paths, path, &id))
        return in->binaries[id];
    in->binaries =
        mem_grow(in->binaries, &in->binaries_cap, in->paths.count, sizeof *in->binaries);
    struct binary *b = in->binaries[id] = mem_alloc(sizeof *b);
    *b = (struct binary){0};
    char *name = arena_cstr(&in->paths.arena, path);
    const char *argv[] = {"addr2line", "-a", "-i", "-f", "-s", "-C", "-e", name, NULL};
    if (access(name, R_OK) == 0 && !child_start(&b->addr2line, argv))
        diag_warn(in->diag, "binaries that addr2line was not run for", NOWHERE,
                  "addr2line cannot be run: inlined calls are not shown");
    return b;
}

static void
answer_add(struct inliner *in, struct span s)
{
    in->answer = mem_grow(in->answer, &in->cap, in->len + s.len + 1, 1);
    memcpy(in->answer + in->len, s.ptr, s.len);
    in->len += s.len;
}

/* Puts a call in front of those there are: addr2line names the innermost first. */
static void
answer_prepend(struct inliner *in, struct span function, struct span source)
{
    size_t had = in->len;
    answer_add(in, function);
    if (in->context) {
        size_t end = span_search(source, SPAN(" (discriminator "));
        answer_add(in, SPAN(":"));
        answer_add(in, end != SPAN_NONE ? span_head(source, end) : source);
    }
    answer_add(in, SPAN("\n"));
    size_t size = in->len - had;
    char *call = mem_alloc(size);
    memcpy(call, in->answer + had, size);
    memmove(in->answer + size, in->answer, had);
    memcpy(in->answer, call, size);
    free(call);
}

static bool
is_echo(struct span line, uint64_t *address)
{
    return span_starts(line, SPAN("0x")) && num_hex(line, address);
}

/* Asks for one address, then for one that is nowhere: its echo marks the answer's end.
 *
 *     0x0000000000401b97        echo
 *     alloc_shared              innermost function
 *     pool.h:33 (discriminator 2)
 *     main                      the function that it is inlined into
 *     main.c:12
 *     0xffffffffffffffff        echo of the mark */
static void
ask_address(struct inliner *in, struct binary *b, uint64_t address)
{
    struct child *child = &b->addr2line;
    char question[64];
    struct span line;
    uint64_t echo;
    in->len = 0;
    int n = snprintf(question, sizeof question, "%" PRIx64 "\nffffffffffffffff\n", address);
    if (child->pid == 0 || send(child->fd, question, (size_t)n, MSG_NOSIGNAL) != n) {
        child_end(child);
        return;
    }
    do
        if (!lines_next(&child->lines, &line)) {
            child_end(child);
            return;
        }
    while (!is_echo(line, &echo) || echo != address);
    while (lines_next(&child->lines, &line) && !is_echo(line, &echo)) {
        char *function = mem_alloc(line.len);
        size_t len = line.len;
        memcpy(function, line.ptr, len);
        if (lines_next(&child->lines, &line))
            answer_prepend(in, span_of(function, len), line);
        free(function);
    }
}

static bool
is_answered(const struct inliner *in)
{
    return in->len > 0 && !span_starts(span_of(in->answer, in->len), SPAN("??"));
}

/* "0000000000401b78 T main" */
static void
list_symbols(struct inliner *in, struct binary *b, struct span path)
{
    struct child nm;
    struct span line;
    const char *argv[] = {"nm", "--", arena_cstr(&in->paths.arena, path), NULL};
    b->listed = true;
    if (!child_start(&nm, argv))
        return;
    while (lines_next(&nm.lines, &line)) {
        uint64_t address;
        size_t blank = span_find(line, ' ');
        if (blank == SPAN_NONE || line.len < blank + 4 ||
            !num_hex(span_head(line, blank), &address))
            continue;
        uint32_t id;
        if (!intern_put(&b->symbols, span_from(line, blank + 3), &id))
            continue;
        b->addresses =
            mem_grow(b->addresses, &b->addresses_cap, b->symbols.count, sizeof *b->addresses);
        b->addresses[id] = address;
    }
    child_end(&nm);
}

struct span
inliner_ask(struct inliner *in, const struct frame *f)
{
    uint64_t address, offset;
    struct binary *b = binary_find(in, f->dso);
    in->len = 0;
    if (b->addr2line.pid == 0 || !num_hex(f->addr, &address))
        return (struct span){"", 0};
    ask_address(in, b, address);
    if (!is_answered(in) && f->offset.len > 1 && num_hex(span_from(f->offset, 1), &offset)) {
        /* The address is one of the process, not of the file: start from the symbol. */
        if (!b->listed)
            list_symbols(in, b, f->dso);
        uint32_t symbol = intern_find(&b->symbols, f->sym);
        if (symbol != INTERN_NONE)
            ask_address(in, b, b->addresses[symbol] + offset);
    }
    return is_answered(in) ? span_of(in->answer, in->len) : (struct span){"", 0};
}

void
inliner_free(struct inliner *in)
{
    if (in == NULL)
        return;
    for (size_t i = 0; i < in->paths.count; i++) {
        child_end(&in->binaries[i]->addr2line);
        intern_free(&in->binaries[i]->symbols);
        free(in->binaries[i]->addresses);
        free(in->binaries[i]);
    }
    free(in->binaries);
    intern_free(&in->paths);
    free(in->answer);
    free(in);
}
