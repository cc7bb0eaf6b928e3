/* Restricts a program with seccomp(2) before it reads untrusted input, so that a mistake in a
 * parser cannot be used to change files, to reach the network, or to trace other processes. No
 * privileges are needed, and programs that are started later are bound by it as well.
 *
 * What remains: to read files, to write what is open and temporary files without a name, memory,
 * time, to run the programs that unpack compressed input, and to signal processes of the same user,
 * which stops these programs. */
#ifndef BASE_CONFINE_H
#define BASE_CONFINE_H

#include <stdbool.h>

enum {
    CONFINE_READING = 0,
    CONFINE_WRITING = 1, /* make, replace and remove files, too */
};

/* Confine this process and all that it starts, for good. To be called once options are read, by a
 * program of one thread. Return false where the kernel cannot do it (no seccomp, or another
 * processor than x86, ARM and RISC-V of 64 bits; AddressSanitizer): then nothing has changed, and
 * the program goes on. */
bool confine(unsigned rights);

#endif
