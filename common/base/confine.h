/* Restricts a program with seccomp(2) before it reads untrusted input, so that a bug in a parser
 * cannot be used to change files, to reach the network, or to trace other processes. No privileges
 * are needed, and programs started later are restricted as well.
 *
 * Still possible: reading files; writing to open files and to temporary files without a name; using
 * memory and time; running the programs that decompress input; and sending signals to processes of
 * the same user, which stops these programs. */
#ifndef BASE_CONFINE_H
#define BASE_CONFINE_H

#include <stdbool.h>

enum {
    CONFINE_READING = 0,
    CONFINE_WRITING = 1, /* make, replace and remove files, too */
};

/* Restrict this process and all that it starts, permanently. Call this after parsing options, in a
 * program with one thread. Return false if the kernel cannot do it (no seccomp; a processor other
 * than x86, ARM and 64-bit RISC-V; AddressSanitizer): then nothing has changed, and the program
 * goes on. */
bool confine(unsigned rights);

#endif
