/* Runs a program with the rights of a process's user, and with nothing of ours that this user could
 * use: a program that the user has planted can do no more than the user could do without us. */
#ifndef JMAPS_RUNAS_H
#define JMAPS_RUNAS_H

#include <stdbool.h>

#include "cmd/jmaps/javaprocess.h"
#include "common/base/text.h"

/* Seconds after which the program is killed, and bytes of its output that are kept. */
enum { RUNAS_SECONDS = 30, RUNAS_TEXT = 64 * 1024 };

/* Run argv[0], which is looked for in $PATH, with the process's user and group alone, in the
 * folder, and append to *said what it prints on standard output and error. It gains no rights by a
 * setuid program, and gets no terminal, no input, no open file of ours, and of the environment PATH
 * alone.
 *
 * Return true if its exit status is 0. Return false otherwise, also if the program could not be run
 * or was killed after RUNAS_SECONDS; then *said tells why. */
bool runas(const struct javaprocess *p, const char *folder, const char *const *argv,
           struct text *said);

#endif
