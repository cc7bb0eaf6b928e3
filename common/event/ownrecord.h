/* Records of our own, for what only the running machine can say: stackrecord writes them among the
 * kernel's, so that what makes samples of records needs nothing else.
 *
 * They are PERF_RECORD_TEXT_POKE records (linux/perf_event.h, Linux 5.8), with which the kernel
 * says that it changed its own code. The kernel writes none unless it is asked to, and then with
 * cpumode KERNEL; perf ignores one of cpumode USER, or without new bytes
 * (machine__process_text_poke in tools/perf/util/machine.c), and keeps it in order by its time. A
 * record of a type that perf does not know would end its reading, and samples would be counted.
 *
 *     header      type TEXT_POKE, misc PERF_RECORD_MISC_USER, and RECORD_MISC_UNWOUND and the like
 *     u64 addr    says what it is, by one of the numbers below
 *     u16 old_len, u16 new_len      bytes that follow; 0
 *     what it holds, old_len bytes; NULs up to a multiple of 8
 *     sample_id   of the first event, with the time; 0: it was so before the recording began */
#ifndef EVENT_OWNRECORD_H
#define EVENT_OWNRECORD_H

#include "common/base/text.h"
#include "common/event/record.h"

/* Lines of a perf map, which name code as of that time.
 *
 *     u32 pid, u32 flags      flags & 1: the file begins here, also once again
 *     whole lines of the file, each with its newline; MAPLINES_MOST bytes at most */
#define OWN_LINES UINT64_C(0x70616d6672657066) /* "fperfmap" */

/* How long a thread was ready to run and had no CPU until that time (/proc/PID/schedstat). Without
 * a time: the thread is recorded, and was there when the recording began.
 *
 *     u32 pid, u32 tid, u64 nanoseconds */
#define OWN_QUEUED UINT64_C(0x6465756575717066) /* "fpqueued" */

/* The thread was stopped at that time, by a signal, a debugger or its cgroup, and has been so since it
 * was switched out last.
 *
 *     u32 pid, u32 tid */
#define OWN_STOPPED UINT64_C(0x70706f7473317066) /* "fp1stopp" */

/* What the event loop of a thread does at that time, where the kernel does not say when its turns begin
 * and end.
 *
 *     u32 pid, u32 tid, u32 flags, u32 0      flags & 1: it waits for events
 *     u64 turn        another number for each turn; 0: not known
 *     u64 time        when the turn has begun at the latest, nanoseconds; 0: not known */
#define OWN_LOOP UINT64_C(0x706f6f6c65317066) /* "fp1eloop" */

/* Where a thread is that waits since before the recording began: the kernel has no sample of it.
 *
 *     u32 pid, u32 tid, u64 ip, u64 sp      sp: 0 if there is nothing to unwind
 *     u64 nr, u64 callchain[nr]             as in a sample
 *     bytes of the stack, from sp on */
#define OWN_STACK UINT64_C(0x6b63617473317066) /* "fp1stack" */

/* The counters began to count. It is the first record, and has no time in its sample_id.
 *
 *     u64 time, u32 flags, u32 pid    flags: OWN_OTHERS and the like; pid: the recorder's, or 0 */
#define OWN_BEGAN UINT64_C(0x6e61676562317066) /* "fp1began" */

/* The counters were stopped at that time. It holds nothing. */
#define OWN_ENDED UINT64_C(0x6465646e65317066) /* "fp1ended" */

/* The name, from that time on, of a range of a process's memory with code that is in no file: code
 * that V8 compiled, or the bytecode of a function that V8 interprets. The name holds until another
 * OWN_CODE record of the process covers the range.
 *
 *     u32 pid, u32 0, u64 start, u64 size     start + size does not overflow
 *     the label, as in a perf map: "JS:*f file:///x.js:1:2"; empty: the range has no known name
 *
 * If start is 0, size is UINT64_MAX and the label is empty, forget all names of the process. */
#define OWN_CODE UINT64_C(0x65646f63736a7066) /* "fpjscode" */

/* The calls that V8 inlined at a range of addresses in code that an OWN_CODE record has named. It
 * holds until another OWN_CODE record of the process covers the range with another name, or takes
 * its name.
 *
 *     u32 pid, u32 0, u64 start, u64 size     start + size does not overflow
 *     the labels of the inlined functions, as in OWN_CODE, innermost first, newlines between them */
#define OWN_INLINED UINT64_C(0x656e696c6e697066) /* "fpinline" */

/* An address to which calls of V8's interpreter return. It is the same for all functions that the
 * interpreter runs, so find the function of such a frame by the address of its bytecode: the sum of
 * two numbers in the frame (InterpreterFrameConstants in src/execution/frame-constants.h of V8). At
 * fp - 32 is the address of the BytecodeArray plus 1. The upper 32 bits of the word at fp - 40 are
 * the offset of the bytecode from there, a Smi. Each record adds an address for the process.
 *
 *     u32 pid, u32 0, u64 address */
#define OWN_TRAMPOLINE UINT64_C(0x6d617274736a7066) /* "fpjstram" */

/* Which tasks are recorded. */
enum {
    OWN_OTHERS = 1,  /* the records of other tasks' starts are there too */
    OWN_THREADS = 2, /* single threads, without what they start */
    OWN_CGROUP = 4,  /* a cgroup's, which may have run before without an OWN_QUEUED record */
};

enum { MAPLINES_MOST = 65000 }; /* bytes of lines that fit into a record */
enum {
    OWNCODE_LABEL = 65000
}; /* bytes of a label that fit: the rest of a longer one is left out */

struct maplines {
    int32_t pid;
    bool begins;
    struct span lines;
};

struct owncode {
    uint64_t start, size;
    struct span label; /* empty: none is known; INLINED: labels */
};

struct ownloop {
    bool polls; /* it waits for events */
    uint64_t turn, began;
};

struct ownrecord {
    uint64_t what; /* OWN_... */
    struct maplines lines;
    uint32_t pid,
        tid; /* QUEUED, STOPPED, LOOP, STACK; the pid alone: CODE, INLINED, TRAMPOLINE, BEGAN */
    uint64_t queued;    /* nanoseconds */
    uint64_t ip, sp;    /* STACK, as the next two */
    struct words chain; /* with PERF_CONTEXT_... markers */
    struct span stack;
    uint64_t began;
    uint32_t flags;      /* BEGAN */
    struct owncode code; /* CODE, INLINED */
    uint64_t trampoline;
    struct ownloop loop; /* LOOP */
};

/* Write the record to `to`, whose contents are replaced, as one of the first event. `misc`: bits
 * beside the cpumode. What it holds has 65,400 bytes at most. */
void ownrecord_write(const struct ownrecord *o, const struct eventset *events, uint64_t time,
                     uint16_t misc, struct text *to);

/* Return true if the record, which was decoded, is one of these; *o borrows from it. */
bool ownrecord_read(const struct record *r, struct ownrecord *o);

#endif
