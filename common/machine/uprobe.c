/* The file uprobe_events of tracefs has a line for each uprobe, or two if it is at two functions;
 * kprobe_events has them for kprobes. Commands written to it change them:
 *
 *     p:stackrecord_4711_81234/uv_run /usr/bin/node:0x0000000000b8c2a0
 *     r:stackrecord_4711_81234/parse_return /srv/app:0x1139 retval=$retval:s32
 *     p:stackrecord_4711_81234/do_sys_open _text+0x2d4c10 filename=+0(%si):ustring */
#include "common/machine/uprobe.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/base/num.h"
#include "common/base/subprocess.h"
#include "common/machine/message.h"
#include "common/machine/procfs.h"

enum { NAME_MAX_LEN = 48 }; /* of a function in a tracepoint's name; the kernel allows 63 bytes */

/* The files with uprobes and with kprobes. */
static const char uprobe_events[] = "uprobe_events", kprobe_events[] = "kprobe_events";

static const char *
path_of(const char *tracefs, const char *events, char path[static 4096])
{
    snprintf(path, 4096, "%s/%s", tracefs, events);
    return path;
}

/* Write one command: "p:GROUP/NAME FILE:0xOFFSET" or "-:GROUP/NAME". Return false with errno. */
static bool
give_command(const char *tracefs, const char *events, struct span command)
{
    char path[4096];
    /* O_TRUNC, as with a shell's >, would remove all uprobes of the machine. */
    int fd = open(path_of(tracefs, events, path), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd < 0)
        return false;
    struct text line = {0};
    TEXT_ADD(&line, command, SPAN("\n"));
    ssize_t got = write(fd, line.ptr, line.len);
    int error = errno;
    free(line.ptr);
    close(fd);
    errno = error;
    return got == (ssize_t)command.len + 1;
}

/* Return "GROUP/NAME" from a line, or "" if it has none. */
static struct span
name_of(struct span line)
{
    size_t colon = span_find(line, ':'), end = span_find(line, ' ');
    if (colon == SPAN_NONE || end == SPAN_NONE || end < colon)
        return SPAN("");
    return span_of(line.ptr + colon + 1, end - colon - 1);
}

static bool
remove_one(const char *tracefs, const char *events, struct span name)
{
    struct text command = {0};
    TEXT_ADD(&command, SPAN("-:"), name);
    /* ENOENT: it is already gone, with another of its lines, or removed by another process. */
    bool removed = give_command(tracefs, events, text_span(&command)) || errno == ENOENT;
    int error = errno;
    free(command.ptr);
    errno = error;
    return removed;
}

/* Remove all probes of a file whose group is wanted: wanted(ctx, group). If one is still there,
 * return the error, and append the first such probe, "GROUP/NAME", to *left. */
static int
remove_of(const char *tracefs, const char *events, bool (*wanted)(void *ctx, struct span group),
          void *ctx, struct text *left)
{
    char path[4096];
    struct text text = {0};
    int error = procfs_read(&text, path_of(tracefs, events, path)) ? 0 : errno;
    for (struct span rest = text_span(&text); rest.len > 0;) {
        struct span name = name_of(span_take(&rest, '\n'));
        size_t slash = span_find(name, '/');
        if (slash == SPAN_NONE || !wanted(ctx, span_head(name, slash)) ||
            remove_one(tracefs, events, name) || error != 0)
            continue;
        error = errno;
        text_add(left, name);
    }
    free(text.ptr);
    return error;
}

/* Remove all uprobes and kprobes whose group is wanted. If one is still there, return false with
 * errno, and set *left to the first such probe. */
static bool
remove_uprobes(const char *tracefs, bool (*wanted)(void *ctx, struct span group), void *ctx,
               struct text *left)
{
    int of_kernel = remove_of(tracefs, kprobe_events, wanted, ctx, left);
    if (of_kernel == ENOENT) /* a kernel without kprobes */
        of_kernel = 0;
    int error = left->len == 0 ? remove_of(tracefs, uprobe_events, wanted, ctx, left) : 0;
    errno = of_kernel != 0 ? of_kernel : error;
    return errno == 0;
}

#define GROUP "stackrecord_"

/* Return our group. It contains our pid and our start time, so that another process with the same
 * pid is not mistaken for us. */
static struct span
own_group(struct arena *a)
{
    struct text text = {0};
    uint64_t time = 0;
    procfs_start_time(&text, (int32_t)getpid(), &time);
    free(text.ptr);
    return span_cstr(message(a, GROUP "%ld_%llu", (long)getpid(), (unsigned long long)time));
}

static bool
name_taken(const struct uprobes *u, struct span name)
{
    for (size_t i = 0; i < u->count; i++)
        if (span_eq(u->list[i].name, name))
            return true;
    return false;
}

/* Return "node__Start" for "node::Start"; if that is already used, "node__Start_2". */
static struct span
make_name(struct uprobes *u, struct span function)
{
    size_t len = function.len < NAME_MAX_LEN ? function.len : NAME_MAX_LEN;
    char *name = arena_text(&u->arena, len + 1);
    name[0] = '_';
    bool leads = len > 0 && is_digit(function.ptr[0]);
    for (size_t i = 0; i < len; i++)
        name[i + leads] = is_word(function.ptr[i]) ? function.ptr[i] : '_';
    struct span made = span_of(name, len + leads);
    for (unsigned n = 2; name_taken(u, made); n++)
        made = span_cstr(message(&u->arena, "%.*s_%u", (int)(len + leads), name, n));
    return made;
}

static void *
copy(struct uprobes *u, const void *from, size_t n)
{
    return memcpy(arena_alloc(&u->arena, n), from, n);
}

struct span
uprobes_add(struct uprobes *u, const struct uprobe *p)
{
    if (u->count == 0)
        u->group = own_group(&u->arena);
    struct uprobe added = *p;
    added.name = make_name(u, p->name);
    added.offsets = copy(u, p->offsets, p->count * sizeof *p->offsets);
    added.fetch = copy(u, p->fetch, p->count * sizeof *p->fetch);
    MEM_ADD(u->list, u->count, u->cap, added);
    return span_cstr(message(&u->arena, "%.*s:%.*s", SPAN_ARG(u->group), SPAN_ARG(added.name)));
}

static bool
is_group(void *ctx, struct span group)
{
    return span_eq(*(const struct span *)ctx, group);
}

/* Return true for the group of a recorder that has ended. A recorder in another pid namespace looks
 * the same; but while it records, the kernel refuses to remove its uprobes. */
static bool
is_leftover(void *ctx, struct span group)
{
    uint64_t pid, time, started;
    size_t end = span_rfind(group, '_');
    if (!span_starts(group, SPAN(GROUP)) || end < sizeof GROUP - 1 ||
        !num_u64(span_of(group.ptr + sizeof GROUP - 1, end - (sizeof GROUP - 1)), &pid) ||
        !num_u64(span_from(group, end + 1), &time) || pid > INT32_MAX)
        return false;
    return !procfs_start_time(ctx, (int32_t)pid, &started) || started != time;
}

void
uprobes_remove_leftovers(const char *tracefs)
{
    struct text text = {0}, left = {0};
    remove_uprobes(tracefs, is_leftover, &text, &left);
    free(text.ptr);
    free(left.ptr);
}

static void
pause_ms(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

/* Remove our uprobes. The kernel refuses to while a counter is open; if a process was killed, it is
 * still closing them, so try again. Append the uprobe that could not be removed, and the reason. */
static void
remove_patiently(struct uprobes *u, const char *tracefs, struct text *left)
{
    enum { LONGEST_WAIT = 4096 };
    long ms = 1;
    for (; !remove_uprobes(tracefs, is_group, &u->group, left); ms *= 2) {
        if (errno != EBUSY || ms > LONGEST_WAIT)
            break;
        left->len = 0;
        pause_ms(ms);
    }
    if (left->len > 0)
        TEXT_ADD(left, SPAN(": "), span_cstr(strerror(errno)));
}

/* Wait until our end of the socket is closed, then remove the uprobes. Send as text what could not
 * be removed. */
static _Noreturn void
guard(struct uprobes *u, const char *tracefs, int socket)
{
    char byte;
    struct text left = {0};
    /* Start it before the many descriptors of counters are opened. */
    subprocess_detach(&socket, 1);
    while (read(socket, &byte, 1) < 0 && errno == EINTR)
        ;
    remove_patiently(u, tracefs, &left);
    send(socket, left.ptr, left.len, MSG_NOSIGNAL);
    _exit(0);
}

static const char *
start_guard(struct uprobes *u, const char *tracefs)
{
    int sockets[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0)
        return strerror(errno);
    fcntl(sockets[0], F_SETFD, FD_CLOEXEC);
    u->guard = fork();
    if (u->guard == 0) {
        close(sockets[0]);
        guard(u, tracefs, sockets[1]);
    }
    int error = errno;
    close(sockets[1]);
    if (u->guard < 0) {
        close(sockets[0]);
        u->guard = 0;
        return strerror(error);
    }
    u->socket = sockets[0];
    return NULL;
}

static const char blanks[] = " \t\n";

static const char *
refused(struct uprobes *u, const struct uprobe *p, const char *tracefs)
{
    int error = errno;
    const char *events = p->file != NULL ? uprobe_events : kprobe_events;
    const char *remedy =
        error == EACCES || error == EPERM || error == EROFS
            ? ": to create probes, run this program as root"
        : error == ENOENT && p->file == NULL
            ? ": has this kernel no kprobes (CONFIG_KPROBE_EVENTS), or no such function?"
        : error == EINVAL && p->file != NULL && strpbrk(p->file, blanks) != NULL
            ? ": the kernel takes no path with a blank; name a link to the file"
            : "";
    return message(&u->arena, "the %s at %s of %s could not be created in %s/%s: %s%s",
                   p->file != NULL ? "uprobe" : "kprobe", arena_cstr(&u->arena, p->name),
                   p->file != NULL ? p->file : "the kernel", tracefs, events, strerror(error),
                   remedy);
}

/* Return the place of the i-th offset: "/srv/app:0x1139" or "_text+0x2d4c10". */
static const char *
place_of(struct uprobes *u, const struct uprobe *p, size_t i)
{
    unsigned long long offset = p->offsets[i];
    return p->file != NULL ? message(&u->arena, "%s:0x%llx", p->file, offset)
           : offset > 0    ? message(&u->arena, "%s+0x%llx", p->symbol, offset)
                           : p->symbol;
}

static const char *
create(struct uprobes *u, const struct uprobe *p, const char *tracefs)
{
    for (size_t i = 0; i < p->count; i++) {
        const char *command =
            message(&u->arena, "%c:%.*s/%.*s %s%s", p->returns ? 'r' : 'p', SPAN_ARG(u->group),
                    SPAN_ARG(p->name), place_of(u, p, i), p->fetch[i]);
        errno = EINVAL;
        if (strpbrk(p->file != NULL ? p->file : p->symbol, blanks) != NULL)
            return refused(u, p, tracefs); /* a newline would begin another command */
        if (!give_command(tracefs, p->file != NULL ? uprobe_events : kprobe_events,
                          span_cstr(command)))
            return refused(u, p, tracefs);
    }
    return NULL;
}

const char *
uprobes_create(struct uprobes *u, const char *tracefs)
{
    if (u->count == 0)
        return NULL;
    const char *wrong = start_guard(u, tracefs);
    if (wrong != NULL)
        return message(&u->arena, "no process could be started that removes the uprobes: %s",
                       wrong);
    for (size_t i = 0; i < u->count && wrong == NULL; i++)
        wrong = create(u, &u->list[i], tracefs);
    return wrong;
}

const char *
uprobes_remove(struct uprobes *u)
{
    char text[1024];
    size_t len = 0;
    ssize_t got = 0;
    if (u->guard == 0)
        return NULL;
    shutdown(u->socket, SHUT_WR);
    do {
        len += got > 0 ? (size_t)got : 0;
        got = read(u->socket, text + len, sizeof text - len);
    } while (got > 0 || (got < 0 && errno == EINTR));
    close(u->socket);
    while (waitpid(u->guard, NULL, 0) < 0 && errno == EINTR)
        ;
    u->guard = 0;
    return len == 0 ? NULL
                    : message(&u->arena, "a uprobe could not be removed: %.*s", (int)len, text);
}

void
uprobes_free(struct uprobes *u)
{
    uprobes_remove(u);
    free(u->list);
    arena_free(&u->arena);
    *u = (struct uprobes){0};
}
