/* The location of a frame's code: in the kernel, in a file, or in memory without a file. */
#ifndef STACK_FRAMEPLACE_H
#define STACK_FRAMEPLACE_H

#include "common/stack/model/frame.h"

/* Return true for kernel code. If perf knows neither name nor DSO of an address, it is the kernel's
 * if it is in the upper half of the 64-bit address space. */
bool frame_is_kernel(const struct frame *f);

/* Return true for code outside of every file, such as JIT-compiled code: the DSO is "[unknown]",
 * "//anon", "[anon]", "/tmp/perf-42.map" or "/memfd:jit (deleted)". */
bool frame_is_anonymous(const struct frame *f);

/* Return true if a perf map may have the name that perf did not find. */
static inline bool
frame_is_nameless_jit(const struct frame *f)
{
    return frame_is_nameless(f) && frame_is_anonymous(f);
}

#endif
