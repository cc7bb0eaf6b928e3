/* Reads the values of options that several programs share: lists of numbers, lists of events, and a
 * command to run. Each function ends the program on wrong usage, as opt_usage does. */
#ifndef MACHINE_READOPT_H
#define MACHINE_READOPT_H

#include "common/base/opt.h"
#include "common/machine/events.h"
#include "common/machine/numbers.h"

/* Add the numbers in the value of the option that was read last: see numbers_parse(). */
void readopt_numbers(struct numbers *n, const struct opt_reader *r, bool ranges);

/* Add the events in the value: see events_parse(). A missing permission or tracefs is reported as
 * an error rather than wrong usage; it ends the program, too. */
void readopt_events(struct events *e, const struct opt_reader *r);

/* Return the command in the operands, with its arguments and NULL at the end, borrowed from
 * r->argv. Return NULL if there are no operands. Call this after the last option. A command must
 * follow "--": otherwise its options would be read as the program's own. */
char **readopt_command(const struct opt_reader *r);

#endif
