/* Statistics of samples: how complete their stacks are, and which names are missing. */
#ifndef STACK_CHECK_H
#define STACK_CHECK_H

#include "common/base/diag.h"
#include "common/stack/frames/roots.h"
#include "common/stack/frames/runtime.h"

enum { CHECK_PLACES = 10 };

/* The source of a JIT frame's name, judged by its DSO. In text, names that stackrecord read from
 * memory look like those from a perf map. */
enum check_origin { CHECK_MAP, CHECK_DUMP, CHECK_MEMORY, CHECK_ORIGINS };

/* {0} is empty. */
struct check {
    bool recording;   /* set by the caller: the input is perf.data */
    uint64_t unwound; /* set by the caller: number of samples whose stack was unwound here */
    /* Set by the caller: number of samples with as many calls as the processor stores. */
    uint64_t lbr_cut;
    /* Set by the caller: the input has times when threads ran, but no samples at these times. */
    bool switches;

    uint64_t samples;
    /* Samples whose header lacks the field. */
    uint64_t no_pid, no_tid, no_time, no_cpu, no_period, no_event;
    uint64_t first, last; /* nanoseconds; of the samples with a time */
    struct tally events;  /* sum: of the periods */
    struct tally comms;

    uint64_t chains;       /* samples with frames below their header */
    uint64_t empty;        /* stacks without any frame */
    uint64_t cut;          /* stacks with as many frames as the kernel records */
    uint64_t single;       /* stacks with one user frame */
    struct tally marks[2]; /* stacks that end in [cut], and in [lost], by the DSO before the mark */
    /* Stacks with a JavaScript function that shares the interpreter's frame. */
    uint64_t interpreted;
    uint64_t nameless_kernel, named_kernel; /* kernel frames without a name, and with one */
    struct roots roots;

    uint64_t turns; /* samples that report the length of an event loop's turn, and have no stacks */

    uint64_t records;
    uint64_t lost_records, lost; /* number of PERF_RECORD_LOST, and of events that they report */

    uint64_t skipped; /* lines, and the places of the first ones */
    struct place places[CHECK_PLACES];

    uint64_t nameless_jit[RUNTIMES]; /* JIT frames without a name, by runtime */
    bool has_runtime[RUNTIMES];      /* the runtime itself has frames */
    uint64_t hidden[RUNTIMES];  /* samples in its interpreter, without a function of the script */
    uint64_t doubtful;          /* samples with a name that may be that of later code */
    const char *incomplete_map; /* set by the caller: a map that lacks code; NULL: none */
    /* Set by the caller: DSOs of JIT-compiled code that the recording itself names; NULL: none. */
    const struct intern *named;
    /* Set by the caller: by frame number, the number of frames with equal names that were merged
     * into it; NULL: none. */
    const uint32_t *variants;

    /* Set by check_finish from here on. */
    struct roots_result broken; /* judged by the last frames; none if all were unwound here */
    /* Stacks that do not reach a root: broken ones, and those that end in [cut] or [lost]. */
    uint64_t unreached;
    struct tally go; /* DSOs with functions of Go's runtime */

    uint64_t frames, different; /* frames in all samples; number of different frames */
    uint64_t nameless;          /* frames without a name */
    uint64_t nameless_jit_all;  /* of `nameless`: outside of every file */
    uint64_t nameless_named; /* of `nameless`: in DSOs of `named`, so that nobody has more names */
    uint64_t named_jit;      /* JIT frames with a name from any source */
    uint64_t named_by[CHECK_ORIGINS];
    struct tally cut_names; /* names of JIT frames that seem truncated */
    bool has_interpreted;   /* some frame is an interpreted JavaScript function's own */
    struct tally dsos;      /* frames by DSO; sum: of those without a name */

    uint64_t *uses; /* by frame number: number of uses */
    size_t uses_cap;
    size_t nuses;
    uint16_t *kinds; /* by frame number: flags of what is known */
    size_t kinds_cap;
};

/* Count a sample's header. */
void check_header(struct check *c, const struct perf_header *h);

/* Count a stack, with frames in the frametab, for `times` samples. Commands are numbered from 0, by
 * their first sample. */
void check_stack(struct check *c, const struct frametab *frames, const struct sample *s,
                 uint32_t command, uint64_t times);

/* Return true if a sum of periods or of lost events exceeds 64 bits. */
bool check_is_full(const struct check *c);

/* Count a record that is not a sample. `lost` is the number of lost samples that it reports. */
void check_record(struct check *c, uint64_t lost);

/* Count a skipped line. `at.file` is borrowed. */
void check_skipped(struct check *c, struct place at);

/* Compute the totals. Call this once, before the report. */
void check_finish(struct check *c, const struct frametab *frames);

#endif
