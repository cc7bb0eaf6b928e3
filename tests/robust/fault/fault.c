/* A library for LD_PRELOAD: calls of libc fail in the program that loads it, as
 * tests/robust/fault/faults.py says in the environment:
 *
 *     FAULT=read:5:5:1:errno:5   the 5th to the 5th call of the kind "read", each one of them,
 *                                fails with errno 5
 *     FAULT=read:1:999:2:errno:4 every second one of the first 999 does (EAGAIN, of standard
 *                                input, output and error alone: others do not leave our own
 *                                descriptors non-blocking)
 *     FAULT=write:1:999:1:short:0  each transfers one byte; pread half of what is asked for, since
 *                                a symbol table byte for byte takes seconds
 *     FAULT=read:5:5:1:signal:15 the program gets signal 15 before the call
 *     FAULT_COUNTS=FILE          a 64-bit number for each kind, in the order of enum kind: the
 * calls of the program and of the processes that it forks; then how many were changed
 *
 * The programs that it executes are left alone. */
#define _GNU_SOURCE /* RTLD_NEXT, openat2's number, and the functions below */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum kind {
    MALLOC,
    READ,
    WRITE,   /* but to standard error */
    MESSAGE, /* to standard error */
    OPEN,
    MAP,
    PIPE,
    FORK,
    POLL,
    WATCH, /* epoll, but waiting for it */
    LIST,  /* the entries of a folder */
    RENAME,
    CLOSE,
    SEEK,
    STAT,
    WAIT,
    DUP,
    LINK,
    PERF,
    IOCTL,
    KINDS
};

static const char *const names[KINDS] = {
    "malloc", "read",   "write", "message", "open", "map",  "pipe", "fork", "poll", "watch",
    "list",   "rename", "close", "seek",    "stat", "wait", "dup",  "link", "perf", "ioctl"};

enum action { PASS, FAIL, SHORT };

/* Shared by the processes that are forked. */
static struct shared {
    uint64_t calls[KINDS], changed;
    char last[256]; /* what was changed last: a function, or the path that it was called with */
    pid_t program;  /* that has loaded the library */
} * shared;         /* NULL until the library is set up */

static struct {
    int kind; /* KINDS: none */
    uint64_t first, last, step;
    enum action action; /* PASS: a signal is sent */
    int value;
} plan = {.kind = KINDS};

static void *
original(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (function == NULL)
        abort();
    return function;
}

/* Who gets the signal: the process that makes the call, or if it blocks the signal, as the helper of
 * common/base/helper.h does, the program. */
static pid_t
signalled(void)
{
    sigset_t blocked;
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    return sigismember(&blocked, plan.value) ? shared->program : getpid();
}

/* Counts a call, and says what is to happen to it. */
static enum action
act(enum kind kind, const char *what)
{
    if (shared == NULL)
        return PASS;
    uint64_t n = __atomic_add_fetch(&shared->calls[kind], 1, __ATOMIC_RELAXED);
    if ((int)kind != plan.kind || n < plan.first || n > plan.last ||
        (n - plan.first) % plan.step != 0)
        return PASS;
    __atomic_add_fetch(&shared->changed, 1, __ATOMIC_RELAXED);
    strncpy(shared->last, what, sizeof shared->last - 1);
    if (plan.action == PASS)
        kill(signalled(), plan.value);
    if (plan.action == FAIL)
        errno = plan.value;
    return plan.action;
}

static bool
fails(enum kind kind, const char *what)
{
    return act(kind, what) == FAIL;
}

static void
read_plan(const char *text)
{
    char kind[16], action[16];
    unsigned long long first, last, step;
    if (sscanf(text, "%15[a-z]:%llu:%llu:%llu:%15[a-z]:%d", kind, &first, &last, &step, action,
               &plan.value) != 6)
        abort();
    plan.first = first;
    plan.last = last;
    plan.step = step;
    plan.action = strcmp(action, "errno") == 0 ? FAIL : strcmp(action, "short") == 0 ? SHORT : PASS;
    for (plan.kind = 0; plan.kind < KINDS && strcmp(names[plan.kind], kind) != 0; plan.kind++)
        continue;
}

static void __attribute__((constructor)) set_up(void)
{
    const char *text = getenv("FAULT"), *file = getenv("FAULT_COUNTS");
    if (file == NULL)
        return;
    if (text != NULL)
        read_plan(text);
    int fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || ftruncate(fd, sizeof *shared) != 0)
        abort();
    void *map = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (map == MAP_FAILED)
        abort();
    unsetenv("LD_PRELOAD");
    unsetenv("FAULT");
    unsetenv("FAULT_COUNTS");
    shared = map;
    shared->program = getpid();
}

/* A function that fails as its kind does: REPLACE(kind, type, name, parameters, arguments, the
 * value it fails with) */
#define REPLACE_WITH(what, kind, type, name, parameters, arguments, failure)                       \
    type name parameters                                                                           \
    {                                                                                              \
        static type(*real) parameters;                                                             \
        if (real == NULL)                                                                          \
            real = (type(*) parameters)original(#name);                                            \
        if (fails(kind, what))                                                                     \
            return failure;                                                                        \
        return real arguments;                                                                     \
    }

#define REPLACE(kind, type, name, ...) REPLACE_WITH(#name, kind, type, name, __VA_ARGS__)
#define REPLACE_PATH(...)              REPLACE_WITH(path, __VA_ARGS__) /* of functions that take a path */

REPLACE(MALLOC, void *, malloc, (size_t n), (n), NULL)
REPLACE(MALLOC, void *, calloc, (size_t n, size_t size), (n, size), NULL)
REPLACE(MALLOC, void *, realloc, (void *p, size_t n), (p, n), NULL)
REPLACE(MAP, void *, mmap, (void *at, size_t n, int prot, int flags, int fd, off_t offset),
        (at, n, prot, flags, fd, offset), MAP_FAILED)
REPLACE(PIPE, int, pipe, (int ends[2]), (ends), -1)
REPLACE(PIPE, int, pipe2, (int ends[2], int flags), (ends, flags), -1)
REPLACE(PIPE, int, socketpair, (int domain, int type, int protocol, int ends[2]),
        (domain, type, protocol, ends), -1)
REPLACE(FORK, pid_t, fork, (void), (), -1)
REPLACE(FORK, int, posix_spawnp,
        (pid_t * pid, const char *file, const posix_spawn_file_actions_t *actions,
         const posix_spawnattr_t *attributes, char *const argv[], char *const envp[]),
        (pid, file, actions, attributes, argv, envp), plan.value)
REPLACE(FORK, int, posix_spawn,
        (pid_t * pid, const char *file, const posix_spawn_file_actions_t *actions,
         const posix_spawnattr_t *attributes, char *const argv[], char *const envp[]),
        (pid, file, actions, attributes, argv, envp), plan.value)
REPLACE(POLL, int, poll, (struct pollfd * fds, nfds_t n, int timeout), (fds, n, timeout), -1)
REPLACE(WATCH, int, epoll_create1, (int flags), (flags), -1)
REPLACE(WATCH, int, epoll_ctl, (int poll, int op, int fd, struct epoll_event *event),
        (poll, op, fd, event), -1)
REPLACE(POLL, int, epoll_wait, (int poll, struct epoll_event *events, int most, int timeout),
        (poll, events, most, timeout), -1)
REPLACE(RENAME, int, rename, (const char *from, const char *to), (from, to), -1)
REPLACE(RENAME, int, renameat, (int in, const char *from, int out, const char *to),
        (in, from, out, to), -1)
REPLACE(SEEK, off_t, lseek, (int fd, off_t offset, int whence), (fd, offset, whence), -1)
REPLACE_PATH(STAT, int, stat, (const char *restrict path, struct stat *restrict st), (path, st), -1)
REPLACE_PATH(STAT, int, lstat, (const char *restrict path, struct stat *restrict st), (path, st),
             -1)
REPLACE(STAT, int, fstat, (int fd, struct stat *st), (fd, st), -1)
REPLACE_PATH(STAT, int, fstatat,
             (int fd, const char *restrict path, struct stat *restrict st, int flags),
             (fd, path, st, flags), -1)
REPLACE(WAIT, pid_t, waitpid, (pid_t pid, int *status, int options), (pid, status, options), -1)
REPLACE(DUP, int, dup, (int fd), (fd), -1)
REPLACE(DUP, int, dup2, (int fd, int to), (fd, to), -1)
REPLACE_PATH(LINK, ssize_t, readlink, (const char *restrict path, char *restrict text, size_t n),
             (path, text, n), -1)
REPLACE_PATH(LINK, char *, realpath, (const char *restrict path, char *restrict resolved),
             (path, resolved), NULL)
REPLACE_PATH(LINK, int, unlink, (const char *path), (path), -1)
REPLACE_PATH(OPEN, FILE *, fopen, (const char *restrict path, const char *restrict mode),
             (path, mode), NULL)
REPLACE_PATH(OPEN, DIR *, opendir, (const char *path), (path), NULL)
REPLACE(OPEN, DIR *, fdopendir, (int fd), (fd), NULL)
REPLACE_PATH(OPEN, int, mkstemp, (char *path), (path), -1)
REPLACE(LIST, struct dirent *, readdir, (DIR * dir), (dir), NULL)

/* The kernel gives its files in /proc and /sys, which have no size, whole or in pages. */
static bool
may_be_short(enum kind kind, int fd)
{
    static int (*real)(int, struct stat *);
    struct stat st;
    if (real == NULL)
        real = (int (*)(int, struct stat *))original("fstat");
    return real(fd, &st) == 0 && (!S_ISREG(st.st_mode) || st.st_size > 0 || kind == WRITE);
}

/* Functions that transfer bytes, n of them, and may transfer fewer. */
#define TRANSFER(kind, name, fewer, parameters, arguments)                                         \
    ssize_t name parameters                                                                        \
    {                                                                                              \
        static ssize_t(*real) parameters;                                                          \
        if (real == NULL)                                                                          \
            real = (ssize_t(*) parameters)original(#name);                                         \
        enum action action = act(kind == WRITE && fd == STDERR_FILENO ? MESSAGE : kind, #name);    \
        if (action == FAIL && (errno != EAGAIN || fd <= STDERR_FILENO))                            \
            return -1;                                                                             \
        n = action == SHORT && n > 1 && may_be_short(kind, fd) ? fewer : n;                        \
        return real arguments;                                                                     \
    }

TRANSFER(READ, read, 1, (int fd, void *to, size_t n), (fd, to, n))
TRANSFER(READ, pread, n / 2, (int fd, void *to, size_t n, off_t at), (fd, to, n, at))
TRANSFER(READ, recv, 1, (int fd, void *to, size_t n, int flags), (fd, to, n, flags))
TRANSFER(WRITE, write, 1, (int fd, const void *from, size_t n), (fd, from, n))
TRANSFER(WRITE, pwrite, 1, (int fd, const void *from, size_t n, off_t at), (fd, from, n, at))
TRANSFER(WRITE, send, 1, (int fd, const void *from, size_t n, int flags), (fd, from, n, flags))

/* A file that is closed in spite of the error, as close(2) says. */
int
close(int fd)
{
    static int (*real)(int);
    if (real == NULL)
        real = (int (*)(int))original("close");
    bool failed = fails(CLOSE, "close");
    int status = real(fd);
    errno = failed ? plan.value : errno;
    return failed ? -1 : status;
}

static bool
takes_mode(int flags)
{
    return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}

int
open(const char *path, int flags, ...)
{
    static int (*real)(const char *, int, ...);
    va_list args;
    va_start(args, flags);
    mode_t mode = takes_mode(flags) ? va_arg(args, mode_t) : 0;
    va_end(args);
    if (real == NULL)
        real = (int (*)(const char *, int, ...))original("open");
    return fails(OPEN, path) ? -1 : real(path, flags, mode);
}

int
openat(int folder, const char *path, int flags, ...)
{
    static int (*real)(int, const char *, int, ...);
    va_list args;
    va_start(args, flags);
    mode_t mode = takes_mode(flags) ? va_arg(args, mode_t) : 0;
    va_end(args);
    if (real == NULL)
        real = (int (*)(int, const char *, int, ...))original("openat");
    return fails(OPEN, path) ? -1 : real(folder, path, flags, mode);
}

#ifdef __GLIBC__
typedef unsigned long ioctl_request;
#else
typedef int ioctl_request; /* as POSIX has it */
#endif

int
ioctl(int fd, ioctl_request request, ...)
{
    static int (*real)(int, ioctl_request, ...);
    va_list args;
    va_start(args, request);
    void *argument = va_arg(args, void *);
    va_end(args);
    if (real == NULL)
        real = (int (*)(int, ioctl_request, ...))original("ioctl");
    return fails(IOCTL, "ioctl") ? -1 : real(fd, request, argument);
}

long
syscall(long number, ...)
{
    static long (*real)(long, ...);
    va_list args;
    va_start(args, number);
    long a[6];
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(args, long);
    va_end(args);
    if (real == NULL)
        real = (long (*)(long, ...))original("syscall");
    if (number == SYS_perf_event_open && fails(PERF, "perf_event_open"))
        return -1;
#ifdef SYS_openat2
    if (number == SYS_openat2 && fails(OPEN, (const char *)a[1]))
        return -1;
#endif
    return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* A stream of libc reads by itself. Its descriptor becomes one of a folder, which cannot be read.
 */
static void
spoil(FILE *f)
{
    static int (*real)(const char *, int, ...), (*copy)(int, int);
    if (real == NULL) {
        real = (int (*)(const char *, int, ...))original("open");
        copy = (int (*)(int, int))original("dup2");
    }
    if (fails(READ, "stream"))
        copy(real("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC), fileno(f));
}

ssize_t
getline(char **restrict line, size_t *restrict cap, FILE *restrict f)
{
    static ssize_t (*real)(char **restrict, size_t *restrict, FILE *restrict);
    if (real == NULL)
        real = (ssize_t(*)(char **restrict, size_t *restrict, FILE *restrict))original("getline");
    spoil(f);
    return real(line, cap, f);
}

char *
fgets(char *restrict line, int n, FILE *restrict f)
{
    static char *(*real)(char *restrict, int, FILE *restrict);
    if (real == NULL)
        real = (char *(*)(char *restrict, int, FILE *restrict))original("fgets");
    spoil(f);
    return real(line, n, f);
}

size_t
fread(void *restrict to, size_t size, size_t n, FILE *restrict f)
{
    static size_t (*real)(void *restrict, size_t, size_t, FILE *restrict);
    if (real == NULL)
        real = (size_t(*)(void *restrict, size_t, size_t, FILE *restrict))original("fread");
    spoil(f);
    return real(to, size, n, f);
}
