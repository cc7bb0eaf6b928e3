/* Recognizes kernel code and JIT-compiled code by the DSO's name, as perf prints it in
 * parentheses. */
#ifndef STACK_DSO_H
#define STACK_DSO_H

#include "common/base/span.h"

/* Return true for the kernel, a module or a BPF program: "[kernel.kallsyms]",
 * "[guest.kernel.kallsyms]", "[nf_conntrack]", "/usr/lib/debug/boot/vmlinux-5.4",
 * ".../mlx5_core.ko.xz", "bpf_prog_2b95_f". Return false for "[vdso]", "[heap]", "[JIT app cache]",
 * "[unknown]" and such, which belong to the process. */
bool dso_is_kernel(struct span dso);

/* Return true for JIT-compiled code: "/tmp/perf-4242.map", "/tmp/jitted-4242-17.so", "[JIT] tid
 * 4242", Android's "[JIT app cache]". */
bool dso_is_jit(struct span dso);

/* Return the name without its folders: "libc.so.6", "node (deleted)". */
struct span dso_base(struct span dso);

#endif
