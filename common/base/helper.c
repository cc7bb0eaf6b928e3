#define _GNU_SOURCE /* O_PATH, process_vm_readv */
#include "common/base/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/beneath.h"
#include "common/base/clock.h"
#include "common/base/hash.h"
#include "common/base/num.h"
#include "common/base/vec.h"

enum { READ = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC };

enum what { FIND, LOOK, READ_FILE, READ_DESCRIPTOR, COPY, COPY_BLOCKS, CLOSE };

/* The messages on the socket. A request is a struct question; FIND adds its root and its path, each
 * with its NUL; COPY_BLOCKS adds the blocks. A reply is a struct answer and the bytes that were
 * read; for COPY_BLOCKS, all bytes, and then one byte for each block: 1 if it was copied. Requests
 * and replies may carry a descriptor (SCM_RIGHTS). */
struct question {
    enum what what;
    int32_t pid;
    bool no_link, below; /* for FIND; below: it has a root */
    uint64_t key, at;    /* at: an offset, an address or a descriptor */
    size_t n, nblocks;   /* n: most bytes in the reply */
};

struct wanted {
    uint64_t addr;
    size_t len;
};

struct answer {
    int error;       /* errno; 0: none */
    uint64_t waited; /* nanoseconds that the request took, if the helper had to wait for a party */
    uint64_t used;   /* CPU time of the helper so far, in nanoseconds */
    struct helper_file file;
    size_t n;
};

/* The data after the question: two paths, or blocks. */
enum {
    BLOCKS_SIZE = HELPER_BLOCKS_MAX * sizeof(struct wanted),
    PATHS_SIZE = 2 * PATH_MAX,
    REST_MAX = (int)BLOCKS_SIZE > (int)PATHS_SIZE ? (int)BLOCKS_SIZE : (int)PATHS_SIZE
};

/* The helper's side */

/* The file of the last READ_FILE. It is kept open for the next one. */
struct opened {
    int fd;
    uint64_t key;
};

static bool
describe(int fd, struct helper_file *file)
{
    struct statfs fs;
    if (fstat(fd, &file->st) != 0 || fstatfs(fd, &fs) != 0)
        return false;
    file->type = (long)fs.f_type;
    return true;
}

static int
find(const struct question *q, const char *paths, struct helper_file *file)
{
    const char *path = paths + strlen(paths) + 1;
    int flags = O_PATH | O_CLOEXEC | (q->no_link ? O_NOFOLLOW : 0);
    int fd = q->below ? beneath_open(paths, path, flags) : open(path, flags);
    if (fd >= 0 && !describe(fd, file)) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Open the file of a descriptor, which may be O_PATH, for reading. Do nothing if *last is that
 * file. */
static bool
open_file(struct opened *last, uint64_t key, int fd)
{
    char path[32];
    if (last->fd >= 0 && last->key == key)
        return true;
    if (last->fd >= 0)
        close(last->fd);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    *last = (struct opened){open(path, READ), key};
    return last->fd >= 0;
}

static ssize_t
read_file(struct opened *last, const struct question *q, int fd, char *to, struct helper_file *file)
{
    size_t got = 0;
    ssize_t n = 0;
    if (!open_file(last, q->key, fd))
        return -1;
    do { /* a single read of a /proc file returns less than a page */
        n = pread(last->fd, to + got, q->n - got, (off_t)(q->at + got));
        got += n > 0 ? (size_t)n : 0;
    } while (got < q->n && (n > 0 || (n < 0 && errno == EINTR)));
    if ((n < 0 && got == 0) || !describe(last->fd, file))
        return -1;
    return (ssize_t)got;
}

/* If the process closes the file at this moment, reading the link closes it in the end, which can
 * take long: a socket may linger. */
static ssize_t
read_descriptor(const struct question *q, char *to)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)q->pid, (int)q->at);
    return readlink(path, to, q->n);
}

static ssize_t
copy(const struct question *q, char *to)
{
    struct iovec ours = {to, q->n}, its = {(void *)(uintptr_t)q->at, q->n};
    return process_vm_readv(q->pid, &ours, 1, &its, 1, 0);
}

/* Copy the blocks. A call stops at the first block that cannot be copied entirely; the next call
 * continues after it. */
static ssize_t
copy_blocks(const struct question *q, const char *request, char *to)
{
    struct iovec its[HELPER_BLOCKS_MAX];
    size_t bytes = q->n - q->nblocks, next = 0, at = 0;
    char *copied = to + bytes;
    const struct wanted *wanted = (const void *)request; /* aligned: see serve() */
    memset(copied, 0, q->nblocks);
    for (size_t i = 0; i < q->nblocks; i++)
        its[i] = (struct iovec){(void *)(uintptr_t)wanted[i].addr, wanted[i].len};
    while (next < q->nblocks) {
        struct iovec ours = {to + at, bytes - at};
        ssize_t n = process_vm_readv(q->pid, &ours, 1, its + next, q->nblocks - next, 0);
        if (n < 0 && errno != EFAULT)
            return -1;
        for (; next < q->nblocks && n >= (ssize_t)its[next].iov_len; next++) {
            n -= (ssize_t)its[next].iov_len;
            at += its[next].iov_len;
            copied[next] = 1;
        }
        if (next < q->nblocks)
            at += its[next++].iov_len;
    }
    return (ssize_t)q->n;
}

/* Carry out the request: fill in *a, and write the data to `to`. Return the descriptor to send with
 * the reply, or -1. */
static int
work(struct opened *last, const struct question *q, const char *rest, int fd, struct answer *a,
     char *to)
{
    ssize_t n = 0;
    int found = -1;
    memset(a, 0, sizeof *a);
    switch (q->what) {
    case FIND:
        found = find(q, rest, &a->file);
        n = found < 0 ? -1 : 0;
        break;
    case LOOK:
        n = describe(fd, &a->file) ? 0 : -1;
        break;
    case READ_FILE:
        n = read_file(last, q, fd, to, &a->file);
        break;
    case READ_DESCRIPTOR:
        n = read_descriptor(q, to);
        break;
    case COPY:
        n = copy(q, to);
        break;
    case COPY_BLOCKS:
        n = copy_blocks(q, rest, to);
        break;
    case CLOSE:
        if (last->fd >= 0)
            close(last->fd);
        last->fd = -1;
        break;
    }
    a->error = n < 0 ? errno : 0;
    a->n = n > 0 ? (size_t)n : 0;
    return found;
}

/* Return how often this process gave up the CPU to wait. Times when it was preempted do not
 * count. */
static long
count_waits(void)
{
    struct rusage r;
    return getrusage(RUSAGE_SELF, &r) == 0 ? r.ru_nvcsw : 0;
}

/* Carry out the request, and measure how long it waited. */
static int
work_and_measure(struct opened *last, const struct question *q, const char *rest, int fd,
                 struct answer *a, char *to)
{
    long waits = count_waits();
    uint64_t begun = clock_now();
    int found = work(last, q, rest, fd, a, to);
    a->waited = count_waits() != waits ? clock_now() - begun : 0;
    a->used = clock_used();
    return found;
}

/* Messages */

union control {
    struct cmsghdr header; /* for the alignment */
    char bytes[CMSG_SPACE(sizeof(int))];
};

static bool
send_message(int socket, struct iovec *parts, uint8_t n, int fd)
{
    union control control;
    struct msghdr m = {.msg_iov = parts, .msg_iovlen = n};
    memset(&control, 0, sizeof control);
    if (fd >= 0) {
        m.msg_control = &control;
        m.msg_controllen = sizeof control;
        struct cmsghdr *c = CMSG_FIRSTHDR(&m);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(sizeof fd);
        memcpy(CMSG_DATA(c), &fd, sizeof fd);
    }
    ssize_t sent;
    while ((sent = sendmsg(socket, &m, MSG_NOSIGNAL)) < 0 && errno == EINTR)
        continue;
    return sent >= 0;
}

/* Receive a message and the descriptor that it carries (-1 if none). Return the length of the
 * message; return 0 on an error, or if the other side has closed the socket. */
static size_t
receive_message(int socket, struct iovec *parts, uint8_t n, int *fd)
{
    union control control;
    struct msghdr m = {.msg_iov = parts,
                       .msg_iovlen = n,
                       .msg_control = &control,
                       .msg_controllen = sizeof control};
    ssize_t got;
    *fd = -1;
    while ((got = recvmsg(socket, &m, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
        continue;
    struct cmsghdr *c = got > 0 ? CMSG_FIRSTHDR(&m) : NULL;
    if (c != NULL && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
        memcpy(fd, CMSG_DATA(c), sizeof *fd);
    return got > 0 ? (size_t)got : 0;
}

/* Make the socket standard input. Close all other descriptors. */
static void
keep_only(int socket)
{
    enum { CLOSE_RANGE = 436, MANY = 1 << 16 }; /* SYS_close_range: since Linux 5.9 */
    if (socket != STDIN_FILENO)
        dup2(socket, STDIN_FILENO);
    long most = sysconf(_SC_OPEN_MAX);
    if (syscall(CLOSE_RANGE, 1U, ~0U, 0U) != 0)
        for (int fd = 1; fd < most && fd < MANY; fd++)
            close(fd);
}

/* Run the helper: reply to requests until the parent ends or closes the socket. All signals are
 * blocked: Ctrl-C at the terminal must not end the helper before its parent. */
static _Noreturn void
serve(int socket, pid_t parent)
{
    static char bytes[HELPER_READ_MAX];
    static _Alignas(struct wanted) char rest[REST_MAX];
    struct question q;
    struct answer a;
    struct opened last = {-1, 0};
    int fd;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    keep_only(socket);
    while (getppid() == parent &&
           receive_message(STDIN_FILENO, (struct iovec[]){{&q, sizeof q}, {rest, sizeof rest}}, 2,
                           &fd) > 0) {
        int found = work_and_measure(&last, &q, rest, fd, &a, bytes);
        if (!send_message(STDIN_FILENO, (struct iovec[]){{&a, sizeof a}, {bytes, a.n}}, 2, found))
            break;
        if (found >= 0)
            close(found);
        if (fd >= 0)
            close(fd);
    }
    _exit(0);
}

/* The program's side */

enum party_kind { OF_FILES, OF_PROCESSES, KINDS };
/* A running process may hold its lock for this number of nanoseconds: shorter waits do not
 * count. */
enum { SHORT_WAIT = 1000000 };
enum { ABANDONED_MAX = 4, UNANSWERED_MAX = 3, SILENT_MAX = 256 };
enum { LOST_MAX = 5 }; /* in time limits, altogether: see helper_init() */

/* A party that can delay the reply. Unanswered requests to the same party are counted together. */
struct party {
    enum party_kind kind;
    int32_t pid;   /* pid of the process; 0: none */
    uint64_t name; /* identifies a user, process or folder whose requests fail together */
};

/* A party that replied slowly or not at all. */
struct unanswered {
    uint64_t name, waited; /* waited: total, in nanoseconds */
    unsigned count;        /* requests without a reply */
};

/* A helper that was killed while it waited for a party. */
struct abandoned {
    pid_t pid;     /* 0: none */
    uint64_t name; /* the party's name */
};

/* Global, since a program has one helper, shared by everything that opens files. */
static struct {
    bool records;
    pid_t pid; /* pid of the helper; 0: none */
    int socket;
    struct {
        int32_t pid;        /* 0: none */
        uint64_t uid, read; /* read: the time when it was read */
    } user;                 /* user of the last process */
    struct party reading;   /* the party whose file the helper has open; name 0: none */
    struct abandoned abandoned[KINDS][ABANDONED_MAX];
    uint64_t began;             /* time of the first request */
    uint64_t used, used_before; /* CPU time of this helper, and of those before it */
    bool unasked; /* the last request was not made because other parties took too much time */
    uint64_t lost[KINDS];                     /* nanoseconds spent on unanswered or slow requests */
    struct unanswered unanswered[SILENT_MAX]; /* the latest ones, in a ring buffer */
    size_t nunanswered;
    VEC(int32_t) silent; /* the pids of processes that did not answer */
    size_t reported;     /* number of them that helper_next_silent() has returned */
} state;

static void
leave_helper(void)
{
    close(state.socket);
    kill(state.pid, SIGKILL);
    state.pid = 0;
    state.used_before += state.used;
    state.used = 0;
    state.reading.name = 0;
}

/* An idle helper ends at once, unless it has a file open that is slow to close. */
void
helper_end(void)
{
    pid_t pid = state.pid;
    if (pid == 0)
        return;
    leave_helper();
    for (int ms = 0; ms < 20 && waitpid(pid, NULL, WNOHANG) == 0; ms++)
        poll(NULL, 0, 1);
}

void
helper_init(bool records)
{
    helper_end();
    state.records = records;
}

static bool
start(void)
{
    int ends[2];
    sigset_t all, before;
    if (state.pid != 0)
        return true;
    pid_t parent = getpid();
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    sigfillset(&all); /* Ctrl-C at this moment must not reach the helper */
    sigprocmask(SIG_BLOCK, &all, &before);
    pid_t pid = fork();
    if (pid == 0)
        serve(ends[1], parent);
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return false;
    }
    state.pid = pid;
    state.socket = ends[0];
    return true;
}

/* Reap abandoned helpers of this kind that have ended. Return a free slot, or NULL if there is
 * none. */
static struct abandoned *
free_place(enum party_kind kind)
{
    struct abandoned *place = NULL;
    for (size_t i = 0; i < ABANDONED_MAX; i++) {
        struct abandoned *p = &state.abandoned[kind][i];
        if (p->pid != 0 && waitpid(p->pid, NULL, WNOHANG) != 0)
            p->pid = 0;
        if (p->pid == 0)
            place = p;
    }
    return place;
}

/* Return true if an abandoned helper still waits for the party. */
static bool
is_stuck(const struct party *p)
{
    for (size_t i = 0; i < ABANDONED_MAX; i++) {
        const struct abandoned *a = &state.abandoned[p->kind][i];
        if (a->pid != 0 && a->name == p->name)
            return true;
    }
    return false;
}

/* Read the start of a file in /proc. Reading it must not need a lock that the process may hold. */
static struct span
read_proc(int32_t pid, const char *name, char *to, size_t size)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    int fd = open(path, READ);
    ssize_t n = fd >= 0 ? read(fd, to, size) : 0;
    if (fd >= 0)
        close(fd);
    return span_of(to, n > 0 ? (size_t)n : 0);
}

/* Read the real uid of a process, from the line "Uid:" of /proc/PID/status. Return 0 if it is
 * unknown. */
static uint64_t
read_user(int32_t pid)
{
    char text[2048];
    uint64_t uid = 0;
    struct span status = read_proc(pid, "status", text, sizeof text);
    size_t at = span_search(status, SPAN("\nUid:\t"));
    if (at != SPAN_NONE)
        num_u64(span_before(span_from(status, at + 6), '\t'), &uid);
    return uid;
}

/* Return true if the helper does not wait for a party: it runs, or waits for a CPU. The state is
 * the letter after the name in /proc/PID/stat: "123 (stackrecord) R 1 ...". */
static bool
helper_runs(void)
{
    char text[256];
    struct span stat = read_proc(state.pid, "stat", text, sizeof text);
    return span_search(stat, SPAN(") R ")) != SPAN_NONE;
}

/* Return the real uid of a process, or 0 if it is unknown. It is read again after a second, since
 * the process may change it. */
static uint64_t
user_of(int32_t pid)
{
    uint64_t now = clock_now();
    if (state.user.pid != pid || now - state.user.read >= CLOCK_SECOND) {
        state.user.uid = read_user(pid);
        state.user.pid = pid;
        state.user.read = now;
    }
    return state.user.uid;
}

/* The high bits of a party's name: the kind of the rest. */
enum { USER = 1, PROCESS, FOLDER, DEVICE, DESCRIPTOR };

static uint64_t
name_of(unsigned kind, uint64_t number)
{
    return (uint64_t)kind << 60 | (number & (((uint64_t)1 << 60) - 1));
}

/* Return the party of a process. All processes of a user are one party. But each process of root
 * and of this program's user is a party of its own. */
static struct party
party_of_process(int32_t pid)
{
    uint64_t uid = user_of(pid);
    bool apart = uid == 0 || uid == geteuid();
    return (struct party){OF_PROCESSES, pid,
                          apart ? name_of(PROCESS, (uint64_t)pid) : name_of(USER, uid)};
}

/* Return the party of a path: all files in a folder are one party. */
static struct party
party_of_path(const char *path)
{
    struct span s = span_cstr(path);
    size_t slash = span_rfind(s, '/');
    s = span_head(s, slash != SPAN_NONE ? slash : 0);
    return (struct party){OF_FILES, 0, name_of(FOLDER, hash_bytes(s, hash_key()))};
}

/* Return the party of a file. All files of a user are one party. But for root and this program's
 * user, there is one party for each device. */
static struct party
party_of_file(const struct stat *st)
{
    if (st->st_uid == 0 || st->st_uid == geteuid())
        return (struct party){OF_FILES, 0, name_of(DEVICE, (uint64_t)st->st_dev)};
    return (struct party){OF_PROCESSES, 0, name_of(USER, st->st_uid)};
}

static struct unanswered *
unanswered_of(const struct party *p)
{
    size_t n = state.nunanswered < SILENT_MAX ? state.nunanswered : SILENT_MAX;
    for (size_t i = 0; i < n; i++)
        if (state.unanswered[i].name == p->name)
            return &state.unanswered[i];
    return NULL;
}

static void
note_silent(int32_t pid)
{
    for (size_t i = 0; i < state.silent.n; i++)
        if (state.silent.at[i] == pid)
            return;
    if (pid > 0 && state.silent.n < SILENT_MAX)
        VEC_ADD(state.silent, pid);
}

/* Return the longest time to wait for the party's reply, in nanoseconds. */
static uint64_t
limit_of(const struct party *p)
{
    return CLOCK_SECOND / (!state.records && p->kind == OF_FILES ? 1 : 10);
}

/* Return the allowed waiting time plus a hundredth of the time since the first request. */
static uint64_t
grown(uint64_t allowed)
{
    return allowed + (clock_now() - state.began) / 100;
}

static bool
is_given_up(const struct party *p, const struct unanswered *s)
{
    return s->waited >= grown(UNANSWERED_MAX * limit_of(p)) ||
           (s->count >= UNANSWERED_MAX && is_stuck(p));
}

/* Record a wait for a party that replied slowly or not at all. A request without a reply counts at
 * least as its time limit. */
static void
note_wait(const struct party *p, uint64_t waited, bool answered)
{
    struct unanswered *s = unanswered_of(p);
    if (s == NULL) {
        s = &state.unanswered[state.nunanswered++ % SILENT_MAX];
        *s = (struct unanswered){.name = p->name};
    }
    state.lost[p->kind] += waited;
    s->waited += answered || waited > limit_of(p) ? waited : limit_of(p);
    s->count += !answered;
    if (!answered || is_given_up(p, s))
        note_silent(p->pid);
}

/* Return how long to wait for the reply, in milliseconds. Return 0 if the request must not be sent:
 * the party was given up, or too little time is left. In the latter case, set state.unasked. The
 * shortest limit is enough for any party that can reply. If other parties have used up the time, a
 * party that has always replied still gets this limit, until twice as much time is used. */
static int
time_limit(const struct party *p)
{
    uint64_t each = limit_of(p), least = each / 10, lost = state.lost[p->kind];
    const struct unanswered *s = unanswered_of(p);
    if (state.began == 0)
        state.began = clock_now();
    uint64_t allowed = grown(LOST_MAX * each), left = allowed > lost ? allowed - lost : 0;
    bool reliable = s == NULL || s->count == 0;
    if (left < least && reliable && lost < grown(2 * LOST_MAX * each))
        left = least;
    state.unasked = false;
    if (s != NULL && is_given_up(p, s))
        return 0;
    state.unasked = left < least;
    if (state.unasked)
        return 0;
    return (int)((left < each ? left : each) / CLOCK_MILLISECOND);
}

/* Wait for the reply. A reply that is there is taken even after the deadline: this process may have
 * been stopped. The helper gets more time while it does not wait for the party: on a busy machine
 * it waits for a CPU, for a quarter of a second in one case. */
static bool
await(uint64_t deadline)
{
    const uint64_t step = 10 * CLOCK_MILLISECOND, latest = deadline + 500 * CLOCK_MILLISECOND;
    struct pollfd ready = {.fd = state.socket, .events = POLLIN};
    for (;;) {
        uint64_t now = clock_now();
        int ms = now < deadline ? (int)((deadline - now) / CLOCK_MILLISECOND) + 1 : 0;
        bool last = ms == 0 && (now >= latest || !helper_runs());
        int n = poll(&ready, 1, ms);
        if (n > 0)
            return true;
        if ((n < 0 && errno != EINTR) || last)
            return false;
        if (ms == 0)
            deadline = now + step;
    }
}

static const struct iovec nothing[] = {{"", 0}, {"", 0}};

/* Carry out the request in this process, without a time limit, if no helper can be started. */
static bool
answer_here(const struct question *q, const struct iovec *rest, int fd, struct answer *a, char *to,
            int *found)
{
    _Alignas(struct wanted) char both[REST_MAX];
    struct opened last = {-1, 0};
    memcpy(both, rest[0].iov_base, rest[0].iov_len);
    memcpy(both + rest[0].iov_len, rest[1].iov_base, rest[1].iov_len);
    *found = work(&last, q, both, fd, a, to);
    if (last.fd >= 0)
        close(last.fd);
    return true;
}

/* Return true if the request may be carried out without a helper: it is about files that the user
 * named, or about the user's own process. Not so for root's processes: root can start a helper,
 * unless another user prevents that. */
static bool
can_do_without(const struct party *p)
{
    return p->kind == OF_FILES || (p->pid > 0 && geteuid() != 0 && user_of(p->pid) == geteuid());
}

/* Send the question, and wait for the reply. Return false with errno; EPIPE means that the helper
 * has ended. */
static bool
exchange(const struct party *p, const struct question *q, const struct iovec *rest, int fd,
         struct answer *a, char *to, int *found)
{
    struct abandoned *place = free_place(p->kind);
    int wait = time_limit(p);
    *found = -1;
    errno = ETIMEDOUT;
    state.unasked |= wait > 0 && place == NULL;
    if (wait == 0 || place == NULL)
        return false;
    if (!start())
        return can_do_without(p) && answer_here(q, rest, fd, a, to, found);
    uint64_t asked = clock_now();
    struct iovec parts[] = {{(void *)q, sizeof *q}, rest[0], rest[1]};
    if (send_message(state.socket, parts, 3, fd)) {
        if (!await(asked + (uint64_t)wait * CLOCK_MILLISECOND)) {
            *place = (struct abandoned){state.pid, p->name};
            leave_helper();
            note_wait(p, clock_now() - asked, false);
            errno = ETIMEDOUT;
            return false;
        }
        if (receive_message(state.socket, (struct iovec[]){{a, sizeof *a}, {to, q->n}}, 2, found) >=
            sizeof *a) {
            state.used = a->used;
            if (p->kind == OF_PROCESSES && a->waited > SHORT_WAIT)
                note_wait(p, a->waited, true);
            return true;
        }
    }
    helper_end(); /* somebody has killed the helper */
    errno = EPIPE;
    return false;
}

/* If the helper has a file of another party open, let it close that file. Closing can take forever,
 * too, and a missing reply is then due to that party. */
static void
close_file(const struct party *next)
{
    const struct party p = state.reading;
    struct answer a;
    int found;
    if (p.name == 0 || p.name == next->name)
        return;
    state.reading.name = 0;
    if (!exchange(&p, &(struct question){.what = CLOSE}, nothing, -1, &a, NULL, &found))
        helper_end();
}

/* Send the request, and wait for the reply. If there is one, return true, with its bytes in `to`,
 * which must have room for q->n, and its descriptor in *found. Otherwise return false with errno.
 * If somebody has killed the helper, send the request once more, to a new helper. */
static bool
ask(const struct party *p, const struct question *q, const struct iovec *rest, int fd,
    struct answer *a, char *to, int *found)
{
    close_file(p);
    bool answered = exchange(p, q, rest, fd, a, to, found) ||
                    (errno == EPIPE && exchange(p, q, rest, fd, a, to, found));
    if (!answered && errno == EPIPE)
        errno = EIO;
    if (answered && q->what == READ_FILE)
        state.reading = *p;
    return answered;
}

/* Do the same as ask(), but also return false with errno if the reply is an error. */
static bool
succeed(const struct party *p, const struct question *q, const struct iovec *rest, int fd,
        struct answer *a, char *to, int *found)
{
    if (!ask(p, q, rest, fd, a, to, found))
        return false;
    errno = a->error;
    return a->error == 0;
}

int
helper_find(int32_t pid, const char *root, const char *path, bool no_link, struct helper_file *file)
{
    struct question q = {.what = FIND, .no_link = no_link, .below = root != NULL};
    struct party p = pid > 0 ? party_of_process(pid) : party_of_path(path);
    struct answer a;
    int found;
    root = root != NULL ? root : "";
    const struct iovec paths[] = {{(void *)root, strlen(root) + 1},
                                  {(void *)path, strlen(path) + 1}};
    if (paths[0].iov_len > PATH_MAX || paths[1].iov_len > PATH_MAX) {
        errno = ENAMETOOLONG;
        return -1;
    }
    if (!succeed(&p, &q, paths, -1, &a, NULL, &found))
        return -1;
    if (found < 0)
        errno = EMFILE; /* this process has no free descriptor */
    *file = a.file;
    return found;
}

bool
helper_look(int fd, struct helper_file *file)
{
    struct question q = {.what = LOOK};
    struct party p = {OF_PROCESSES, 0, name_of(DESCRIPTOR, (uint64_t)fd)};
    struct answer a;
    int found;
    if (!succeed(&p, &q, nothing, fd, &a, NULL, &found))
        return false;
    *file = a.file;
    return true;
}

ssize_t
helper_read(const struct helper_reading *file, uint64_t offset, void *to, size_t n,
            struct stat *now)
{
    struct question q = {.what = READ_FILE,
                         .key = file->key,
                         .at = offset,
                         .n = n < HELPER_READ_MAX ? n : HELPER_READ_MAX};
    struct party p = file->pid > 0 ? party_of_process(file->pid) : party_of_file(&file->st);
    struct answer a;
    int found;
    if (!succeed(&p, &q, nothing, file->fd, &a, to, &found))
        return -1;
    *now = a.file.st;
    return (ssize_t)a.n;
}

ssize_t
helper_copy(int32_t pid, uint64_t addr, void *to, size_t n)
{
    struct question q = {
        .what = COPY, .pid = pid, .at = addr, .n = n < HELPER_READ_MAX ? n : HELPER_READ_MAX};
    struct party p = party_of_process(pid);
    struct answer a;
    int found;
    return succeed(&p, &q, nothing, -1, &a, to, &found) ? (ssize_t)a.n : -1;
}

ssize_t
helper_descriptor(int32_t pid, int32_t fd, void *to, size_t n)
{
    struct question q = {.what = READ_DESCRIPTOR,
                         .pid = pid,
                         .at = (uint64_t)fd,
                         .n = n < HELPER_READ_MAX ? n : HELPER_READ_MAX};
    struct party p = party_of_process(pid);
    struct answer a;
    int found;
    return succeed(&p, &q, nothing, -1, &a, to, &found) ? (ssize_t)a.n : -1;
}

/* Copy the first blocks, as many as fit into one request. Add their number to *done. */
static bool
copy_some(const struct party *p, struct helper_block *blocks, size_t n, size_t *done)
{
    struct wanted wanted[HELPER_BLOCKS_MAX];
    static char bytes[HELPER_READ_MAX];
    struct question q = {.what = COPY_BLOCKS, .pid = p->pid};
    struct answer a;
    int found;
    for (; q.nblocks < n && q.nblocks < HELPER_BLOCKS_MAX; q.nblocks++) {
        const struct helper_block *b = &blocks[q.nblocks];
        if (b->len + q.n + 1 > HELPER_READ_MAX)
            break;
        wanted[q.nblocks] = (struct wanted){b->addr, b->len};
        q.n += b->len + 1;
    }
    const struct iovec rest[] = {{wanted, q.nblocks * sizeof *wanted}, nothing[0]};
    errno = EINVAL;
    if (q.nblocks == 0 || !succeed(p, &q, rest, -1, &a, bytes, &found))
        return false;
    const char *from = bytes, *copied = bytes + q.n - q.nblocks;
    for (size_t i = 0; i < q.nblocks; i++) {
        blocks[i].ok = copied[i] != 0;
        memcpy(blocks[i].to, from, blocks[i].len);
        from += blocks[i].len;
    }
    *done += q.nblocks;
    return true;
}

bool
helper_copy_blocks(int32_t pid, struct helper_block *blocks, size_t n)
{
    const struct party p = party_of_process(pid);
    size_t done = 0;
    for (size_t i = 0; i < n; i++)
        blocks[i].ok = false;
    while (done < n)
        if (!copy_some(&p, blocks + done, n - done, &done)) {
            errno = errno == ETIMEDOUT && state.unasked ? EBUSY : errno;
            return false;
        }
    return true;
}

uint64_t
helper_used(void)
{
    return state.used_before + state.used;
}

int32_t
helper_next_silent(void)
{
    return state.reported < state.silent.n ? state.silent.at[state.reported++] : 0;
}
