/* The numbers are those of arch/x86/entry/syscalls/syscall_64.tbl, syscall_32.tbl and
 * include/uapi/asm-generic/unistd.h in the Linux source, up to Linux 6.17. Each text has the names
 * in the order of their numbers, "-" for a number without a call. */
#include "common/tracepoint/syscallnames.h"

static const char x86_64[] =
    "read write open close stat fstat lstat poll lseek mmap mprotect munmap brk rt_sigaction "
    "rt_sigprocmask rt_sigreturn ioctl pread64 pwrite64 readv writev access pipe select "
    "sched_yield mremap msync mincore madvise shmget shmat shmctl dup dup2 pause nanosleep "
    "getitimer alarm setitimer getpid sendfile socket connect accept sendto recvfrom sendmsg "
    "recvmsg shutdown bind listen getsockname getpeername socketpair setsockopt getsockopt clone "
    "fork vfork execve exit wait4 kill uname semget semop semctl shmdt msgget msgsnd msgrcv "
    "msgctl fcntl flock fsync fdatasync truncate ftruncate getdents getcwd chdir fchdir rename "
    "mkdir rmdir creat link unlink symlink readlink chmod fchmod chown fchown lchown umask "
    "gettimeofday getrlimit getrusage sysinfo times ptrace getuid syslog getgid setuid setgid "
    "geteuid getegid setpgid getppid getpgrp setsid setreuid setregid getgroups setgroups "
    "setresuid getresuid setresgid getresgid getpgid setfsuid setfsgid getsid capget capset "
    "rt_sigpending rt_sigtimedwait rt_sigqueueinfo rt_sigsuspend sigaltstack utime mknod uselib "
    "personality ustat statfs fstatfs sysfs getpriority setpriority sched_setparam sched_getparam "
    "sched_setscheduler sched_getscheduler sched_get_priority_max sched_get_priority_min "
    "sched_rr_get_interval mlock munlock mlockall munlockall vhangup modify_ldt pivot_root "
    "_sysctl prctl arch_prctl adjtimex setrlimit chroot sync acct settimeofday mount umount2 "
    "swapon swapoff reboot sethostname setdomainname iopl ioperm create_module init_module "
    "delete_module get_kernel_syms query_module quotactl nfsservctl getpmsg putpmsg afs_syscall "
    "tuxcall security gettid readahead setxattr lsetxattr fsetxattr getxattr lgetxattr fgetxattr "
    "listxattr llistxattr flistxattr removexattr lremovexattr fremovexattr tkill time futex "
    "sched_setaffinity sched_getaffinity set_thread_area io_setup io_destroy io_getevents "
    "io_submit io_cancel get_thread_area lookup_dcookie epoll_create epoll_ctl_old epoll_wait_old "
    "remap_file_pages getdents64 set_tid_address restart_syscall semtimedop fadvise64 "
    "timer_create timer_settime timer_gettime timer_getoverrun timer_delete clock_settime "
    "clock_gettime clock_getres clock_nanosleep exit_group epoll_wait epoll_ctl tgkill utimes "
    "vserver mbind set_mempolicy get_mempolicy mq_open mq_unlink mq_timedsend mq_timedreceive "
    "mq_notify mq_getsetattr kexec_load waitid add_key request_key keyctl ioprio_set ioprio_get "
    "inotify_init inotify_add_watch inotify_rm_watch migrate_pages openat mkdirat mknodat "
    "fchownat futimesat newfstatat unlinkat renameat linkat symlinkat readlinkat fchmodat "
    "faccessat pselect6 ppoll unshare set_robust_list get_robust_list splice tee sync_file_range "
    "vmsplice move_pages utimensat epoll_pwait signalfd timerfd_create eventfd fallocate "
    "timerfd_settime timerfd_gettime accept4 signalfd4 eventfd2 epoll_create1 dup3 pipe2 "
    "inotify_init1 preadv pwritev rt_tgsigqueueinfo perf_event_open recvmmsg fanotify_init "
    "fanotify_mark prlimit64 name_to_handle_at open_by_handle_at clock_adjtime syncfs sendmmsg "
    "setns getcpu process_vm_readv process_vm_writev kcmp finit_module sched_setattr "
    "sched_getattr renameat2 seccomp getrandom memfd_create kexec_file_load bpf execveat "
    "userfaultfd membarrier mlock2 copy_file_range preadv2 pwritev2 pkey_mprotect pkey_alloc "
    "pkey_free statx io_pgetevents rseq";

/* Also for 32-bit programs on x86_64. */
static const char i386[] =
    "restart_syscall exit fork read write open close waitpid creat link unlink execve chdir time "
    "mknod chmod lchown break oldstat lseek getpid mount umount setuid getuid stime ptrace alarm "
    "oldfstat pause utime stty gtty access nice ftime sync kill rename mkdir rmdir dup pipe times "
    "prof brk setgid getgid signal geteuid getegid acct umount2 lock ioctl fcntl mpx setpgid "
    "ulimit oldolduname umask chroot ustat dup2 getppid getpgrp setsid sigaction sgetmask "
    "ssetmask setreuid setregid sigsuspend sigpending sethostname setrlimit getrlimit getrusage "
    "gettimeofday settimeofday getgroups setgroups select symlink oldlstat readlink uselib swapon "
    "reboot readdir mmap munmap truncate ftruncate fchmod fchown getpriority setpriority profil "
    "statfs fstatfs ioperm socketcall syslog setitimer getitimer stat lstat fstat olduname iopl "
    "vhangup idle vm86old wait4 swapoff sysinfo ipc fsync sigreturn clone setdomainname uname "
    "modify_ldt adjtimex mprotect sigprocmask create_module init_module delete_module "
    "get_kernel_syms quotactl getpgid fchdir bdflush sysfs personality afs_syscall setfsuid "
    "setfsgid _llseek getdents _newselect flock msync readv writev getsid fdatasync _sysctl mlock "
    "munlock mlockall munlockall sched_setparam sched_getparam sched_setscheduler "
    "sched_getscheduler sched_yield sched_get_priority_max sched_get_priority_min "
    "sched_rr_get_interval nanosleep mremap setresuid getresuid vm86 query_module poll nfsservctl "
    "setresgid getresgid prctl rt_sigreturn rt_sigaction rt_sigprocmask rt_sigpending "
    "rt_sigtimedwait rt_sigqueueinfo rt_sigsuspend pread64 pwrite64 chown getcwd capget capset "
    "sigaltstack sendfile getpmsg putpmsg vfork ugetrlimit mmap2 truncate64 ftruncate64 stat64 "
    "lstat64 fstat64 lchown32 getuid32 getgid32 geteuid32 getegid32 setreuid32 setregid32 "
    "getgroups32 setgroups32 fchown32 setresuid32 getresuid32 setresgid32 getresgid32 chown32 "
    "setuid32 setgid32 setfsuid32 setfsgid32 pivot_root mincore madvise getdents64 fcntl64 - - "
    "gettid readahead setxattr lsetxattr fsetxattr getxattr lgetxattr fgetxattr listxattr "
    "llistxattr flistxattr removexattr lremovexattr fremovexattr tkill sendfile64 futex "
    "sched_setaffinity sched_getaffinity set_thread_area get_thread_area io_setup io_destroy "
    "io_getevents io_submit io_cancel fadvise64 - exit_group lookup_dcookie epoll_create "
    "epoll_ctl epoll_wait remap_file_pages set_tid_address timer_create timer_settime "
    "timer_gettime timer_getoverrun timer_delete clock_settime clock_gettime clock_getres "
    "clock_nanosleep statfs64 fstatfs64 tgkill utimes fadvise64_64 vserver mbind get_mempolicy "
    "set_mempolicy mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr "
    "kexec_load waitid - add_key request_key keyctl ioprio_set ioprio_get inotify_init "
    "inotify_add_watch inotify_rm_watch migrate_pages openat mkdirat mknodat fchownat futimesat "
    "fstatat64 unlinkat renameat linkat symlinkat readlinkat fchmodat faccessat pselect6 ppoll "
    "unshare set_robust_list get_robust_list splice sync_file_range tee vmsplice move_pages "
    "getcpu epoll_pwait utimensat signalfd timerfd_create eventfd fallocate timerfd_settime "
    "timerfd_gettime signalfd4 eventfd2 epoll_create1 dup3 pipe2 inotify_init1 preadv pwritev "
    "rt_tgsigqueueinfo perf_event_open recvmmsg fanotify_init fanotify_mark prlimit64 "
    "name_to_handle_at open_by_handle_at clock_adjtime syncfs sendmmsg setns process_vm_readv "
    "process_vm_writev kcmp finit_module sched_setattr sched_getattr renameat2 seccomp getrandom "
    "memfd_create bpf execveat socket socketpair bind connect listen accept4 getsockopt "
    "setsockopt getsockname getpeername sendto sendmsg recvfrom recvmsg shutdown userfaultfd "
    "membarrier mlock2 copy_file_range preadv2 pwritev2 pkey_mprotect pkey_alloc pkey_free statx "
    "arch_prctl io_pgetevents rseq - - - - - - semget semctl shmget shmctl shmat shmdt msgget "
    "msgsnd msgrcv msgctl clock_gettime64 clock_settime64 clock_adjtime64 clock_getres_time64 "
    "clock_nanosleep_time64 timer_gettime64 timer_settime64 timerfd_gettime64 timerfd_settime64 "
    "utimensat_time64 pselect6_time64 ppoll_time64 - io_pgetevents_time64 recvmmsg_time64 "
    "mq_timedsend_time64 mq_timedreceive_time64 semtimedop_time64 rt_sigtimedwait_time64 "
    "futex_time64 sched_rr_get_interval_time64";

static const char arm64[] =
    "io_setup io_destroy io_submit io_cancel io_getevents setxattr lsetxattr fsetxattr getxattr "
    "lgetxattr fgetxattr listxattr llistxattr flistxattr removexattr lremovexattr fremovexattr "
    "getcwd lookup_dcookie eventfd2 epoll_create1 epoll_ctl epoll_pwait dup dup3 fcntl "
    "inotify_init1 inotify_add_watch inotify_rm_watch ioctl ioprio_set ioprio_get flock mknodat "
    "mkdirat unlinkat symlinkat linkat renameat umount2 mount pivot_root nfsservctl statfs "
    "fstatfs truncate ftruncate fallocate faccessat chdir fchdir chroot fchmod fchmodat fchownat "
    "fchown openat close vhangup pipe2 quotactl getdents64 lseek read write readv writev pread64 "
    "pwrite64 preadv pwritev sendfile pselect6 ppoll signalfd4 vmsplice splice tee readlinkat "
    "newfstatat fstat sync fsync fdatasync sync_file_range timerfd_create timerfd_settime "
    "timerfd_gettime utimensat acct capget capset personality exit exit_group waitid "
    "set_tid_address unshare futex set_robust_list get_robust_list nanosleep getitimer setitimer "
    "kexec_load init_module delete_module timer_create timer_gettime timer_getoverrun "
    "timer_settime timer_delete clock_settime clock_gettime clock_getres clock_nanosleep syslog "
    "ptrace sched_setparam sched_setscheduler sched_getscheduler sched_getparam sched_setaffinity "
    "sched_getaffinity sched_yield sched_get_priority_max sched_get_priority_min "
    "sched_rr_get_interval restart_syscall kill tkill tgkill sigaltstack rt_sigsuspend "
    "rt_sigaction rt_sigprocmask rt_sigpending rt_sigtimedwait rt_sigqueueinfo rt_sigreturn "
    "setpriority getpriority reboot setregid setgid setreuid setuid setresuid getresuid setresgid "
    "getresgid setfsuid setfsgid times setpgid getpgid getsid setsid getgroups setgroups uname "
    "sethostname setdomainname getrlimit setrlimit getrusage umask prctl getcpu gettimeofday "
    "settimeofday adjtimex getpid getppid getuid geteuid getgid getegid gettid sysinfo mq_open "
    "mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr msgget msgctl msgrcv msgsnd "
    "semget semctl semtimedop semop shmget shmctl shmat shmdt socket socketpair bind listen "
    "accept connect getsockname getpeername sendto recvfrom setsockopt getsockopt shutdown "
    "sendmsg recvmsg readahead brk munmap mremap add_key request_key keyctl clone execve mmap "
    "fadvise64 swapon swapoff mprotect msync mlock munlock mlockall munlockall mincore madvise "
    "remap_file_pages mbind get_mempolicy set_mempolicy migrate_pages move_pages "
    "rt_tgsigqueueinfo perf_event_open accept4 recvmmsg - - - - - - - - - - - - - - - - wait4 "
    "prlimit64 fanotify_init fanotify_mark name_to_handle_at open_by_handle_at clock_adjtime "
    "syncfs setns sendmmsg process_vm_readv process_vm_writev kcmp finit_module sched_setattr "
    "sched_getattr renameat2 seccomp getrandom memfd_create bpf execveat userfaultfd membarrier "
    "mlock2 copy_file_range preadv2 pwritev2 pkey_mprotect pkey_alloc pkey_free statx "
    "io_pgetevents rseq kexec_file_load";

/* From here on, all architectures use the same numbers. */
enum { SHARED_FROM = 424 };
static const char shared[] =
    "pidfd_send_signal io_uring_setup io_uring_enter io_uring_register open_tree move_mount "
    "fsopen fsconfig fsmount fspick pidfd_open clone3 close_range openat2 pidfd_getfd faccessat2 "
    "process_madvise epoll_pwait2 mount_setattr quotactl_fd landlock_create_ruleset "
    "landlock_add_rule landlock_restrict_self memfd_secret process_mrelease futex_waitv "
    "set_mempolicy_home_node cachestat fchmodat2 map_shadow_stack futex_wake futex_wait "
    "futex_requeue statmount listmount lsm_get_self_attr lsm_set_self_attr lsm_list_modules mseal "
    "setxattrat getxattrat listxattrat removexattrat open_tree_attr file_getattr file_setattr";

/* include/uapi/asm-generic/errno-base.h and errno.h. Numbers from 512 on are for calls that were
 * interrupted by a signal: the program sees EINTR, or the call is restarted
 * (include/linux/errno.h). */
static const struct span errors[] = {
    [1] = SPAN("EPERM"),
    [2] = SPAN("ENOENT"),
    [3] = SPAN("ESRCH"),
    [4] = SPAN("EINTR"),
    [5] = SPAN("EIO"),
    [6] = SPAN("ENXIO"),
    [7] = SPAN("E2BIG"),
    [8] = SPAN("ENOEXEC"),
    [9] = SPAN("EBADF"),
    [10] = SPAN("ECHILD"),
    [11] = SPAN("EAGAIN"),
    [12] = SPAN("ENOMEM"),
    [13] = SPAN("EACCES"),
    [14] = SPAN("EFAULT"),
    [15] = SPAN("ENOTBLK"),
    [16] = SPAN("EBUSY"),
    [17] = SPAN("EEXIST"),
    [18] = SPAN("EXDEV"),
    [19] = SPAN("ENODEV"),
    [20] = SPAN("ENOTDIR"),
    [21] = SPAN("EISDIR"),
    [22] = SPAN("EINVAL"),
    [23] = SPAN("ENFILE"),
    [24] = SPAN("EMFILE"),
    [25] = SPAN("ENOTTY"),
    [26] = SPAN("ETXTBSY"),
    [27] = SPAN("EFBIG"),
    [28] = SPAN("ENOSPC"),
    [29] = SPAN("ESPIPE"),
    [30] = SPAN("EROFS"),
    [31] = SPAN("EMLINK"),
    [32] = SPAN("EPIPE"),
    [33] = SPAN("EDOM"),
    [34] = SPAN("ERANGE"),
    [35] = SPAN("EDEADLK"),
    [36] = SPAN("ENAMETOOLONG"),
    [37] = SPAN("ENOLCK"),
    [38] = SPAN("ENOSYS"),
    [39] = SPAN("ENOTEMPTY"),
    [40] = SPAN("ELOOP"),
    [42] = SPAN("ENOMSG"),
    [43] = SPAN("EIDRM"),
    [44] = SPAN("ECHRNG"),
    [45] = SPAN("EL2NSYNC"),
    [46] = SPAN("EL3HLT"),
    [47] = SPAN("EL3RST"),
    [48] = SPAN("ELNRNG"),
    [49] = SPAN("EUNATCH"),
    [50] = SPAN("ENOCSI"),
    [51] = SPAN("EL2HLT"),
    [52] = SPAN("EBADE"),
    [53] = SPAN("EBADR"),
    [54] = SPAN("EXFULL"),
    [55] = SPAN("ENOANO"),
    [56] = SPAN("EBADRQC"),
    [57] = SPAN("EBADSLT"),
    [59] = SPAN("EBFONT"),
    [60] = SPAN("ENOSTR"),
    [61] = SPAN("ENODATA"),
    [62] = SPAN("ETIME"),
    [63] = SPAN("ENOSR"),
    [64] = SPAN("ENONET"),
    [65] = SPAN("ENOPKG"),
    [66] = SPAN("EREMOTE"),
    [67] = SPAN("ENOLINK"),
    [68] = SPAN("EADV"),
    [69] = SPAN("ESRMNT"),
    [70] = SPAN("ECOMM"),
    [71] = SPAN("EPROTO"),
    [72] = SPAN("EMULTIHOP"),
    [73] = SPAN("EDOTDOT"),
    [74] = SPAN("EBADMSG"),
    [75] = SPAN("EOVERFLOW"),
    [76] = SPAN("ENOTUNIQ"),
    [77] = SPAN("EBADFD"),
    [78] = SPAN("EREMCHG"),
    [79] = SPAN("ELIBACC"),
    [80] = SPAN("ELIBBAD"),
    [81] = SPAN("ELIBSCN"),
    [82] = SPAN("ELIBMAX"),
    [83] = SPAN("ELIBEXEC"),
    [84] = SPAN("EILSEQ"),
    [85] = SPAN("ERESTART"),
    [86] = SPAN("ESTRPIPE"),
    [87] = SPAN("EUSERS"),
    [88] = SPAN("ENOTSOCK"),
    [89] = SPAN("EDESTADDRREQ"),
    [90] = SPAN("EMSGSIZE"),
    [91] = SPAN("EPROTOTYPE"),
    [92] = SPAN("ENOPROTOOPT"),
    [93] = SPAN("EPROTONOSUPPORT"),
    [94] = SPAN("ESOCKTNOSUPPORT"),
    [95] = SPAN("EOPNOTSUPP"),
    [96] = SPAN("EPFNOSUPPORT"),
    [97] = SPAN("EAFNOSUPPORT"),
    [98] = SPAN("EADDRINUSE"),
    [99] = SPAN("EADDRNOTAVAIL"),
    [100] = SPAN("ENETDOWN"),
    [101] = SPAN("ENETUNREACH"),
    [102] = SPAN("ENETRESET"),
    [103] = SPAN("ECONNABORTED"),
    [104] = SPAN("ECONNRESET"),
    [105] = SPAN("ENOBUFS"),
    [106] = SPAN("EISCONN"),
    [107] = SPAN("ENOTCONN"),
    [108] = SPAN("ESHUTDOWN"),
    [109] = SPAN("ETOOMANYREFS"),
    [110] = SPAN("ETIMEDOUT"),
    [111] = SPAN("ECONNREFUSED"),
    [112] = SPAN("EHOSTDOWN"),
    [113] = SPAN("EHOSTUNREACH"),
    [114] = SPAN("EALREADY"),
    [115] = SPAN("EINPROGRESS"),
    [116] = SPAN("ESTALE"),
    [117] = SPAN("EUCLEAN"),
    [118] = SPAN("ENOTNAM"),
    [119] = SPAN("ENAVAIL"),
    [120] = SPAN("EISNAM"),
    [121] = SPAN("EREMOTEIO"),
    [122] = SPAN("EDQUOT"),
    [123] = SPAN("ENOMEDIUM"),
    [124] = SPAN("EMEDIUMTYPE"),
    [125] = SPAN("ECANCELED"),
    [126] = SPAN("ENOKEY"),
    [127] = SPAN("EKEYEXPIRED"),
    [128] = SPAN("EKEYREVOKED"),
    [129] = SPAN("EKEYREJECTED"),
    [130] = SPAN("EOWNERDEAD"),
    [131] = SPAN("ENOTRECOVERABLE"),
    [132] = SPAN("ERFKILL"),
    [133] = SPAN("EHWPOISON"),
    [512] = SPAN("ERESTARTSYS"),
    [513] = SPAN("ERESTARTNOINTR"),
    [514] = SPAN("ERESTARTNOHAND"),
    [516] = SPAN("ERESTART_RESTARTBLOCK"),
};

static void
set_names(struct span list, size_t number, struct span names[static SYSCALLNAMES_MAX])
{
    while (list.len > 0) {
        struct span name = span_take(&list, ' ');
        names[number++] = span_eq(name, SPAN("-")) ? SPAN("") : name;
    }
}

bool
syscallnames_of(struct span machine, bool compat, struct span names[static SYSCALLNAMES_MAX])
{
    bool intel = span_eq(machine, SPAN("x86_64"));
    const char *list = intel                                          ? (compat ? i386 : x86_64)
                       : span_eq(machine, SPAN("aarch64")) && !compat ? arm64
                                                                      : NULL;
    for (size_t i = 0; i < SYSCALLNAMES_MAX; i++)
        names[i] = SPAN("");
    if (list == NULL)
        return false;
    set_names(span_cstr(list), 0, names);
    set_names(SPAN(shared), SHARED_FROM, names);
    return true;
}

struct span
syscallnames_error(unsigned number)
{
    bool known = number < sizeof errors / sizeof *errors && errors[number].ptr != NULL;
    return known ? errors[number] : SPAN("");
}
