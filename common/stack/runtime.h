/* Language runtimes with a JIT compiler, and how to make each of them name its code for perf. */
#ifndef STACK_RUNTIME_H
#define STACK_RUNTIME_H

#include "common/base/span.h"

/* RUNTIME_UNKNOWN: none that is known here. */
enum runtime {
    RUNTIME_UNKNOWN,
    RUNTIME_NODE,
    RUNTIME_CHROMIUM,
    RUNTIME_JAVA,
    RUNTIME_DOTNET,
    RUNTIME_PYTHON,
    RUNTIMES
};

/* Return the runtime that a file belongs to, by its name: "/usr/lib/jvm/x/libjvm.so" is Java's. */
enum runtime runtime_of_dso(struct span dso);

/* Return the runtime that a function belongs to, by its name: "JavaCalls::call_helper" is Java's. */
enum runtime runtime_of_symbol(struct span sym);

/* Return the runtime that is run by a command of that name; thread names are commands too. */
enum runtime runtime_of_comm(struct span comm);

/* Return what the user has to do so that it names its code: "start node with --perf-basic-prof". */
const char *runtime_advice(enum runtime runtime);

/* Return the name of the frame that stands for JIT-compiled code without names:
 * "(JavaScript without names)"; of a runtime that has no name of its own
 * "(JIT-compiled code without names)". */
struct span runtime_nameless(enum runtime runtime);

/* Return true for such a name, and set *runtime to the first runtime that has it. The mark of
 * stackcollapse --jit may be at its end. */
bool runtime_is_nameless(struct span sym, enum runtime *runtime);

#endif
