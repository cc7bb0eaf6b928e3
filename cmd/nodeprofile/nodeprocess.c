#define _GNU_SOURCE /* setns, readlink, syscall */
#include "cmd/nodeprofile/nodeprocess.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/base/helper.h"
#include "common/base/lines.h"
#include "common/base/mem.h"
#include "common/base/num.h"
#include "common/base/regular.h"

enum { CMDLINE_MAX = 128 * 1024 };

#define GONE "there is no such process"

static int
open_of(const struct nodeprocess *t, const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/%s", (long)t->pid, name);
    return open(path, O_RDONLY | O_CLOEXEC);
}

/* Return true for "node", "nodejs", "node-20" as in some distributions, and "node (deleted)". */
static bool
is_node_name(const char *path)
{
    const char *base = strrchr(path, '/');
    struct span name = span_before(span_cstr(base != NULL ? base + 1 : path), ' ');
    if (!span_skip(&name, SPAN("node")))
        return false;
    span_skip(&name, SPAN("js"));
    span_skip(&name, SPAN("-"));
    while (name.len > 0 && (is_digit(*name.ptr) || *name.ptr == '.'))
        name = span_from(name, 1);
    return name.len == 0;
}

/* Start reading a file of /proc/PID, through the helper (helper.h), since the process can hold the
 * lock that reading "maps" or "cmdline" needs. Return false if it cannot be read. */
static bool
read_of(const struct nodeprocess *t, const char *name, struct regular_file *f, struct lines *lines)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/%s", (long)t->pid, name);
    if (regular_open(f, path, &(struct regular){.pid = t->pid, .kernel = true}) != NULL)
        return false;
    regular_lines(f, lines);
    return true;
}

/* End the helper, too: only the guard may outlive this program (guard.h). */
static void
close_of(struct regular_file *f, struct lines *lines)
{
    lines_free(lines);
    regular_close(f);
    helper_end();
}

/* Return true if a line of the file contains the text. */
static bool
has_text(const struct nodeprocess *t, const char *name, struct span text)
{
    struct regular_file f;
    struct lines lines = {0};
    struct span line;
    bool found = false;
    if (!read_of(t, name, &f, &lines))
        return false;
    while (!found && lines_next(&lines, &line))
        found = span_holds(line, text);
    close_of(&f, &lines);
    return found;
}

/* Return true if the process runs the program node, or a program with node's library. */
static bool
is_node(const struct nodeprocess *t)
{
    char path[64], exe[PATH_MAX];
    snprintf(path, sizeof path, "/proc/%ld/exe", (long)t->pid);
    ssize_t n = readlink(path, exe, sizeof exe - 1);
    exe[n > 0 ? n : 0] = '\0';
    return is_node_name(exe) || has_text(t, "maps", SPAN("/libnode.so"));
}

/* Return true if the process catches SIGUSR1: bit 9 of SigCgt in /proc/PID/status, proc(5). */
static bool
catches_signal(const struct nodeprocess *t)
{
    struct regular_file f;
    struct lines lines = {0};
    struct span line;
    uint64_t caught = 0;
    if (!read_of(t, "status", &f, &lines))
        return false;
    while (lines_next(&lines, &line))
        if (span_skip(&line, SPAN("SigCgt:\t")))
            num_hex(span_trim(line), &caught);
    close_of(&f, &lines);
    return (caught >> (SIGUSR1 - 1) & 1) != 0;
}

/* Return true if fd refers to this program's network namespace. */
static bool
is_own_network(int fd)
{
    struct stat own, its;
    return stat("/proc/self/ns/net", &own) == 0 && fstat(fd, &its) == 0 && own.st_ino == its.st_ino;
}

/* Join the network namespace of the process. Return NULL, or why that failed. */
static const char *
join_network(const struct nodeprocess *t)
{
    const char *why = NULL;
    int fd = open_of(t, "ns/net");
    if (fd < 0)
        return errno == ENOENT ? GONE : "it is another user's: root is needed";
    if (!is_own_network(fd) && setns(fd, CLONE_NEWNET) != 0)
        why = "it has a network namespace of its own: root is needed";
    close(fd);
    return why;
}

bool
nodeprocess_has_moved(const struct nodeprocess *t)
{
    int fd = open_of(t, "ns/net");
    bool moved = fd >= 0 && !is_own_network(fd);
    if (fd >= 0)
        close(fd);
    return moved;
}

/* Exclude other nodeprofiles by a lock on /proc/PID/fd, which only the process's user and root can
 * open. Return NULL, or why to wait. If the file cannot be locked, exclude nobody. */
static const char *
lock(struct nodeprocess *t)
{
    t->lock = open_of(t, "fd");
    return flock(t->lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
               ? "another nodeprofile is at work on it"
               : NULL;
}

const char *
nodeprocess_open(struct nodeprocess *t, pid_t pid)
{
    *t = (struct nodeprocess){.pid = pid, .fd = (int)syscall(SYS_pidfd_open, pid, 0), .lock = -1};
    if ((t->fd < 0 && errno == ESRCH) || (kill(pid, 0) != 0 && errno == ESRCH))
        return GONE;
    const char *why = join_network(t);
    if (why != NULL)
        return why;
    return is_node(t) ? lock(t) : "it does not run node";
}

/* The port and inode of a socket of 127.0.0.1, or of 0.0.0.0 as in containers, from
 * /proc/self/net/tcp (proc(5)). The second column is the address, in the byte order of the machine,
 * and the port, both in hexadecimal; the third is the same of the other end; the fourth is the
 * state. That file is of the network namespace in which this program connects: the process may have
 * moved to another one, and may listen there on a port that belongs to another process here. */
#define LISTENS   SPAN("0A")
#define CONNECTED SPAN("01")

struct local_socket {
    unsigned port, peer; /* peer: port of the other end */
    uint64_t inode;
};

static bool
parse_port(struct span address, unsigned *port)
{
    uint64_t number;
    span_take(&address, ':');
    if (!num_hex(address, &number) || number >= NODEPROCESS_PORTS)
        return false;
    *port = (unsigned)number;
    return true;
}

static bool
take_socket(struct span line, struct span state, struct local_socket *l)
{
    static const struct span loopback = SPAN("0100007F:"), loopback_big = SPAN("7F000001:");
    static const struct span any = SPAN("00000000:");
    struct span word[10];
    for (size_t i = 0; i < sizeof word / sizeof *word; i++) {
        line = span_trim(line);
        word[i] = span_take(&line, ' ');
    }
    if (!span_starts(word[1], loopback) && !span_starts(word[1], loopback_big) &&
        !span_starts(word[1], any))
        return false;
    return span_eq(word[3], state) && parse_port(word[1], &l->port) &&
           parse_port(word[2], &l->peer) && num_u64(word[9], &l->inode);
}

/* Return the inode of the socket at an entry of /proc/PID/fd; 0 if it is no socket. */
static uint64_t
socket_at(int folder, const char *name)
{
    char link[64];
    uint64_t inode;
    ssize_t n = readlinkat(folder, name, link, sizeof link);
    struct span text = span_of(link, n > 0 ? (size_t)n : 0);
    if (!span_skip(&text, SPAN("socket:[")) || !num_u64(span_before(text, ']'), &inode))
        return 0;
    return inode;
}

static int
by_inode(const void *a, const void *b)
{
    uint64_t x = ((const struct local_socket *)a)->inode,
             y = ((const struct local_socket *)b)->inode;
    return (x > y) - (x < y);
}

/* Move the sockets that the process has open to the front of the list of n, which is sorted by
 * inode. Return their number. */
static size_t
keep_own(const struct nodeprocess *t, struct local_socket *list, size_t n)
{
    bool *open = mem_alloc(n);
    size_t kept = 0;
    int fd = open_of(t, "fd");
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    memset(open, 0, n);
    for (struct dirent *e; folder != NULL && (e = readdir(folder)) != NULL;) {
        struct local_socket key = {.inode = socket_at(fd, e->d_name)}, *found = NULL;
        if (n > 0 && key.inode != 0)
            found = bsearch(&key, list, n, sizeof key, by_inode);
        if (found != NULL)
            open[found - list] = true;
    }
    if (folder != NULL)
        closedir(folder);
    else if (fd >= 0)
        close(fd);
    for (size_t i = 0; i < n; i++)
        if (open[i])
            list[kept++] = list[i];
    free(open);
    return kept;
}

/* List all sockets in this state, sorted by inode. The caller frees the list. */
static struct local_socket *
list_sockets(struct span state, size_t *n)
{
    struct local_socket *list = NULL, found;
    size_t cap = 0;
    struct lines lines = {0};
    struct span line;
    int fd = open("/proc/self/net/tcp", O_RDONLY | O_CLOEXEC);
    *n = 0;
    if (fd < 0)
        return NULL;
    lines_start(&lines, fd);
    while (lines_next(&lines, &line))
        if (take_socket(line, state, &found)) {
            list = mem_grow(list, &cap, *n + 1, sizeof *list);
            list[(*n)++] = found;
        }
    lines_free(&lines);
    close(fd);
    if (*n > 0)
        qsort(list, *n, sizeof *list, by_inode);
    return list;
}

void
nodeprocess_find_ports(const struct nodeprocess *t, struct nodeprocess_ports *ports)
{
    size_t n;
    struct local_socket *list = list_sockets(LISTENS, &n);
    memset(ports, 0, sizeof *ports);
    for (size_t i = 0; i < n; i++)
        ports->others[list[i].port] = true;
    n = keep_own(t, list, n);
    for (size_t i = 0; i < n; i++) {
        ports->listens[list[i].port] = true;
        ports->others[list[i].port] = false;
    }
    free(list);
}

static unsigned
port_of(const struct sockaddr_in *address)
{
    return ntohs(address->sin_port);
}

bool
nodeprocess_has_end(const struct nodeprocess *t, int connection)
{
    struct sockaddr_in own, other;
    socklen_t own_size = sizeof own, other_size = sizeof other;
    size_t n, ends = 0;
    if (getsockname(connection, (struct sockaddr *)&own, &own_size) != 0 ||
        getpeername(connection, (struct sockaddr *)&other, &other_size) != 0)
        return false;
    struct local_socket *list = list_sockets(CONNECTED, &n);
    for (size_t i = 0; i < n; i++)
        if (list[i].port == port_of(&other) && list[i].peer == port_of(&own))
            list[ends++] = list[i];
    bool has = keep_own(t, list, ends) > 0;
    free(list);
    return has;
}

size_t
nodeprocess_count_connections(unsigned port)
{
    size_t n, count = 0;
    struct local_socket *list = list_sockets(CONNECTED, &n);
    for (size_t i = 0; i < n; i++)
        count += list[i].port == port;
    free(list);
    return count;
}

unsigned
nodeprocess_inspector_port(const struct nodeprocess *t)
{
    static const struct span option = SPAN("--inspect");
    unsigned port = NODEPROCESS_INSPECTOR_PORT;
    struct regular_file f;
    struct lines lines = {0};
    uint64_t number;
    if (!read_of(t, "cmdline", &f, &lines))
        return port;
    struct span all = lines_ahead(&lines, CMDLINE_MAX);
    while (all.len > 0) {
        struct span word = span_take(&all, '\0');
        size_t colon = span_rfind(word, ':'), equals = span_rfind(word, '=');
        size_t at = colon != SPAN_NONE ? colon : equals;
        if (span_starts(word, option) && at != SPAN_NONE &&
            num_u64(span_from(word, at + 1), &number) && number <= UINT16_MAX)
            port = (unsigned)number;
    }
    close_of(&f, &lines);
    return port;
}

const char *
nodeprocess_signal(const struct nodeprocess *t)
{
    if (!catches_signal(t))
        return "it does not catch SIGUSR1, which would end it: it has just begun, or was started "
               "with --disable-sigusr1";
    int failed = t->fd >= 0 ? (int)syscall(SYS_pidfd_send_signal, t->fd, SIGUSR1, NULL, 0)
                            : kill(t->pid, SIGUSR1);
    return failed == 0 ? NULL : errno == ESRCH ? GONE : "it is another user's: root is needed";
}

bool
nodeprocess_is_stopped(const struct nodeprocess *t)
{
    return has_text(t, "status", SPAN("State:\tT"));
}

bool
nodeprocess_runs(const struct nodeprocess *t)
{
    return t->fd >= 0 ? syscall(SYS_pidfd_send_signal, t->fd, 0, NULL, 0) == 0
                      : kill(t->pid, 0) == 0;
}

void
nodeprocess_close(struct nodeprocess *t)
{
    if (t->fd >= 0)
        close(t->fd);
    if (t->lock >= 0)
        close(t->lock);
    t->fd = t->lock = -1;
}
