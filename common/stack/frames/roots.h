/* Judges stacks by their roots, the outermost frames, to find broken ones: those that end early
 * because the unwinder failed in code without frame pointers.
 *
 *     aes_encrypt                 aes_encrypt
 *     run_job                     1d0c7f3ab6 [unknown] ([unknown])
 *     main                        (end)
 *     __libc_start_call_main
 *     (end)
 *
 * A stack is complete if it ends in the kernel, or at a function where user code starts: _start,
 * start_thread, clone3 and such, or code without a name in libc, whose symbols are often stripped.
 * It is broken if it ends elsewhere in libc or in JIT-compiled code, or has only one frame of user
 * code. Other stacks are judged by command: they are broken if a tenth of the command's stacks
 * reach the start of user code, unless their root may be that of another runtime (of fibers, say):
 * a named function outside of libc at the root of a tenth of the command's stacks, with a few
 * frames above it. Stacks without any name, or with as many frames as the kernel records, are
 * ignored. No stack is called broken if the recording limited the depth of stacks, or if the input
 * has neither a start of user code nor a frame without a name, as after stackfilter --only. */
#ifndef STACK_ROOTS_H
#define STACK_ROOTS_H

#include "common/base/diag.h"
#include "common/base/tally.h"
#include "common/stack/model/frametab.h"
#include "common/stack/model/sample.h"

/* Default of kernel.perf_event_max_stack: PERF_MAX_STACK_DEPTH in
 * include/uapi/linux/perf_event.h. */
enum { ROOTS_MAX_STACK = 127 };

/* The stacks of one command. */
struct roots_command {
    uint64_t stacks;
    uint64_t whole;  /* number of stacks with a known root of user code */
    uint64_t broken; /* set by roots_judge */
};

/* Data about a frame at the end of a stack. */
struct roots_frame {
    unsigned char kind;
    bool user; /* of user code, at an address in a mapping or with a name */
    /* Of the last such stack that was counted in `unsure`: */
    bool certain;
    uint32_t command; /* INTERN_NONE: none was counted */
    uint32_t row;     /* of `unsure` */
};

/* {0} is empty. */
struct roots {
    struct roots_command *commands; /* by number */
    size_t ncommands, commands_cap;
    struct roots_frame *frames; /* by frame number */
    size_t nframes, frames_cap;
    struct intern texts; /* symbols and DSOs of the roots in `unsure` */
    /* Stacks with neither a known root nor the kernel's, by command and root (a struct root_key as
     * bytes); sum: their frames. */
    struct tally unsure;
    size_t deepest;      /* number of frames of the deepest stack */
    uint64_t at_deepest; /* number of stacks with that many frames and neither root */
    bool unfiltered;     /* the input has frames that stackfilter --only drops */
};

struct roots_result {
    uint64_t stacks, broken; /* numbers of samples */
    uint32_t command;        /* with the most broken stacks */
    struct span symbol, dso; /* the end of most of those; a frame without a name has no symbol */
};

/* Return true for the name of a function where user code starts: "_start", "start_thread". */
bool roots_is_known(struct span sym);

/* Count a sample `times` times. Its frames are in the frametab, which must be the same in all
 * calls. Commands are numbered from 0 by the caller. Ignore a sample without a callchain. */
void roots_add(struct roots *r, const struct frametab *frames, const struct sample *s,
               uint32_t command, uint64_t times);

/* Return the result. Call this once. The texts are valid until roots_free. */
struct roots_result roots_judge(struct roots *r);

/* Call this instead of roots_judge to report broken stacks, if they are at least a twentieth of
 * all. `comms` has the commands' names, by number. */
void roots_report(struct roots *r, const struct intern *comms, struct diag *diag);

void roots_free(struct roots *r);

#endif
