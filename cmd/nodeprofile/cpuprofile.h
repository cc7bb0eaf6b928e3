/* Joins the profiles of a process's threads into one .cpuprofile. */
#ifndef NODEPROFILE_CPUPROFILE_H
#define NODEPROFILE_CPUPROFILE_H

#include "common/base/out.h"

/* A thread's profile; the spans are borrowed. */
struct cpuprofile {
    struct span name; /* of the thread, escaped as in a JSON string, without the quotes */
    struct span json; /* a Profile of the DevTools protocol, as V8 writes it */
};

/* Print the profiles of n threads, at least one. Print a single one as it is. Of several, make each
 * a branch below the root, and put their times one after another. The JSON is not checked: if it is
 * no Profile, the output is invalid. */
void cpuprofile_print(struct out *o, const struct cpuprofile *profiles, size_t n);

#endif
