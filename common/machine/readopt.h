/* Values of the options that several programs have in common: lists of numbers, events, and a command
 * to run. Each function ends the program on wrong usage, as opt_usage does. */
#ifndef MACHINE_READOPT_H
#define MACHINE_READOPT_H

#include "common/base/opt.h"
#include "common/machine/events.h"
#include "common/machine/numbers.h"

/* Add the numbers of the value of the option that was read last: see numbers_parse(). */
void readopt_numbers(struct numbers *n, const struct opt_reader *r, bool ranges);

/* Add the events of the value: see events_parse(). An event that this user may not have, or that the
 * machine lacks, is an error rather than wrong usage. */
void readopt_events(struct events *e, const struct opt_reader *r);

/* Return the command that the operands are, with its arguments and NULL at the end, borrowed from
 * r->argv; NULL if there are no operands. Call this after the last option. A command is accepted after "--"
 * only: otherwise its options would be read as the program's own. */
char **readopt_command(const struct opt_reader *r);

#endif
