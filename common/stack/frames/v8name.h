/* Names that V8 gives its code in a perf map, and JavaScriptCore (Bun) in a jitdump.
 *
 *     LazyCompile:*get bar /p/foo.js:1        Node 6 to 14: form, tier, function, file, line
 *     JS:^emit node:events:340:12             Node 19 and later, with a column
 *     RegExp:[&<>\"\']                        Builtin:A builtin from the snapshot
 *     JSC-FTL: fibonacci#DFhvgn                JavaScriptCore: compiler, function, source's hash
 *
 * Written by V8's perf_basic_prof logger (src/logging/log.cc, src/objects/code-kind.cc there), and
 * by JavaScriptCore's PerfLog (assembler/LinkBuffer.cpp, bytecode/CodeBlock.cpp there). */
#ifndef STACK_V8NAME_H
#define STACK_V8NAME_H

#include "common/base/span.h"

/* The parts of a JavaScript function's name. They borrow from the name; missing ones are empty. */
struct v8name {
    /* ~ interpreted, ^ baseline, + Maglev or JavaScriptCore's DFG, - native-context-independent,
     * * optimised; 0: none */
    char tier;
    bool wasm;            /* the function is WebAssembly */
    struct span function; /* empty: anonymous */
    /* "/p/foo.js", "node:events", "[eval]"; "wasm"; for JavaScriptCore the hash, "#DFhvgn", without
     * a file, or the file of a module's code. */
    struct span file;
    /* "340:12", "340"; for WebAssembly the function's index, or in a name from a CPU profile the
     * offset of its code. */
    struct span position;
    struct span mark; /* "_[j]", as appended by stackcollapse --all and --jit */
};

/* The kind of code with a name of this form; V8FORM_NONE: the name is not V8's. */
enum v8form {
    V8FORM_NONE,
    V8FORM_JS, /* a function: v8name_parse splits it */
    V8FORM_REGEXP,
    V8FORM_BUILTIN /* V8's generated code; also a bare "LazyCompile:" */
};

enum v8form v8name_form(struct span sym);

/* If the symbol is a JavaScript function's (any of the forms JS:, LazyCompile:, Function:,
 * InterpretedFunction:, Script:, Eval:, ...), fill *n and return true. */
bool v8name_parse(struct span sym, struct v8name *n);

/* Likewise for a name that stackfilter --node has cleaned: "emit node:events:340:12", "f /p/x.js:1
 * [~]", "(anonymous) /p/x.mjs". Return false unless it ends with a script's file name and, if it is
 * not anonymous, a line number, since otherwise it could be the name of anything. */
bool v8name_parse_clean(struct span sym, struct v8name *n);

/* Return true for a regular expression as named by Node 24 and later, "RegExp.< src: 'a+' flags:
 * 'i'", and set *source to "a+", borrowed. Earlier names are "RegExp:a+", without flags. A
 * truncated name, such as one that ends before a newline in the expression, has a truncated
 * source. */
bool v8name_regexp(struct span sym, struct span *source);

/* Return the npm package of a script, "express" or "@scope/name": the folder below the last
 * "/node_modules/" of its path. Empty if there is none. */
struct span v8name_package(struct span file);

#endif
