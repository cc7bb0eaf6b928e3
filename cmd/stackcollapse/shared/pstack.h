/* Reads the output of eu-stack and AIX's procstack: stacks of processes, leaf first, each after the
 * line of its thread. */
#ifndef STACKCOLLAPSE_PSTACK_H
#define STACKCOLLAPSE_PSTACK_H

#include "cmd/stackcollapse/shared/stacker.h"

struct pstack {
    struct stacker base;
    struct text process; /* pid, or for procstack the name of the command */
    struct text thread;  /* tid */
};

/* Members of each format's struct format. */
#define PSTACK_FORMAT                                                                              \
    .state_size = sizeof(struct pstack), .buffers = MEMBERS(struct pstack, process, thread)

/* Process eu-stack's line for a process or a thread. Return false if it is another line. */
bool pstack_eu_take(struct stacker *f, struct span line);

/* Parse "#1  0x000055e3c1b4f0a5 work::run(int)" of eu-stack: *name is what follows the address and
 * a blank, or else "[unknown]". With `glued` the 0 of "0x" may be the number's last digit. */
bool pstack_eu_frame(struct span line, bool glued, struct span *name);

/* Emit the stack, below the numbers of the process and the thread as the options want. */
void pstack_eu_finish(struct stacker *f);

/* As above, for procstack. The outermost frame is the first word of the process's command. */
bool pstack_aix_take(struct stacker *f, struct span line);
void pstack_aix_finish(struct stacker *f);

#endif
