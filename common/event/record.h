/* Decodes a kernel record from memory, be it from a perf.data file, a pipe, or the kernel's ring
 * buffer. The layouts are described in linux/perf_event.h (enum perf_event_type) and
 * perf_event_open(2).
 *
 *     u32 type, u16 misc, u16 size, the fields of that type, sample_id
 */
#ifndef EVENT_RECORD_H
#define EVENT_RECORD_H

#include "common/event/eventset.h"

/* The kernel's records (enum perf_event_type of linux/perf_event.h), and from 64 on those that perf
 * adds (enum perf_user_event_type of tools/lib/perf/include/perf/event.h). */
enum record_type {
    PERF_RECORD_MMAP = 1,
    PERF_RECORD_LOST = 2,
    PERF_RECORD_COMM = 3,
    PERF_RECORD_EXIT = 4,
    PERF_RECORD_THROTTLE = 5,
    PERF_RECORD_FORK = 7,
    PERF_RECORD_SAMPLE = 9,
    PERF_RECORD_MMAP2 = 10,
    PERF_RECORD_LOST_SAMPLES = 13,
    PERF_RECORD_SWITCH = 14,
    PERF_RECORD_SWITCH_CPU_WIDE = 15,
    PERF_RECORD_KSYMBOL = 17,
    PERF_RECORD_TEXT_POKE = 20,          /* here our own records: see ownrecord.h */
    PERF_RECORD_CALLCHAIN_DEFERRED = 22, /* u64 cookie, u64 nr, u64 ips[nr] */
    PERF_RECORD_USER_TYPE_START = 64,
    PERF_RECORD_HEADER_ATTR = 64,         /* perf_event_attr, u64 ids[] */
    PERF_RECORD_HEADER_TRACING_DATA = 66, /* u32 size; the tracing data follow the record */
    PERF_RECORD_HEADER_BUILD_ID = 67,     /* i32 pid, build-id[24], file */
    PERF_RECORD_FINISHED_ROUND = 68,
    PERF_RECORD_AUXTRACE_INFO = 70,
    PERF_RECORD_AUXTRACE_ERROR = 72,
    PERF_RECORD_EVENT_UPDATE = 78,   /* u64 kind, u64 id; for PERF_EVENT_UPDATE__NAME a name */
    PERF_RECORD_HEADER_FEATURE = 80, /* u64 feature, its data */
    PERF_RECORD_COMPRESSED = 81,
    PERF_RECORD_COMPRESSED2 = 83,
    PERF_RECORD_BPF_METADATA = 84,
};

enum { PERF_EVENT_UPDATE__NAME = 2 };

enum {
    RECORD_HEADER = 8,    /* bytes */
    RECORD_MAX = 0xffff,  /* bytes of the largest record */
    RECORD_BUILD_ID = 20, /* bytes of the largest build-id */
    RECORD_BRANCH = 3,    /* 64-bit words of a branch: from, to, flags */
};

/* Bits of `misc`. The low three bits are the mode of the address of a sample or map. */
enum {
    PERF_RECORD_MISC_CPUMODE_MASK = 7,
    PERF_RECORD_MISC_KERNEL = 1,
    PERF_RECORD_MISC_USER = 2,
    /* The next three are for SAMPLE, and OWN_STACK of ownrecord.h. UNWOUND: the callchain's user
     * part was unwound from a copy of the stack, and its entries are call addresses. CUT: it does
     * not reach the root, since the copy was too short. LOST: it does not, since the next frame was
     * not found. Kernels use none of these bits, and perf ignores them. */
    RECORD_MISC_UNWOUND = 1 << 9,
    RECORD_MISC_CUT = 1 << 10,
    RECORD_MISC_LOST = 1 << 11,
    PERF_RECORD_MISC_MMAP_DATA = 1 << 13, /* MMAP: the map is not executable */
    PERF_RECORD_MISC_COMM_EXEC = 1 << 13, /* COMM: by execve(2) */
    /* FORK: perf made it for a task that was already running. */
    PERF_RECORD_MISC_FORK_EXEC = 1 << 13,
    PERF_RECORD_MISC_SWITCH_OUT = 1 << 13, /* SWITCH */
    /* SWITCH out: the thread was still runnable. */
    PERF_RECORD_MISC_SWITCH_OUT_PREEMPT = 1 << 14,
    PERF_RECORD_MISC_MMAP_BUILD_ID = 1 << 14, /* MMAP2: has a build-id in place of the inode */
};

/* Entries of a callchain from here on are markers: the mode of the following addresses. Ignore
 * markers other than these three: the mode stays the same. */
#define PERF_CONTEXT_MAX    ((uint64_t)-4095)
#define PERF_CONTEXT_HV     ((uint64_t)-32)
#define PERF_CONTEXT_KERNEL ((uint64_t)-128)
#define PERF_CONTEXT_USER   ((uint64_t)-512)

/* A cookie follows, and the chain's user part comes in a later record: see deferred.h. */
#define PERF_CONTEXT_USER_DEFERRED ((uint64_t)-640)

/* Registers: values[i] is that of the i-th bit set in the event's mask. */
struct record_regs {
    uint64_t abi; /* 0: none recorded; 1: 32 bits; 2: 64 bits */
    struct words values;
};

/* The counters of a sample with PERF_SAMPLE_READ. record_counter returns each. */
struct record_read {
    size_t count; /* number of counters */

    /* private from here */
    uint64_t value;     /* without PERF_FORMAT_GROUP */
    struct words words; /* with PERF_FORMAT_GROUP value, id, lost of each; else id, lost */
};

/* Fields that are not in the event's sample_type are 0 or empty. Fields that no program uses are
 * ignored: the transaction, registers at the interrupt, the physical address, page sizes. */
struct record_sample {
    uint64_t ip;
    /* In samples made by stackrecord --wall: the thread's state with that stack. */
    enum record_wait {
        RECORD_RUNS,
        RECORD_WAITS,
        RECORD_READY,  /* runnable, and waiting for a CPU */
        RECORD_UNSEEN, /* waiting since before the recording, with an unknown stack */
    } wait;
    /* In samples made by stackrecord --syscalls: the frame added as the leaf. Else empty. */
    struct span leaf;
    /* The time of the first sample with this stack, with --wall; 0: this sample's. */
    uint64_t seen;
    uint64_t addr;
    uint64_t period; /* if the sample has none, the event's period: see event.period */
    struct record_read read;
    struct words callchain; /* leaf first, with markers */
    /* Number of its last entries that were unwound: see keeps_callchains in stage/unwinding.h. */
    size_t unwound;
    struct words branches; /* latest first, RECORD_BRANCH words each; see record_calls() */
    struct span raw;       /* a tracepoint's payload */
    struct record_regs regs_user;
    struct span stack; /* copy of the used part of the user stack (--call-graph dwarf) */
    uint64_t weight, data_src;
};

struct record_mmap {
    uint32_t pid, tid;
    uint64_t addr, len, pgoff;
    struct span file;
    /* MMAP2: */
    struct span build_id; /* empty if there is an inode */
    uint32_t major, minor;
    uint64_t inode, inode_generation;
    uint32_t prot, flags; /* of mmap(2) */
};

struct record_comm {
    uint32_t pid, tid;
    struct span comm;
};

struct record_task {
    uint32_t pid, ppid, tid, ptid;
};

struct record_ksymbol {
    uint64_t addr;
    uint32_t len;
    uint16_t flags; /* flags & 1: unregistered */
    struct span name;
};

/* A change of code; its new bytes are not decoded. */
struct record_poke {
    uint64_t addr;
    struct span old;
};

/* The user's part of the callchain of earlier samples. */
struct record_deferred {
    uint64_t cookie;
    struct words chain; /* leaf first, without markers */
};

struct record {
    uint32_t type;
    uint16_t misc;
    const struct event *event; /* NULL: of no known event */
    struct span bytes;         /* the whole record, borrowed; all spans here point into it */
    /* From the sample's fields, or from sample_id at the end of another record. `has` tells which
     * are present, by the bits of enum sample_type; the others are 0. */
    uint64_t has;
    uint64_t time; /* nanoseconds */
    uint64_t id;
    uint32_t pid, tid, cpu;
    union {
        struct record_sample sample;
        struct record_mmap mmap; /* also MMAP2 */
        struct record_comm comm;
        struct record_task task; /* FORK and EXIT */
        /* Number of records lost for want of room: LOST and LOST_SAMPLES. perf 6.1 ends a recording
         * with a LOST_SAMPLES record for each counter that lost any, without a time, and with the
         * counter's id if there are several: these count again what the LOST records before them
         * counted. */
        uint64_t lost;
        struct record_ksymbol ksymbol;
        struct record_poke poke;
        struct record_deferred deferred;
    };
};

/* Decode the record `bytes`, which are borrowed. For types without a member in the union, set only
 * the members before it; for types that perf adds, only type, misc and bytes. Records that perf
 * made itself, about the time before the recording, have zeros in sample_id. Return NULL, or what
 * is wrong: then only type, misc and bytes can be used. */
const char *record_decode(const struct eventset *events, struct span bytes, struct record *r);

/* Return the time of a record in nanoseconds, without decoding the rest; 0 if it has none, or is
 * truncated. */
uint64_t record_time(const struct eventset *events, struct span bytes);

struct record_counter {
    uint64_t value, id; /* id: 0 if not recorded */
};

/* Return the i-th counter of a sample's `read`; i is less than read.count. */
struct record_counter record_counter(const struct record *r, size_t i);

/* Return the calls of user code that had not returned at the sample, from the processor's last
 * branch records (perf record --call-graph lbr), innermost first: RECORD_BRANCH words each, the
 * address of the call, that of the called function, flags. Borrowed from the record. Empty if the
 * sample has none, or has branches of other kinds (perf record -b). */
struct words record_calls(const struct record *r);

/* Find the value of the register with this number in the event's mask. Return false if it was not
 * recorded. */
bool record_register(uint64_t mask, const struct record_regs *regs, unsigned number,
                     uint64_t *value);

#endif
