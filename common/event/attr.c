/* The first 64 bytes exist since Linux 2.6.32; later versions appended fields (PERF_ATTR_SIZE_VER*
 * in linux/perf_event.h):
 *
 *     0 u32 type   4 u32 size   8 config   16 period   24 sample_type   32 read_format   40 flags
 *     48 u32 wakeup   52 u32 bp_type   56 config1   64 config2   72 branch_sample_type
 *     80 sample_regs_user   88 u32 sample_stack_user   92 i32 clockid   96 sample_regs_intr
 *     104 u32 aux_watermark   108 u16 sample_max_stack */
#include "common/event/attr.h"

#include <inttypes.h>
#include <stdio.h>

enum { ATTR_MIN = 64 };

/* Convert the flags to or from the bit order of little-endian hosts. The compilers of big-endian
 * hosts number the bits of a bit field from the highest. */
static uint64_t
flags_exchange(uint64_t v)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    uint64_t flags = 0;
    for (unsigned i = 0; i < 64; i++)
        flags |= (v >> (63 - i) & 1) << i;
    return flags;
#else
    return v;
#endif
}

const char *
attr_decode(struct span bytes, struct event *e)
{
    char attr[ATTR_SIZE] = {0};
    if (bytes.len < ATTR_MIN)
        return "an event's attributes have fewer than 64 bytes";
    memcpy(attr, bytes.ptr, bytes.len < sizeof attr ? bytes.len : sizeof attr);
    uint32_t size = load_u32(attr + 4);
    if (size == 0) /* perf does the same */
        size = ATTR_MIN;
    if (size < ATTR_MIN || size > bytes.len)
        return "an event's attributes have another size than they say";
    if (size < sizeof attr)
        memset(attr + size, 0, sizeof attr - size);
    *e = (struct event){
        .type = load_u32(attr),
        .config = load_u64(attr + 8),
        .period = load_u64(attr + 16),
        .sample_type = load_u64(attr + 24),
        .read_format = load_u64(attr + 32),
        .flags = flags_exchange(load_u64(attr + 40)),
        .wakeup = load_u32(attr + 48),
        .bp_type = load_u32(attr + 52),
        .config1 = load_u64(attr + 56),
        .config2 = load_u64(attr + 64),
        .branch_type = load_u64(attr + 72),
        .regs_user = load_u64(attr + 80),
        .stack_user = load_u32(attr + 88),
        .clockid = (int32_t)load_u32(attr + 92),
        .regs_intr = load_u64(attr + 96),
        .max_stack = load_u16(attr + 108),
    };
    return NULL;
}

void
attr_encode(const struct event *e, char attr[static ATTR_SIZE])
{
    memset(attr, 0, ATTR_SIZE);
    store_u32(attr, e->type);
    store_u32(attr + 4, ATTR_SIZE);
    store_u64(attr + 8, e->config);
    store_u64(attr + 16, e->period);
    store_u64(attr + 24, e->sample_type);
    store_u64(attr + 32, e->read_format);
    store_u64(attr + 40, flags_exchange(e->flags));
    store_u32(attr + 48, e->wakeup);
    store_u32(attr + 52, e->bp_type);
    store_u64(attr + 56, e->config1);
    store_u64(attr + 64, e->config2);
    store_u64(attr + 72, e->branch_type);
    store_u64(attr + 80, e->regs_user);
    store_u32(attr + 88, e->stack_user);
    store_u32(attr + 92, (uint32_t)e->clockid);
    store_u64(attr + 96, e->regs_intr);
    store_u16(attr + 108, e->max_stack);
}

static const char *const hardware[] = {
    "cycles",
    "instructions",
    "cache-references",
    "cache-misses",
    "branches",
    "branch-misses",
    "bus-cycles",
    "stalled-cycles-frontend",
    "stalled-cycles-backend",
    "ref-cycles",
};

static const char *const software[] = {
    "cpu-clock",        "task-clock",   "page-faults",  "context-switches",
    "cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
    "emulation-faults", "dummy",        "bpf-output",   "cgroup-switches",
};

static const char *const caches[] = {"L1-dcache", "L1-icache", "LLC", "dTLB",
                                     "iTLB",      "branch",    "node"};
static const char *const operations[] = {"load", "store", "prefetch"};

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Append a name such as "L1-dcache-loads" or "LLC-load-misses"; config holds the cache, the
 * operation and the result. */
static void
cache_name(uint64_t config, char *name, size_t size)
{
    uint64_t cache = config & 0xff, op = config >> 8 & 0xff, result = config >> 16 & 0xff;
    if (cache >= COUNT(caches) || op >= COUNT(operations) || result > 1)
        snprintf(name, size, "unknown-ext-hardware-cache");
    else if (result == 0)
        snprintf(name, size, "%s-%ss", caches[cache], op == 2 ? "prefetche" : operations[op]);
    else
        snprintf(name, size, "%s-%s-misses", caches[cache], operations[op]);
}

/* Append the name without modifiers. */
static void
base_name(const struct event *e, char *name, size_t size)
{
    switch (e->type) {
    case PERF_TYPE_HARDWARE:
        snprintf(name, size, "%s",
                 e->config < COUNT(hardware) ? hardware[e->config] : "unknown-hardware");
        break;
    case PERF_TYPE_SOFTWARE:
        snprintf(name, size, "%s",
                 e->config < COUNT(software) ? software[e->config] : "unknown-software");
        break;
    case PERF_TYPE_TRACEPOINT:
        snprintf(name, size, "unknown tracepoint");
        break;
    case PERF_TYPE_HW_CACHE:
        cache_name(e->config, name, size);
        break;
    case PERF_TYPE_RAW:
        snprintf(name, size, "raw 0x%" PRIx64, e->config);
        break;
    case PERF_TYPE_BREAKPOINT:
        snprintf(name, size, "mem:0x%" PRIx64 ":%s%s%s", e->config1, e->bp_type & 1 ? "r" : "",
                 e->bp_type & 2 ? "w" : "", e->bp_type & 4 ? "x" : "");
        break;
    default:
        snprintf(name, size, "unknown attr type: %" PRIu32, e->type);
    }
}

/* Append ":u", ":ppp", ":HG": the modes in which the event counts, and its precision. Like perf,
 * omit defaults. Guests are excluded by default if there is any other modifier. */
static void
modifiers(const struct event *e, char text[static 12])
{
    char *at = text;
    bool chosen = false;
    bool not_kernel = event_flag(e, FLAG_EXCLUDE_KERNEL),
         not_user = event_flag(e, FLAG_EXCLUDE_USER);
    bool not_hv = event_flag(e, FLAG_EXCLUDE_HV), not_host = event_flag(e, FLAG_EXCLUDE_HOST);
    bool not_guest = event_flag(e, FLAG_EXCLUDE_GUEST);
    *at++ = ':';
    if (not_kernel || not_user || not_hv) {
        chosen = true;
        at = stpcpy(at, not_kernel ? "" : "k");
        at = stpcpy(at, not_user ? "" : "u");
        at = stpcpy(at, not_hv ? "" : "h");
    }
    unsigned precise = e->flags >> FLAG_PRECISE_IP & 3;
    if (precise > 0) {
        chosen = true;
        at = stpcpy(at, &"ppp"[3 - precise]);
    }
    if (not_host || not_guest == chosen) {
        at = stpcpy(at, not_host ? "" : "H");
        at = stpcpy(at, not_guest ? "" : "G");
    }
    *(at - text > 1 ? at : text) = '\0';
}

void
event_name_of(const struct event *e, struct text *out)
{
    char name[64], mode[12];
    base_name(e, name, sizeof name);
    text_add(out, span_cstr(name));
    if (e->type != PERF_TYPE_TRACEPOINT && e->type <= PERF_TYPE_BREAKPOINT) {
        modifiers(e, mode);
        text_add(out, span_cstr(mode));
    }
}
