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
    struct pattern skip_after; /* where has_skip_after: drop the callers of frames that match */
    bool has_skip_after;
    size_t slice; /* milliseconds; each stack begins with the frame of its slice. 0: it does not */
    struct span host; /* after the slice; empty: none */
};

/* The sample's frames from `start` on were read after a header whose command is java*, or is not.
 */
struct fold_run {
    size_t start;
    bool java;
};

struct fold {
    const struct fold_options *options;
    const struct frametab *frames; /* of the samples */
    struct profile *profile;
    struct foldname names;
    /* The runs of the next sample's frames, by start, the first 0; borrowed. fold_init sets one,
     * and only the Perl script's rules make others. */
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
    uint64_t slice_time;      /* of the last sample's slice */
    uint32_t slice_name;      /* of its frame */
    bool has_slice, in_slice; /* some sample had one; the last one has one */
    struct turns turns;       /* with slices: waits for what turn they are of */
};

/* Start; all are borrowed. */
void fold_init(struct fold *f, const struct fold_options *options, const struct frametab *frames,
               struct profile *profile);

/* Compose the sample's stack, whose frames are in the frametab, in f->stack, and add it to no
 * profile. It may be empty: a sample without frames, with no_comm. */
void fold_stack(struct fold *f, const struct sample *s);

/* Return true if the stack composed last has no frame but that of its slice. */
bool fold_is_empty(const struct fold *f);

/* fold_stack, and add the stack to the profile. False, with nothing added, if it is empty but for the
 * slice. With slices, stacks of the event "wall" are held until their turn is known (turns.h). */
bool fold_add(struct fold *f, const struct sample *s, struct decimal weight);

/* With slices: add the stacks that are held and of the same thread and time as a sample of the
 * event "turn", with that turn as their slice. */
void fold_turn(struct fold *f, const struct perf_header *turn);

/* Add what is still held to the profile: at the end of each input. */
void fold_finish(struct fold *f);

/* Return how much memory it takes beside the profile, in bytes. */
size_t fold_size(const struct fold *f);

/* Report how many samples had no process id, which the options want, and how many, `no_period`, had
 * no period, as notes; and how many had no time, and so are in no slice, as an error. */
void fold_report(const struct fold *f, uint64_t no_period, struct diag *diag);

/* Free all but the profile. */
void fold_free(struct fold *f);

#endif
