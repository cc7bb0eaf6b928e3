/* Finds broken stacks: those that end in the middle, since the unwinder lost its way in code
 * without frame pointers.
 *
 *     aes_encrypt                 aes_encrypt
 *     run_job                     1d0c7f3ab6 [unknown] ([unknown])
 *     main                        (end)
 *     __libc_start_call_main
 *     (end)
 *
 * A stack is whole if it ends in the kernel, or at a function where user code starts: _start,
 * start_thread, clone3 and such. It is taken for whole if its root may be another runtime's (of
 * fibers, say): a named function outside of libc at the root of a tenth of the command's stacks,
 * with a few frames above it. All others are broken if any stack of the command reaches a function
 * where user code starts; else nothing can be said. A stack with as many frames as the kernel
 * records may be cut and is left out. */
#ifndef STACK_ROOTS_H
#define STACK_ROOTS_H

#include "common/base/tally.h"
#include "common/stack/frametab.h"
#include "common/stack/sample.h"

/* kernel.perf_event_max_stack as the kernel sets it: PERF_MAX_STACK_DEPTH in
 * include/uapi/linux/perf_event.h. */
enum { ROOTS_MAX_STACK = 127 };

/* The stacks of one command. */
struct roots_command {
    uint64_t stacks;
    uint64_t whole; /* of them, with a known root of user code */
};

/* What is known of a frame at the end of a stack. */
struct roots_frame {
    unsigned char kind;
    uint32_t command; /* of the last such stack that was counted in `unsure`; INTERN_NONE: none */
    uint32_t row;     /* where it was counted */
};

/* {0} has counted nothing. */
struct roots {
    struct roots_command *commands; /* by number */
    size_t ncommands, commands_cap;
    struct roots_frame *frames; /* by frame number */
    size_t nframes, frames_cap;
    struct intern symbols; /* of the roots in `unsure` */
    struct tally unsure;   /* stacks with neither a known root nor the kernel's, by command and root
                            * (a struct root_key as bytes); sum: of their frames */
    struct tally broken;   /* by root function; filled by roots_judge */
};

struct roots_result {
    uint64_t stacks, broken; /* of samples */
    struct span commonest;   /* the function at which most of them end; empty: none is named */
};

/* Counts a sample, whose frames are in the frametab, which must be the same in all calls. The
 * caller numbers the commands, from 0. A sample without a callchain is left out. */
void roots_add(struct roots *r, const struct frametab *frames, const struct sample *s,
               uint32_t command);

/* What was counted; to be called once. The name is valid until roots_free. */
struct roots_result roots_judge(struct roots *r);

void roots_free(struct roots *r);

#endif
