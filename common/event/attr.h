/* One event of a recording: what was sampled, and how its records are laid out. It is what struct
 * perf_event_attr of linux/perf_event.h says; perf_event_open(2) explains each field. */
#ifndef EVENT_ATTR_H
#define EVENT_ATTR_H

#include "common/base/text.h"
#include "common/event/load.h"

/* PERF_TYPE_* */
enum event_type {
    EVENT_HARDWARE,
    EVENT_SOFTWARE,
    EVENT_TRACEPOINT, /* config is the "ID:" of its format */
    EVENT_HW_CACHE,
    EVENT_RAW,
    EVENT_BREAKPOINT,
};

/* PERF_SAMPLE_*: the fields of a sample. */
enum sample_type {
    SAMPLE_IP = 1 << 0,
    SAMPLE_TID = 1 << 1,
    SAMPLE_TIME = 1 << 2,
    SAMPLE_ADDR = 1 << 3,
    SAMPLE_READ = 1 << 4,
    SAMPLE_CALLCHAIN = 1 << 5,
    SAMPLE_ID = 1 << 6,
    SAMPLE_CPU = 1 << 7,
    SAMPLE_PERIOD = 1 << 8,
    SAMPLE_STREAM_ID = 1 << 9,
    SAMPLE_RAW = 1 << 10,
    SAMPLE_BRANCH_STACK = 1 << 11,
    SAMPLE_REGS_USER = 1 << 12,
    SAMPLE_STACK_USER = 1 << 13,
    SAMPLE_WEIGHT = 1 << 14,
    SAMPLE_DATA_SRC = 1 << 15,
    SAMPLE_IDENTIFIER = 1 << 16,
    SAMPLE_TRANSACTION = 1 << 17,
    SAMPLE_REGS_INTR = 1 << 18,
    SAMPLE_PHYS_ADDR = 1 << 19,
    SAMPLE_AUX = 1 << 20,
    SAMPLE_CGROUP = 1 << 21,
    SAMPLE_DATA_PAGE_SIZE = 1 << 22,
    SAMPLE_CODE_PAGE_SIZE = 1 << 23,
    SAMPLE_WEIGHT_STRUCT = 1 << 24,
    SAMPLE_KNOWN = (1 << 25) - 1, /* a field of a later kernel makes a sample unreadable */
};

/* PERF_FORMAT_*: what a sample with SAMPLE_READ holds of the counters. */
enum read_format {
    READ_TIME_ENABLED = 1 << 0,
    READ_TIME_RUNNING = 1 << 1,
    READ_ID = 1 << 2,
    READ_GROUP = 1 << 3,
    READ_LOST = 1 << 4,
};

enum {
    BRANCH_HW_INDEX = 1 << 17, /* PERF_SAMPLE_BRANCH_HW_INDEX */
    BRANCH_COUNTERS = 1 << 19, /* PERF_SAMPLE_BRANCH_COUNTERS, Linux 6.8 */
};

/* The places of the one-bit fields of perf_event_attr, for event_flag. */
enum event_flag {
    FLAG_DISABLED = 0,
    FLAG_INHERIT = 1,
    FLAG_EXCLUDE_USER = 4,
    FLAG_EXCLUDE_KERNEL = 5,
    FLAG_EXCLUDE_HV = 6,
    FLAG_MMAP = 8,
    FLAG_COMM = 9,
    FLAG_FREQ = 10,
    FLAG_ENABLE_ON_EXEC = 12,
    FLAG_TASK = 13,
    FLAG_WATERMARK = 14,
    FLAG_PRECISE_IP = 15, /* and 16: a number from 0 to 3 */
    FLAG_SAMPLE_ID_ALL = 18,
    FLAG_EXCLUDE_HOST = 19,
    FLAG_EXCLUDE_GUEST = 20,
    FLAG_EXCLUDE_CALLCHAIN_KERNEL = 21,
    FLAG_EXCLUDE_CALLCHAIN_USER = 22,
    FLAG_MMAP2 = 23,
    FLAG_COMM_EXEC = 24,
    FLAG_USE_CLOCKID = 25,
    FLAG_CONTEXT_SWITCH = 26,
    FLAG_KSYMBOL = 29,
    FLAG_BUILD_ID = 34,
};

struct event {
    /* As it was typed, "cpu-clock:u" (EVENT_DESC, or EVENT_UPDATE); where the recording does not
     * say, as event_name_of gives it, and then `named` is false. Borrowed from the recording. */
    struct span name;
    bool named;
    uint32_t number; /* among the events of the recording, from 0 */
    uint32_t type;   /* enum event_type, or the number of another kind of counter (PMU) */
    uint64_t config;
    uint64_t config1, config2; /* of a breakpoint: its address and length */
    uint32_t bp_type;
    uint64_t period; /* in units of the event; samples a second with FLAG_FREQ */
    uint64_t sample_type, read_format;
    uint64_t flags;  /* see event_flag */
    uint32_t wakeup; /* a reader is woken after so many samples; after bytes with FLAG_WATERMARK */
    uint64_t branch_type, regs_user, regs_intr;
    uint32_t stack_user; /* bytes of stack asked for */
    int32_t clockid;     /* of record times, with FLAG_USE_CLOCKID */
    uint16_t max_stack;  /* entries of a callchain; 0: /proc/sys/kernel/perf_event_max_stack */
    bool raw_is_text;    /* not the kernel's, but stackrecord's: `raw` is what to print */
};

static inline bool
event_flag(const struct event *e, enum event_flag flag)
{
    return (e->flags >> flag & 1) != 0;
}

static inline void
event_set(struct event *e, enum event_flag flag)
{
    e->flags |= (uint64_t)1 << flag;
}

static inline void
event_clear(struct event *e, enum event_flag flag)
{
    e->flags &= ~((uint64_t)1 << flag);
}

/* Decodes a perf_event_attr of an older, this or a newer kernel: `bytes` is all that the input
 * holds of it, and what it lacks is 0. Leaves name empty and number 0. Returns NULL, or what is
 * wrong. */
const char *attr_decode(struct span bytes, struct event *e);

/* PERF_ATTR_SIZE_VER5: the size that Linux 4.8 and each later version takes. perf refuses files
 * with larger attributes than it knows. */
enum { ATTR_SIZE = 112 };

/* Encodes a perf_event_attr for perf_event_open(2) and for perf.data: what attr_decode gives. */
void attr_encode(const struct event *e, char attr[static ATTR_SIZE]);

/* Appends a name from type and config, as perf makes it where a recording names no events:
 * "cpu-clock", "dummy:HG", "L1-dcache-loads:u", "raw 0x1a8". For a tracepoint "unknown tracepoint":
 * only the tracing data knows its name. */
void event_name_of(const struct event *e, struct text *out);

#endif
