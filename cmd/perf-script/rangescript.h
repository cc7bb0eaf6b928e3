/* Replaces FlameGraph's script range-perf.pl: as perf-script --range, but its output is that
 * script's to the byte. */
#ifndef PERF_SCRIPT_RANGESCRIPT_H
#define PERF_SCRIPT_RANGESCRIPT_H

#include <stdbool.h>

/* Return true if the program was run under the script's name. */
bool rangescript_called(int argc, char **argv);

/* Do the script's work, from standard input to standard output, and return its exit status. End the
 * program on wrong usage. */
int rangescript_main(int argc, char **argv);

#endif
