/* Language runtimes with a JIT compiler, and how to make each of them name its code for perf. */
#ifndef SYMBOLIZE_RUNTIME_H
#define SYMBOLIZE_RUNTIME_H

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

/* Return the runtime that is run by a command of that name; thread names are commands too. */
enum runtime runtime_of_comm(struct span comm);

/* Return what the user has to do so that it names its code: "start node with --perf-basic-prof". */
const char *runtime_advice(enum runtime runtime);

#endif
