/* One event of a recording: what was sampled, and the layout of its records. These are the contents
 * of struct perf_event_attr of linux/perf_event.h; perf_event_open(2) explains each field. */
#ifndef EVENT_ATTR_H
#define EVENT_ATTR_H

#include "common/base/load.h"
#include "common/base/text.h"

/* The kinds of counters. The names in capitals, here and in record.h, are those of
 * linux/perf_event.h, except FLAG_*: there these are bit fields. */
enum event_type {
    PERF_TYPE_HARDWARE,
    PERF_TYPE_SOFTWARE,
    PERF_TYPE_TRACEPOINT, /* config is the "ID:" of its format */
    PERF_TYPE_HW_CACHE,
    PERF_TYPE_RAW,
    PERF_TYPE_BREAKPOINT,
};

/* The `config` of some PERF_TYPE_SOFTWARE events; the last one never counts. */
enum { PERF_COUNT_SW_CONTEXT_SWITCHES = 3, PERF_COUNT_SW_DUMMY = 9 };

/* The fields of a sample. */
enum sample_type {
    PERF_SAMPLE_IP = 1 << 0,
    PERF_SAMPLE_TID = 1 << 1,
    PERF_SAMPLE_TIME = 1 << 2,
    PERF_SAMPLE_ADDR = 1 << 3,
    PERF_SAMPLE_READ = 1 << 4,
    PERF_SAMPLE_CALLCHAIN = 1 << 5,
    PERF_SAMPLE_ID = 1 << 6,
    PERF_SAMPLE_CPU = 1 << 7,
    PERF_SAMPLE_PERIOD = 1 << 8,
    PERF_SAMPLE_STREAM_ID = 1 << 9,
    PERF_SAMPLE_RAW = 1 << 10,
    PERF_SAMPLE_BRANCH_STACK = 1 << 11,
    PERF_SAMPLE_REGS_USER = 1 << 12,
    PERF_SAMPLE_STACK_USER = 1 << 13,
    PERF_SAMPLE_WEIGHT = 1 << 14,
    PERF_SAMPLE_DATA_SRC = 1 << 15,
    PERF_SAMPLE_IDENTIFIER = 1 << 16,
    PERF_SAMPLE_TRANSACTION = 1 << 17,
    PERF_SAMPLE_REGS_INTR = 1 << 18,
    PERF_SAMPLE_PHYS_ADDR = 1 << 19,
    PERF_SAMPLE_AUX = 1 << 20,
    PERF_SAMPLE_CGROUP = 1 << 21,
    PERF_SAMPLE_DATA_PAGE_SIZE = 1 << 22,
    PERF_SAMPLE_CODE_PAGE_SIZE = 1 << 23,
    PERF_SAMPLE_WEIGHT_STRUCT = 1 << 24,
    PERF_SAMPLE_MAX =
        1 << 25, /* from here on are fields of later kernels, which make a sample unreadable */
};

/* The values that a sample with PERF_SAMPLE_READ has for its counters. */
enum read_format {
    PERF_FORMAT_TOTAL_TIME_ENABLED = 1 << 0,
    PERF_FORMAT_TOTAL_TIME_RUNNING = 1 << 1,
    PERF_FORMAT_ID = 1 << 2,
    PERF_FORMAT_GROUP = 1 << 3,
    PERF_FORMAT_LOST = 1 << 4,
};

/* Bits of branch_type, for samples with PERF_SAMPLE_BRANCH_STACK. */
enum {
    PERF_SAMPLE_BRANCH_CALL_STACK = 1 << 11, /* calls that have not returned (--call-graph lbr) */
    PERF_SAMPLE_BRANCH_HW_INDEX = 1 << 17,
    PERF_SAMPLE_BRANCH_COUNTERS = 1 << 19, /* Linux 6.8 */
};

/* The positions of the one-bit fields of perf_event_attr, for event_flag. */
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
    /* As typed, such as "cpu-clock:u" (EVENT_DESC, or EVENT_UPDATE). If the recording has no name,
     * that of event_name_of, and `named` is false. Borrowed from the recording. */
    struct span name;
    bool named;
    uint32_t number; /* index among the events of the recording */
    uint32_t type;   /* enum event_type, or the number of another PMU */
    uint64_t config;
    uint64_t config1, config2; /* of a breakpoint: its address and length */
    uint32_t bp_type;
    uint64_t period; /* in units of the event; with FLAG_FREQ, samples per second */
    uint64_t sample_type, read_format;
    uint64_t flags;     /* see event_flag */
    const char *filter; /* the kernel's filter of a tracepoint's fields, for recording; or NULL */
    uint32_t wakeup;    /* wake a reader after this many samples; with FLAG_WATERMARK, bytes */
    uint64_t branch_type, regs_user, regs_intr;
    uint32_t stack_user; /* bytes of stack copied to each sample, at most */
    int32_t clockid;     /* of record times, with FLAG_USE_CLOCKID */
    uint16_t max_stack;  /* entries of a callchain; 0: /proc/sys/kernel/perf_event_max_stack */
    bool raw_is_text;    /* an event of stackrecord, not the kernel: `raw` is text to print */
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

/* Decode a perf_event_attr of an older, the same or a newer kernel. `bytes` is all that the input
 * has of it; missing fields are 0. Leave the name empty and the number 0. Return NULL, or what is
 * wrong. */
const char *attr_decode(struct span bytes, struct event *e);

/* PERF_ATTR_SIZE_VER5: the size that Linux 4.8 and later versions accept. perf rejects files with
 * attributes larger than those it knows. */
enum { ATTR_SIZE = 112 };

/* Encode a perf_event_attr for perf_event_open(2) and for perf.data: the inverse of attr_decode. */
void attr_encode(const struct event *e, char attr[static ATTR_SIZE]);

/* Append a name made of type and config, as perf does if a recording names no events: "cpu-clock",
 * "dummy:HG", "L1-dcache-loads:u", "raw 0x1a8". For a tracepoint, append "unknown tracepoint": only
 * the tracing data have its name. */
void event_name_of(const struct event *e, struct text *out);

#endif
