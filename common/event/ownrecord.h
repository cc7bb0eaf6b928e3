/* Our own records, with data that only the running machine has. stackrecord writes them among the
 * kernel's records, so that converting records to samples needs nothing else.
 *
 * They are PERF_RECORD_TEXT_POKE records (linux/perf_event.h, Linux 5.8), with which the kernel
 * reports changes of its own code. The kernel writes them only on request, with cpumode KERNEL.
 * perf ignores those with cpumode USER, or without new bytes (machine__process_text_poke in
 * tools/perf/util/machine.c), and sorts them by time. Records of a type of our own would
 * make perf stop reading, and samples would be counted by perf.
 *
 *     header      type TEXT_POKE, misc PERF_RECORD_MISC_USER, and RECORD_MISC_UNWOUND and the like
 *     u64 addr    the kind of record: one of the numbers below
 *     u16 old_len, u16 new_len      bytes that follow; 0
 *     the contents, old_len bytes; NULs up to a multiple of 8
 *     sample_id   of the first event, with the time; 0: it was so before the recording began
 */
#ifndef EVENT_OWNRECORD_H
#define EVENT_OWNRECORD_H

#include "common/base/text.h"
#include "common/event/record.h"

/* Lines of a perf map, which name code as of the record's time.
 *
 *     u32 pid, u32 flags      flags & 1: the file begins here, perhaps again
 *     whole lines of the file, each with its newline; MAPLINES_MAX bytes at most
 */
#define OWN_LINES UINT64_C(0x70616d6672657066) /* "fperfmap" */

/* Total time that a thread was runnable without a CPU, up to the record's time
 * (/proc/PID/schedstat). Without a time: the thread is recorded, and existed when the recording
 * began.
 *
 *     u32 pid, u32 tid, u64 nanoseconds
 */
#define OWN_QUEUED UINT64_C(0x6465756575717066) /* "fpqueued" */

/* The thread was stopped at the record's time, by a signal, a debugger or its cgroup, and has been
 * stopped since it was last switched out.
 *
 *     u32 pid, u32 tid
 */
#define OWN_STOPPED UINT64_C(0x70706f7473317066) /* "fp1stopp" */

/* The state of a thread's event loop at the record's time, if the kernel does not report the
 * beginning and end of its turns.
 *
 *     u32 pid, u32 tid, u32 flags, u32 0      flags & 1: it waits for events
 *     u64 turn        another number for each turn; 0: unknown
 *     u64 time        when the turn has begun at the latest, nanoseconds; 0: unknown
 */
#define OWN_LOOP UINT64_C(0x706f6f6c65317066) /* "fp1eloop" */

/* The stack of a thread that has been waiting since before the recording: the kernel has no sample
 * of it.
 *
 *     u32 pid, u32 tid, u64 ip, u64 sp      sp: 0 if there is nothing to unwind
 *     u64 nr, u64 callchain[nr]             as in a sample
 *     bytes of the stack, from sp on
 */
#define OWN_STACK UINT64_C(0x6b63617473317066) /* "fp1stack" */

/* The counters were started. This is the first record; its sample_id has no time.
 *
 *     u64 time, u32 flags, u32 pid    flags: OWN_OTHERS and the like; pid: the recorder's, or 0
 */
#define OWN_BEGAN UINT64_C(0x6e61676562317066) /* "fp1began" */

/* The counters were stopped at the record's time. No contents. */
#define OWN_ENDED UINT64_C(0x6465646e65317066) /* "fp1ended" */

/* The name, from the record's time on, of a range of a process's memory with code that is not in a
 * file: code that V8 compiled, or the bytecode of a function that V8 interprets. The name holds
 * until another OWN_CODE record of the process covers the range.
 *
 *     u32 pid, u32 0, u64 start, u64 size     start + size does not overflow
 *     the label, as in a perf map: "JS:*f file:///x.js:1:2"; empty: the range has no known name
 *
 * If start is 0, size is UINT64_MAX and the label is empty, forget all names of the process. */
#define OWN_CODE UINT64_C(0x65646f63736a7066) /* "fpjscode" */

/* The calls that V8 inlined at a range of addresses in code named by an OWN_CODE record. They hold
 * until another OWN_CODE record of the process covers the range with another name, or with an empty
 * one.
 *
 *     u32 pid, u32 0, u64 start, u64 size     start + size does not overflow
 *     labels of the inlined functions, as in OWN_CODE, innermost first, newlines between them
 */
#define OWN_INLINED UINT64_C(0x656e696c6e697066) /* "fpinline" */

/* The source lines of JavaScript that was running, or calling, at a range of addresses in code
 * named by an OWN_CODE record. They hold as long as inlined calls.
 *
 *     u32 pid, u32 0, u64 start, u64 size     start + size does not overflow
 *     "/srv/app.js:12", or nothing if unknown, of each inlined call, innermost first, if such calls
 *     are recorded, each followed by a newline; then that of the function itself
 */
#define OWN_SRCLINES UINT64_C(0x656e696c736a7066) /* "fpjsline" */

/* An address to which calls of V8's interpreter return. It is the same for all interpreted
 * functions, so find the function of such a frame by the address of its bytecode: the sum of two
 * numbers in the frame (InterpreterFrameConstants in src/execution/frame-constants.h of V8). At fp
 * - 32 is the address of the BytecodeArray plus 1. The upper 32 bits of the word at fp - 40 are the
 * offset of the bytecode from there, a Smi. Each record adds an address for the process.
 *
 *     u32 pid, u32 0, u64 address
 */
#define OWN_TRAMPOLINE UINT64_C(0x6d617274736a7066) /* "fpjstram" */

/* The path of a process's descriptor: the text of the link /proc/PID/fd/FD. It is valid from the
 * record's time on, until the process closes or replaces the descriptor. An empty path means that
 * the path is unknown, and that of an earlier record is no longer valid.
 *
 *     u32 pid, s32 descriptor
 *     the path, at most OWNPATH_MAX bytes
 */
#define OWN_DESCRIPTOR UINT64_C(0x6874617064667066) /* "fpfdpath" */

/* The text at an address that is an argument of the system call that the thread began at the
 * record's time.
 *
 *     u32 pid, u32 tid, u64 address, u32 flags, u32 0     flags & 1: the text goes on
 *     the text, at most OWNSTRING_MAX bytes, without a NUL
 */
#define OWN_STRING UINT64_C(0x676e697274737066) /* "fpstring" */

/* The tasks that are recorded. */
enum {
    OWN_OTHERS = 1,  /* with records of the starts of other tasks */
    OWN_THREADS = 2, /* single threads, without their children */
    OWN_CGROUP = 4,  /* a cgroup's tasks; they may have run before without an OWN_QUEUED record */
};

enum { MAPLINES_MAX = 65000 }; /* bytes of lines that fit into a record */
enum { OWNPATH_MAX = 4096 };   /* bytes of a path, as PATH_MAX of linux/limits.h */
enum { OWNSTRING_MAX = 256 };
enum { OWNCODE_LABEL = 65000 }; /* bytes of a label that fit; a longer one is cut */

struct maplines {
    int32_t pid;
    bool begins;
    struct span lines;
};

struct owncode {
    uint64_t start, size;
    struct span label; /* empty: no known name; INLINED: labels; SRCLINES: source lines */
};

struct ownstring {
    uint64_t addr;
    struct span text;
    bool goes_on;
};

struct ownloop {
    bool polls; /* it waits for events */
    uint64_t turn, began;
};

struct ownrecord {
    uint64_t what; /* one of OWN_* */
    struct maplines lines;
    /* QUEUED, STOPPED, LOOP, STACK, STRING; the pid alone: CODE, INLINED, SRCLINES, TRAMPOLINE,
     * BEGAN, DESCRIPTOR. */
    uint32_t pid, tid;
    uint64_t queued;    /* nanoseconds */
    uint64_t ip, sp;    /* of STACK, as are `chain` and `stack` */
    struct words chain; /* with PERF_CONTEXT_* markers */
    struct span stack;
    uint64_t began;
    uint32_t flags;      /* BEGAN */
    struct owncode code; /* CODE, INLINED, SRCLINES */
    uint64_t trampoline;
    struct ownloop loop; /* LOOP */
    int32_t descriptor;  /* DESCRIPTOR, as is `path` */
    struct span path;
    struct ownstring string; /* STRING */
};

/* Replace the contents of `to` by the record, as one of the first event. `misc`: bits besides the
 * cpumode. The contents have at most 65,400 bytes. */
void ownrecord_write(const struct ownrecord *o, const struct eventset *events, uint64_t time,
                     uint16_t misc, struct text *to);

/* Return true if the decoded record is one of these. *o borrows from it. */
bool ownrecord_read(const struct record *r, struct ownrecord *o);

#endif
