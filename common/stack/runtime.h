/* Language runtimes with a JIT compiler, and how to make each of them name its code for perf. */
#ifndef STACK_RUNTIME_H
#define STACK_RUNTIME_H

#include "common/base/span.h"

/* RUNTIME_UNKNOWN: none of these. */
enum runtime {
    RUNTIME_UNKNOWN,
    RUNTIME_NODE,
    RUNTIME_CHROMIUM,
    RUNTIME_JAVA,
    RUNTIME_DOTNET,
    RUNTIME_PYTHON,
    RUNTIMES
};

/* Return the runtime of a DSO, by its path: "/usr/lib/jvm/x/libjvm.so" is Java's. */
enum runtime runtime_of_dso(struct span dso);

/* Return the runtime of a function, by its name: "JavaCalls::call_helper" is Java's. */
enum runtime runtime_of_symbol(struct span sym);

/* Return the runtime of a process or thread, by its comm: "nodejs" is Node's. */
enum runtime runtime_of_comm(struct span comm);

/* Return what the user has to do to get the names of the runtime's JIT-compiled code, such as
 * "start node with --perf-basic-prof, or ...": a static string. */
const char *runtime_advice(enum runtime runtime);

/* Return the name of the frame that stands for JIT-compiled code without names, such as
 * "(JavaScript without names)" for Node. For RUNTIME_UNKNOWN, and for runtimes that have no such
 * name of their own (Chromium), it is "(JIT-compiled code without names)". */
struct span runtime_nameless(enum runtime runtime);

/* Return true for a name that runtime_nameless() returns, and set *runtime to its runtime
 * (RUNTIME_UNKNOWN if several share it). An annotation such as "_[j]" of stackcollapse --jit may
 * follow the name. */
bool runtime_is_nameless(struct span sym, enum runtime *runtime);

#endif
