/* Joins the heap profiles of a process's threads into one .heapprofile. */
#ifndef NODEPROFILE_HEAPPROFILE_H
#define NODEPROFILE_HEAPPROFILE_H

#include "cmd/nodeprofile/cpuprofile.h"

/* As cpuprofile_print, for profiles of the type SamplingHeapProfile of the DevTools protocol. */
void heapprofile_print(struct out *o, const struct cpuprofile *profiles, size_t n);

#endif
