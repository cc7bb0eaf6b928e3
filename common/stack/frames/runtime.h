/* Language runtimes, and how to make each of them name the functions of its programs for recorders.
 * A new one is a row in `table` of runtime.c, and rows for what shows it: its files, functions,
 * commands. */
#ifndef STACK_RUNTIME_H
#define STACK_RUNTIME_H

#include "common/base/span.h"

/* RUNTIME_UNKNOWN: none of these. */
enum runtime {
    RUNTIME_UNKNOWN,
    RUNTIME_NODE,
    RUNTIME_WASM, /* in V8, called by JavaScript */
    RUNTIME_DENO,
    RUNTIME_BUN,
    RUNTIME_CHROMIUM,
    RUNTIME_JAVA,
    RUNTIME_DOTNET,
    RUNTIME_PYTHON,
    RUNTIME_RUBY,
    RUNTIME_PHP,
    RUNTIME_PERL,
    RUNTIME_ERLANG,
    RUNTIME_LUAJIT,
    RUNTIMES
};

/* Return the runtime of a DSO, by its path: "/usr/lib/jvm/x/libjvm.so" is Java's. */
enum runtime runtime_of_dso(struct span dso);

/* Return the runtime of a function, by its name: "JavaCalls::call_helper" is Java's. */
enum runtime runtime_of_symbol(struct span sym);

/* Return the runtime of a process or thread, by its comm: "nodejs" is Node's. */
enum runtime runtime_of_comm(struct span comm);

/* Return the runtime whose interpreter the function is: "_PyEval_EvalFrameDefault" is Python's. All
 * functions of a script run in it, and have no names unless the runtime gives them frames of their
 * own. */
enum runtime runtime_of_interpreter(struct span sym);

/* Return true if the runtime compiles functions while it runs, unless it is told not to; false if
 * it interprets them, unless it is told otherwise. */
bool runtime_compiles(enum runtime runtime);

/* Return what the runtime is called, such as "Python". */
struct span runtime_name(enum runtime runtime);

/* Return what the user has to do to get the names of the runtime's functions where no recorder reads
 * them from memory, such as "start node with --perf-basic-prof, or ...": a static string. */
const char *runtime_advice(enum runtime runtime);

/* Return what the user has to do so that the next recording has the names: the same, but for Node,
 * whose names stackrecord reads from memory. */
const char *runtime_remedy(enum runtime runtime);

/* Return what else the user can do where the runtime interprets functions: "draw what ... records";
 * "" for those that compile. */
const char *runtime_other_profiler(enum runtime runtime);

/* Return the name of the frame that stands for JIT-compiled code without names, such as
 * "(JavaScript without names)" for Node. For RUNTIME_UNKNOWN, and for runtimes that have no such
 * name of their own (Chromium, Perl), it is "(JIT-compiled code without names)". */
struct span runtime_nameless(enum runtime runtime);

/* Return true for a name that runtime_nameless() returns, and set *runtime to its runtime
 * (RUNTIME_UNKNOWN if several share it). An annotation such as "_[j]" of stackcollapse --jit may
 * follow the name. */
bool runtime_is_nameless(struct span sym, enum runtime *runtime);

#endif
