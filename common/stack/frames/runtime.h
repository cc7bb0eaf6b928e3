/* Language runtimes, and how to make each of them name the functions of its programs for recorders.
 * To add one, add a row to `table` in runtime.c, and rows for what identifies it: files, functions,
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

/* Return true if the runtime compiles functions by default; false if it interprets them by
 * default. */
bool runtime_compiles(enum runtime runtime);

/* Return the name of the runtime, such as "Python". */
struct span runtime_name(enum runtime runtime);

/* Return what the user must do to get the names of the runtime's functions, if the recorder does
 * not read them from memory, such as "start node with --perf-basic-prof, or ...": a static
 * string. */
const char *runtime_advice(enum runtime runtime);

/* Return what the user must do so that the next recording has the names: the same as
 * runtime_advice, except for Node, whose names stackrecord reads from memory. */
const char *runtime_remedy(enum runtime runtime);

/* Return what else the user can do if the runtime interprets functions: "draw what ... records"; ""
 * if it compiles them. */
const char *runtime_other_profiler(enum runtime runtime);

/* Return the name of the frame for JIT-compiled code without names, such as "(JavaScript without
 * names)" for Node. For RUNTIME_UNKNOWN, and for runtimes without such a name of their own
 * (Chromium, Perl), it is "(JIT-compiled code without names)". */
struct span runtime_nameless(enum runtime runtime);

/* Return true for a name that runtime_nameless() returns, and set *runtime to its runtime
 * (RUNTIME_UNKNOWN if several share it). A mark such as "_[j]" of stackcollapse --jit may follow
 * the name. */
bool runtime_is_nameless(struct span sym, enum runtime *runtime);

#endif
