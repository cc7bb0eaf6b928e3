/* Counts what is in samples: how whole their stacks are, and what names are missing. */
#ifndef STACK_CHECK_H
#define STACK_CHECK_H

#include "common/base/diag.h"
#include "common/stack/frames/roots.h"
#include "common/stack/frames/runtime.h"

enum { CHECK_PLACES = 10 };

/* Where the name of a JIT frame is from, as far as its DSO tells. In text, names that stackrecord
 * read from memory look as if they were from a perf map. */
enum check_origin { CHECK_MAP, CHECK_DUMP, CHECK_MEMORY, CHECK_ORIGINS };

/* {0} is an empty one. */
struct check {
    bool recording;   /* set by the caller: the input is perf.data */
    uint64_t unwound; /* the same: samples whose stack was unwound here */
    uint64_t lbr_cut; /* the same: with as many calls as the processor keeps */
    bool switches;    /* the same: it records when threads ran, but has no samples of that time */

    uint64_t samples;
    uint64_t no_pid, no_tid, no_time, no_cpu, no_period,
        no_event;         /* their header lacks the field */
    uint64_t first, last; /* ns; of the samples with a time */
    struct tally events;  /* sum: of the periods */
    struct tally comms;

    uint64_t chains;       /* samples with frames below their header */
    uint64_t empty;        /* without any frame */
    uint64_t cut;          /* with as many frames as the kernel records */
    uint64_t single;       /* with one user frame */
    struct tally marks[2]; /* stacks that end in [cut], and in [lost], by the DSO before that */
    uint64_t interpreted;  /* with a JavaScript function that shares the interpreter's frame */
    uint64_t nameless_kernel, named_kernel; /* the kernel's frames, without a name and with one */
    struct roots roots;

    uint64_t turns; /* samples that say how long a turn of an event loop was, and are no stacks */

    uint64_t records;
    uint64_t lost_records, lost; /* PERF_RECORD_LOST, and how many events they report */

    uint64_t skipped; /* lines, and the places of the first */
    struct place places[CHECK_PLACES];

    uint64_t nameless_jit[RUNTIMES]; /* JIT frames without a name, by what made them */
    bool has_runtime[RUNTIMES];      /* some frame is of the runtime itself */
    uint64_t hidden[RUNTIMES];  /* samples in its interpreter, with no function of the script */
    uint64_t doubtful;          /* samples with a name that may be that of later code */
    const char *incomplete_map; /* set by the caller: a map that lacks frames; NULL: none */
    /* Set by the caller: DSOs of the JIT-compiled code that the recording itself names; NULL:
     * none. */
    const struct intern *named;
    /* Set by the caller: for each frame number, how many frames with the same names were merged
     * into it; NULL: none were. */
    const uint32_t *variants;

    /* From here by check_finish. */
    struct roots_result broken; /* by their last frames; none where all were unwound here */
    /* Stacks that do not reach a root: these, and those that [cut] or [lost] ends. */
    uint64_t unreached;
    struct tally go; /* DSOs with functions of Go's runtime */

    uint64_t frames, different; /* in all samples, and how many of them differ */
    uint64_t nameless;          /* frames without a name */
    uint64_t nameless_jit_all;  /* of them, outside of every file */
    uint64_t nameless_named;    /* of them, in DSOs of `named`: nobody has more names */
    uint64_t named_jit;         /* JIT frames with a name, wherever it is from */
    uint64_t named_by[CHECK_ORIGINS];
    struct tally cut_names; /* names of JIT frames that seem cut */
    bool has_interpreted;   /* some frame is an interpreted JavaScript function's own */
    struct tally dsos;      /* frames; sum: of those without a name */

    uint64_t *uses; /* of each frame, by its number */
    size_t uses_cap;
    size_t nuses;
    uint16_t *kinds; /* and what is known of it */
    size_t kinds_cap;
};

/* Count a sample's header. */
void check_header(struct check *c, const struct perf_header *h);

/* Count a stack, whose frames are in the frametab, for the given number of samples. Commands are
 * numbered from 0, by their first sample. */
void check_stack(struct check *c, const struct frametab *frames, const struct sample *s,
                 uint32_t command, uint64_t times);

/* Return true if some sum of periods or of lost events is more than 64 bits hold. */
bool check_is_full(const struct check *c);

/* Count a record that is not a sample; `lost`: how many lost samples it reports. */
void check_record(struct check *c, uint64_t lost);

/* Count a line that was skipped. `at.file` is borrowed. */
void check_skipped(struct check *c, struct place at);

/* Sum up; call it once, before the report. */
void check_finish(struct check *c, const struct frametab *frames);

#endif
