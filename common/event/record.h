/* Decodes one record of the kernel from memory, wherever the bytes came from: a perf.data file, a
 * pipe, or the kernel's ring buffer. The layouts are in linux/perf_event.h (enum perf_event_type)
 * and perf_event_open(2).
 *
 *     u32 type, u16 misc, u16 size, the fields of that type, sample_id
 */
#ifndef EVENT_RECORD_H
#define EVENT_RECORD_H

#include "common/event/eventset.h"

/* PERF_RECORD_*; from 64 on, records that perf adds (perf.data-file-format.txt). */
enum record_type {
    RECORD_MMAP = 1,
    RECORD_LOST = 2,
    RECORD_COMM = 3,
    RECORD_EXIT = 4,
    RECORD_THROTTLE = 5,
    RECORD_UNTHROTTLE = 6,
    RECORD_FORK = 7,
    RECORD_READ = 8,
    RECORD_SAMPLE = 9,
    RECORD_MMAP2 = 10,
    RECORD_AUX = 11,
    RECORD_ITRACE_START = 12,
    RECORD_LOST_SAMPLES = 13,
    RECORD_SWITCH = 14,
    RECORD_SWITCH_CPU_WIDE = 15,
    RECORD_NAMESPACES = 16,
    RECORD_KSYMBOL = 17,
    RECORD_BPF = 18,
    RECORD_CGROUP = 19,
    RECORD_TEXT_POKE = 20,
    RECORD_KERNEL_END = 64, /* types below are the kernel's */
    RECORD_FINISHED_ROUND = 68,
};

enum {
    RECORD_HEADER = 8,    /* bytes */
    RECORD_MAX = 0xffff,  /* bytes of the largest record */
    RECORD_BUILD_ID = 20, /* bytes of the largest build-id */
};

/* `misc`: the low three bits say in which mode the address of a sample or map was. */
enum {
    MISC_CPUMODE = 7,
    MISC_KERNEL = 1,
    MISC_USER = 2,
    MISC_HYPERVISOR = 3,
    MISC_GUEST_KERNEL = 4,
    MISC_GUEST_USER = 5,
    MISC_MMAP_DATA = 1 << 13,      /* MMAP: the map is not executable */
    MISC_COMM_EXEC = 1 << 13,      /* COMM: by execve(2) */
    MISC_FORK_EXEC = 1 << 13,      /* FORK: perf made it for a task that ran already */
    MISC_SWITCH_OUT = 1 << 13,     /* SWITCH */
    MISC_MMAP_BUILD_ID = 1 << 14,  /* MMAP2 holds a build-id in place of the inode */
    MISC_SWITCH_PREEMPT = 1 << 14, /* SWITCH out of a task that could have run on */
};

/* Addresses in a callchain from here on are markers: the mode of the addresses that follow. Other
 * markers than these three are to be ignored: the mode stays as it was. */
#define CHAIN_MARKERS    ((uint64_t)-4095)
#define CHAIN_HYPERVISOR ((uint64_t)-32)
#define CHAIN_KERNEL     ((uint64_t)-128)
#define CHAIN_USER       ((uint64_t)-512)

/* Registers: values[i] is that of the i-th bit set in the event's mask. */
struct record_regs {
    uint64_t abi; /* 0: none were recorded, 1: 32 bits, 2: 64 bits */
    struct words values;
};

/* Counters, by SAMPLE_READ. record_counter gives each. */
struct record_read {
    uint64_t time_enabled, time_running; /* nanoseconds; 0 if not recorded */
    size_t count;                        /* of counters */

    /* private from here */
    uint64_t value;     /* without READ_GROUP */
    struct words words; /* with READ_GROUP value, id, lost of each; else id, lost */
};

/* Fields that the event's sample_type lacks are 0 or empty. */
struct record_sample {
    uint64_t ip;
    uint64_t addr;
    uint64_t period; /* where samples have none, the event's: see event.period */
    struct record_read read;
    struct words callchain; /* leaf first, with markers */
    struct span raw;        /* a tracepoint's payload */
    struct words branches;  /* from, to, flags of each */
    struct record_regs regs_user, regs_intr;
    struct span stack; /* the user's, as many bytes as were in use (--call-graph dwarf) */
    uint64_t weight, data_src, transaction;
    uint64_t phys_addr, cgroup, data_page_size, code_page_size;
};

struct record_mmap {
    uint32_t pid, tid;
    uint64_t addr, len, pgoff;
    struct span file;
    /* MMAP2: */
    struct span build_id; /* empty where there is an inode */
    uint32_t major, minor;
    uint64_t inode, inode_generation;
    uint32_t prot, flags; /* of mmap(2) */
};

struct record_comm {
    uint32_t pid, tid;
    struct span comm;
};

struct record_task { /* FORK and EXIT */
    uint32_t pid, ppid, tid, ptid;
    uint64_t time;
};

/* LOST and LOST_SAMPLES. perf 6.1 ends a recording with one LOST_SAMPLES for each counter that lost
 * any, its id in record.id: these count again what the LOST records before them counted. */
struct record_lost {
    uint64_t id; /* of the counter whose record found no room; LOST_SAMPLES: 0 */
    uint64_t lost;
};

struct record_throttle {
    uint64_t time, id, stream_id;
};

struct record_namespaces {
    uint32_t pid, tid;
    struct words links; /* device, inode of each: net, uts, ipc, pid, user, mnt, cgroup */
};

struct record_ksymbol {
    uint64_t addr;
    uint32_t len;
    uint16_t type, flags; /* flags & 1: it is unregistered */
    struct span name;
};

struct record_bpf {
    uint16_t type, flags; /* type 1: loaded, 2: unloaded */
    uint32_t id;
    struct span tag;
};

struct record_cgroup {
    uint64_t id;
    struct span path;
};

struct record_poke {
    uint64_t addr;
    struct span old, new;
};

struct record_switch {
    uint32_t pid, tid; /* SWITCH_CPU_WIDE: of the next task, or of the previous; else 0 */
};

struct record {
    uint32_t type;
    uint16_t misc;
    const struct event *event; /* NULL: of no event of the recording */
    struct span bytes;         /* the whole record, borrowed; all spans here point into it */
    /* From the sample's fields, or from sample_id at the end of another record. `has` says by the
     * bits of enum sample_type which there are; the others are 0. */
    uint64_t has;
    uint64_t time; /* nanoseconds */
    uint64_t id, stream_id;
    uint32_t pid, tid, cpu;
    union {
        struct record_sample sample;
        struct record_mmap mmap; /* also MMAP2 */
        struct record_comm comm;
        struct record_task task;
        struct record_lost lost;
        struct record_throttle throttle;
        struct record_namespaces namespaces;
        struct record_ksymbol ksymbol;
        struct record_bpf bpf;
        struct record_cgroup cgroup;
        struct record_poke poke;
        struct record_switch sched;
    };
};

/* Decodes the record `bytes`, which are borrowed. Of a type that has no member in the union above
 * only the fields before it are set; of one that perf adds only type, misc and bytes. Records that
 * perf made itself, of what was there before the recording began, have zeros in sample_id. Returns
 * NULL, or what is wrong, and then only type, misc and bytes can be used. */
const char *record_decode(const struct eventset *events, struct span bytes, struct record *r);

/* The time of a record in nanoseconds, without decoding the rest; 0 if it has none, or is cut. */
uint64_t record_time(const struct eventset *events, struct span bytes);

struct record_counter {
    uint64_t value, id, lost; /* id, lost: 0 if not recorded */
};

/* The i-th counter of a sample's `read`; i is below read.count. */
struct record_counter record_counter(const struct record *r, size_t i);

/* The value of the register with that number in the event's mask. False if it was not recorded. */
bool record_register(uint64_t mask, const struct record_regs *regs, unsigned number,
                     uint64_t *value);

#endif
