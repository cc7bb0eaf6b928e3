/* Looks whether the first frames of folded stacks, which are taken for commands, are commands: the
 * stacks of many profilers, such as those of gdb, begin with a function. */
#ifndef STACKREPORT_COMMAND_H
#define STACKREPORT_COMMAND_H

#include "cmd/stackreport/count.h"
#include "common/base/diag.h"

/* {0} at first. */
struct commands {
    bool matches;         /* counter.function matches a command */
    bool other;           /* some command is not named like a function that starts a thread */
    struct decimal alone; /* counts of the stacks that are a command and no more */
    uint32_t last;        /* the last stack's: the number of its name + 1 */
};

/* Take a folded stack, which the counter counts: numbers of names, the command's first; n may be
 * 0. */
void commands_take(struct commands *c, const struct counter *counter, const uint32_t *names,
                   size_t n, struct decimal count);

/* Note that commands seem to be functions, and that --no-comm takes them for such. The counter's
 * groups are functions. */
void commands_report(const struct commands *c, const struct counter *counter, struct diag *diag);

#endif
