/* A filter is a program of the Berkeley Packet Filter over struct seccomp_data: seccomp(2),
 * linux/seccomp.h, linux/filter.h, linux/audit.h. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "common/base/confine.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The processor's convention for system calls. A process may use conventions other than that for
 * which it was built, with other numbers. They are refused. */
#define BITS_64 0x80000000u
#define LITTLE  0x40000000u
#if defined __x86_64__ && !defined __ILP32__
#define ARCHITECTURE (EM_X86_64 | BITS_64 | LITTLE)
#elif defined __aarch64__ && defined __AARCH64EL__
#define ARCHITECTURE (EM_AARCH64 | BITS_64 | LITTLE)
#elif defined __riscv && __riscv_xlen == 64
#define ARCHITECTURE (EM_RISCV | BITS_64 | LITTLE)
#endif

/* AddressSanitizer looks for leaks with ptrace(2), which is not allowed. */
#if defined ARCHITECTURE && !defined __SANITIZE_ADDRESS__

/* The input of a filter: linux/seccomp.h, the source of the numbers, too. */
struct seccomp_data {
    int32_t nr;
    uint32_t arch;
    uint64_t instruction_pointer;
    uint64_t args[6];
};

/* An instruction: linux/filter.h. */
struct sock_filter {
    uint16_t code;
    uint8_t jt, jf; /* instructions that a jump skips if the condition is true; if it is false */
    uint32_t k;
};

enum {
    LOAD = 0x20,          /* BPF_LD | BPF_W | BPF_ABS */
    JUMP_IF_EQUAL = 0x15, /* BPF_JMP | BPF_JEQ | BPF_K */
    JUMP_IF_SET = 0x45,   /* BPF_JMP | BPF_JSET | BPF_K */
    RETURN = 0x06,        /* BPF_RET | BPF_K */
};
enum { SECCOMP_SET_MODE_FILTER = 1, SECCOMP_FILTER_FLAG_SPEC_ALLOW = 1 << 2 };
#define SECCOMP_RET_ALLOW 0x7fff0000u
#define SECCOMP_RET_ERRNO 0x00050000u /* plus the number of the error */

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* System calls that are allowed with any arguments, the frequent ones first. Some are made by the C
 * library, by the loader of a program that is started, and by gzip, bzip2, xz and zstd. */
static const int allowed[] = {
    SYS_read, SYS_write, SYS_close, SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise,
    SYS_brk, SYS_lseek, SYS_newfstatat, SYS_fadvise64,
#ifdef SYS_open /* architectures that Linux supported before 2012 */
    SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_dup2, SYS_pipe, SYS_poll, SYS_fork,
    SYS_vfork,
#endif
#ifdef SYS_arch_prctl
    SYS_arch_prctl,
#endif
#ifdef SYS_statx
    SYS_statx,
#endif
#ifdef SYS_rseq
    SYS_rseq,
#endif
#ifdef SYS_clone3
    SYS_clone3,
#endif
#ifdef SYS_faccessat2
    SYS_faccessat2,
#endif
#ifdef SYS_close_range
    SYS_close_range,
#endif
    /* files, without changing them */
    SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_fstat, SYS_faccessat, SYS_readlinkat,
    SYS_getdents64, SYS_getcwd, SYS_statfs, SYS_fstatfs, SYS_fcntl, SYS_ftruncate, SYS_fsync,
    SYS_memfd_create,
    /* pipes, and starting the programs at their ends */
    SYS_dup, SYS_dup3, SYS_pipe2, SYS_execve, SYS_clone, SYS_waitid, SYS_kill,
    /* the helper: helper.h */
    SYS_sendmsg, SYS_recvmsg,
    /* signals and threads */
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_tgkill, SYS_tkill,
    SYS_exit, SYS_exit_group, SYS_restart_syscall, SYS_set_tid_address, SYS_set_robust_list,
    SYS_sched_yield, SYS_sched_getaffinity, SYS_clock_gettime, SYS_clock_nanosleep, SYS_nanosleep,
    SYS_gettimeofday, SYS_ppoll, SYS_futex, SYS_wait4,
    /* information about the process */
    SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid,
    SYS_getrusage, SYS_getrandom, SYS_uname, SYS_sysinfo};

/* System calls that change files by name. */
static const int changing[] = {
#ifdef SYS_open
    SYS_rename,    SYS_unlink,   SYS_chmod,
#endif
#ifdef SYS_renameat
    SYS_renameat,
#endif
    SYS_renameat2, SYS_unlinkat, SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_umask};

/* A system call that is allowed if one argument has this value. */
struct call_rule {
    int number;
    unsigned argument;
    uint32_t value;
};

static const struct call_rule some[] = {
    {SYS_ioctl, 1, TCGETS},       /* isatty(3) of glibc */
    {SYS_ioctl, 1, TIOCGWINSZ},   /* isatty(3) of musl */
    {SYS_prlimit64, 0, 0},        /* this process */
    {SYS_socketpair, 0, AF_UNIX}, /* reaches only forked processes */
};

enum { MOST = 512 }; /* instructions; a filter may have 4,096 */

struct bpf_program {
    struct sock_filter code[MOST];
    uint16_t n;
};

static void
add(struct bpf_program *f, uint16_t code, uint32_t k, uint8_t jt, uint8_t jf)
{
    f->code[f->n++] = (struct sock_filter){code, jt, jf, k};
}

static void
load_number(struct bpf_program *f)
{
    add(f, LOAD, offsetof(struct seccomp_data, nr), 0, 0);
}

/* Load the low half of an argument. */
static void
load_argument(struct bpf_program *f, unsigned n)
{
    add(f, LOAD, (uint32_t)(offsetof(struct seccomp_data, args) + n * sizeof(uint64_t)), 0, 0);
}

static void
allow(struct bpf_program *f, const int *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        add(f, JUMP_IF_EQUAL, (uint32_t)numbers[i], 0, 1);
        add(f, RETURN, SECCOMP_RET_ALLOW, 0, 0);
    }
}

static void
allow_some(struct bpf_program *f, const struct call_rule *calls, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        add(f, JUMP_IF_EQUAL, (uint32_t)calls[i].number, 0, 4);
        load_argument(f, calls[i].argument);
        add(f, JUMP_IF_EQUAL, calls[i].value, 0, 1);
        add(f, RETURN, SECCOMP_RET_ALLOW, 0, 0);
        load_number(f);
    }
}

/* Allow a system call that opens a file for reading, or makes a temporary file without a name.
 * linkat(2), which could give it one, is not allowed. */
static void
allow_reading(struct bpf_program *f, int number, unsigned flags)
{
    add(f, JUMP_IF_EQUAL, (uint32_t)number, 0, 5);
    load_argument(f, flags);
    add(f, JUMP_IF_SET, O_TMPFILE & ~O_DIRECTORY, 1, 0);
    add(f, JUMP_IF_SET, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, 1, 0);
    add(f, RETURN, SECCOMP_RET_ALLOW, 0, 0);
    add(f, RETURN, SECCOMP_RET_ERRNO | EACCES, 0, 0);
}

static void
allow_opening(struct bpf_program *f, bool change)
{
    static const int calls[] = {
#ifdef SYS_open
        SYS_open,
#endif
        SYS_openat};
    for (size_t i = 0; !change && i < COUNT(calls); i++)
        allow_reading(f, calls[i], calls[i] == SYS_openat ? 2 : 1);
    if (change)
        allow(f, calls, COUNT(calls));
}

/* Compose the filter. A system call that is not allowed fails as if the kernel did not have it. */
static void
build(struct bpf_program *f, unsigned rights)
{
    bool change = (rights & CONFINE_WRITING) != 0;
    add(f, LOAD, offsetof(struct seccomp_data, arch), 0, 0);
    add(f, JUMP_IF_EQUAL, ARCHITECTURE, 1, 0);
    add(f, RETURN, SECCOMP_RET_ERRNO | ENOSYS, 0, 0);
    load_number(f);
    allow(f, allowed, COUNT(allowed));
    allow_opening(f, change);
    if (change)
        allow(f, changing, COUNT(changing));
    allow_some(f, some, COUNT(some));
    add(f, RETURN, SECCOMP_RET_ERRNO | ENOSYS, 0, 0);
}

/* SECCOMP_FILTER_FLAG_SPEC_ALLOW (Linux 4.17): without it, kernels before 5.16 turn on mitigations
 * against speculative execution for processes with a filter, which slow them down by up to a third.
 * They are for programs that run foreign code. */
bool
confine(unsigned rights)
{
    struct bpf_program f = {.n = 0};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return false;
    build(&f, rights);
    struct {
        uint16_t n;
        const struct sock_filter *code;
    } program = {f.n, f.code};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                   &program) == 0 ||
           (errno == EINVAL && syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0);
}

#else

bool
confine(unsigned rights)
{
    (void)rights;
    return false;
}

#endif
