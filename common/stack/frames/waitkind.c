#include "common/stack/frames/waitkind.h"

#include "common/stack/frames/dso.h"

/* Functions of Linux 4.9 to 6.18 in which threads wait, and functions of glibc and musl that make
 * the system calls. They are searched for from the leaf, where the scheduler's own functions come
 * first. A name also stands for copies of it made by the compiler: "do_poll.constprop.0". */
static const struct {
    struct span kind;
    const char *functions[24]; /* ends with NULL */
} waits[] = {
    {SPAN("[wait: futex]"),
     {"futex_do_wait",
      "futex_wait_queue",
      "futex_wait_queue_me",
      "futex_wait",
      "__futex_wait",
      "futex_lock_pi",
      "futex_wait_requeue_pi",
      "futex_wait_multiple",
      "__lll_lock_wait",
      "__lll_lock_wait_private",
      "__futex_abstimed_wait_common",
      "futex_abstimed_wait",
      "pthread_cond_wait",
      "pthread_cond_timedwait",
      "pthread_cond_clockwait",
      "pthread_mutex_lock",
      "pthread_join",
      "__timedwait_cp",
      "__futex4_cp",
      "sem_wait",
      "sem_timedwait"}},
    {SPAN("[wait: sleep]"),
     {"do_nanosleep", "hrtimer_nanosleep", "clock_nanosleep", "nanosleep", "usleep", "sleep"}},
    {SPAN("[wait: disk]"),
     {"io_schedule",
      "io_schedule_timeout",
      "blk_io_schedule",
      "folio_wait_bit_common",
      "wait_on_page_bit_common",
      "submit_bio_wait",
      "blk_mq_get_tag",
      "rq_qos_wait",
      "jbd2_log_wait_commit",
      "wait_transaction_locked",
      "__wait_on_buffer",
      "balance_dirty_pages",
      "file_write_and_wait_range",
      "fsync",
      "fdatasync",
      "msync",
      "syncfs",
      "sync_file_range",
      "pread64",
      "pwrite64",
      "preadv",
      "pwritev"}},
    {SPAN("[wait: network]"),
     {"sk_wait_data",
      "sk_stream_wait_memory",
      "sk_stream_wait_connect",
      "inet_csk_accept",
      "inet_wait_for_connect",
      "inet_stream_connect",
      "__skb_wait_for_more_packets",
      "unix_stream_read_generic",
      "unix_stream_data_wait",
      "unix_wait_for_peer",
      "sock_alloc_send_pskb",
      "accept",
      "accept4",
      "connect",
      "recv",
      "recvfrom",
      "recvmsg",
      "recvmmsg",
      "send",
      "sendto",
      "sendmsg"}},
    {SPAN("[wait: pipe]"),
     {"pipe_read", "pipe_write", "anon_pipe_read", "anon_pipe_write", "pipe_wait",
      "wait_for_partner"}},
    {SPAN("[wait: poll]"),
     {"ep_poll", "do_epoll_wait", "do_sys_poll", "do_poll", "do_select", "io_cqring_wait",
      "eventfd_read", "timerfd_read", "timerfd_read_iter", "signalfd_read", "epoll_wait",
      "epoll_pwait", "epoll_pwait2", "poll", "ppoll", "select", "pselect", "pselect64"}},
    {SPAN("[wait: process]"),
     {"do_wait", "kernel_wait4", "kernel_waitid", "wait_for_vfork_done", "wait4", "waitpid",
      "waitid", "vfork"}},
    {SPAN("[wait: signal]"),
     {"do_sigtimedwait", "sigsuspend", "__x64_sys_pause", "__arm64_sys_pause", "do_signal_stop",
      "ptrace_stop", "ptrace_do_notify", "pause", "sigwaitinfo", "sigtimedwait", "sigwait"}},
    {SPAN("[wait: kernel lock]"),
     {"rwsem_down_read_slowpath", "rwsem_down_write_slowpath", "rwsem_down_read_failed",
      "rwsem_down_write_failed", "__mutex_lock", "mutex_lock", "__down", "__down_killable",
      "percpu_rwsem_wait", "lock_mm_and_find_vma", "synchronize_rcu"}},
    {SPAN("[wait: terminal]"), {"n_tty_read", "n_tty_write", "tty_wait_until_sent"}},
    {SPAN("[wait: run queue]"),
     {"do_sched_yield", "__cond_resched", "preempt_schedule_common", "sched_yield"}},
};

/* Return true if the symbol is the function, or a copy of it: "name", "name.part.0", "name@@V2". */
static bool
is_function(struct span sym, const char *name)
{
    struct span wanted = span_cstr(name);
    if (!span_starts(sym, wanted))
        return false;
    char end = sym.len > wanted.len ? sym.ptr[wanted.len] : '.';
    return end == '.' || end == '@';
}

static struct span
kind_named(struct span sym)
{
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
        for (const char *const *name = waits[i].functions; *name != NULL; name++)
            if (is_function(sym, *name))
                return waits[i].kind;
    return SPAN("");
}

/* Return the kind of wait that the function means, or an empty text. */
static struct span
kind_by(struct span sym)
{
    static const struct span aliases[] = {SPAN("__GI_"), SPAN("__libc_"), SPAN("__")};
    struct span kind = kind_named(sym);
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases && kind.len == 0; i++)
        if (span_starts(sym, aliases[i]))
            kind = kind_named(span_from(sym, aliases[i].len));
    return kind;
}

/* Return true if libuv's event loop waits for work. poll(2) elsewhere waits for the answer to work.
 * In a libuv.so without debug symbols, the loop's function has no name, but it is the only one that
 * calls epoll_wait. */
static bool
is_event_loop(const struct frametab *t, const uint32_t *frames, size_t n)
{
    static const struct span loop[] = {SPAN("uv__io_poll"), SPAN("uv__epoll_wait")};
    struct span callee = SPAN("");
    for (size_t i = 0; i < n; i++) {
        const struct frame *f = frametab_frame(t, frames[i]);
        if (span_eq_any(f->sym, loop, sizeof loop / sizeof *loop) ||
            (frame_is_nameless(f) && span_starts(callee, SPAN("epoll_")) &&
             span_starts(dso_base(f->dso), SPAN("libuv.so"))))
            return true;
        callee = f->sym;
    }
    return false;
}

struct span
waitkind_of(const struct frametab *t, const uint32_t *frames, size_t n)
{
    enum { DEEPEST = 24 }; /* the function of a system call is nearer to the leaf than this */
    size_t most = n < DEEPEST ? n : DEEPEST;
    struct span kind = SPAN("");
    for (size_t i = 0; i < most && kind.len == 0; i++)
        kind = kind_by(frametab_frame(t, frames[i])->sym);
    if (span_eq(kind, SPAN("[wait: poll]")) && is_event_loop(t, frames, most))
        return SPAN("[wait: event loop]");
    return kind.len > 0 ? kind : SPAN("[wait]");
}
