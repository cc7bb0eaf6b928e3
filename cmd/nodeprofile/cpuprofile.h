/* The profiles of the threads of a process, as one .cpuprofile. */
#ifndef NODEPROFILE_CPUPROFILE_H
#define NODEPROFILE_CPUPROFILE_H

#include "common/base/out.h"

/* A thread's profile; all is borrowed. */
struct cpuprofile {
    struct span name; /* as JSON has it between the quotes */
    struct span json; /* the type Profile of the DevTools protocol, as V8 writes it */
};

/* Print the profiles of n threads, one at least. A single one is printed as it is. Of several, each
 * is a branch of its own below the root, and their times follow one another. The JSON is
 * not checked: of a profile that is not of that type the output is not valid. */
void cpuprofile_print(struct out *o, const struct cpuprofile *profiles, size_t n);

#endif
