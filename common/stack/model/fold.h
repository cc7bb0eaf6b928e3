/* Folds samples into a profile. The names of a frame are composed once and looked up by its number
 * from then on. */
#ifndef STACK_FOLD_H
#define STACK_FOLD_H

#include "common/base/diag.h"
#include "common/base/pattern.h"
#include "common/stack/model/foldname.h"
#include "common/stack/model/frametab.h"
#include "common/stack/model/slice.h"
#include "common/stack/model/turns.h"

struct fold_options {
    struct foldname_options names;
    bool no_comm;
    struct pattern skip_after; /* if has_skip_after: drop the callers of frames that match */
    bool has_skip_after;
    size_t slice; /* milliseconds: begin each stack with a frame for its slice of time; 0: do not */
    struct span host; /* frame after that of the slice; empty: none */
};

/* A run of a sample's frames, from index `start` on, which were read after one header. `java`: the
 * header's command begins with "java". */
struct fold_run {
    size_t start;
    bool java;
};

struct fold {
    const struct fold_options *options;
    const struct frametab *frames; /* of the samples */
    struct profile *profile;
    struct foldname names;
    /* The runs of the next sample's frames, in order; the first one starts at 0. Borrowed.
     * fold_init() sets one run; only the rules of the Perl script need more. */
    const struct fold_run *runs;
    size_t nruns;
    uint32_t comm;    /* the number of the last sample's command, from 0 */
    uint64_t no_pid;  /* samples without a process id, which the options need */
    uint64_t no_time; /* samples without a time, which are in no slice */
    uint32_t *stack;  /* of the last sample: numbers of the profile's names, root first */
    size_t nstack;

    /* private from here */
    uint32_t *lookup[2]; /* by frame number; [1] if the command is java* and that counts */
    size_t lookup_cap[2], lookup_len[2];
    uint32_t generation; /* of the frames */
    uint32_t *lists;     /* a count, then that many names */
    size_t nlists, lists_cap;
    size_t stack_cap;
    struct intern comms;  /* command names as printed */
    uint32_t *comm_names; /* as `lookup`, by command */
    size_t comm_cap, comm_len;
    uint64_t slice_time;      /* when the last sample's slice began */
    uint32_t slice_name;      /* number of the name of its frame */
    bool has_slice, in_slice; /* some sample was in a slice; the last one was */
    struct turns turns;       /* with slices: stacks whose turn is not known yet */
};

/* Start; all are borrowed. */
void fold_init(struct fold *f, const struct fold_options *options, const struct frametab *frames,
               struct profile *profile);

/* Compose the stack of a sample, whose frames are in the frametab, in f->stack; add nothing to the
 * profile. With no_comm, the stack of a sample without frames is empty. */
void fold_stack(struct fold *f, const struct sample *s);

/* Return true if the stack composed last has no frame but that of its slice. */
bool fold_is_empty(const struct fold *f);

/* Do the same, and add the stack to the profile. Return false, and add nothing, if the stack has no
 * frame but that of its slice. With slices, stacks of the event "wall" are held until their turn is
 * known (turns.h). */
bool fold_add(struct fold *f, const struct sample *s, struct decimal weight);

/* With slices: add the held stacks to the profile. Those of the same thread and time as this sample
 * of the event "turn" get that turn as their slice. */
void fold_turn(struct fold *f, const struct perf_header *turn);

/* Add the stacks that are still held to the profile. Call this at the end of each input. */
void fold_finish(struct fold *f);

/* Return the size in memory, in bytes, without the profile. */
size_t fold_size(const struct fold *f);

/* Print notes: how many samples had no process id, if the options need it, and that `no_period`
 * samples had no period. Report an error if samples had no time, and so are in no slice. */
void fold_report(const struct fold *f, uint64_t no_period, struct diag *diag);

/* Free all but the profile. */
void fold_free(struct fold *f);

#endif
