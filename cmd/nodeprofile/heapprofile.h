/* The heap profiles of the threads of a process, as one .heapprofile. */
#ifndef NODEPROFILE_HEAPPROFILE_H
#define NODEPROFILE_HEAPPROFILE_H

#include "cmd/nodeprofile/cpuprofile.h"

/* Do what cpuprofile_print does, with profiles of the type SamplingHeapProfile of the DevTools
 * protocol. */
void heapprofile_print(struct out *o, const struct cpuprofile *profiles, size_t n);

#endif
