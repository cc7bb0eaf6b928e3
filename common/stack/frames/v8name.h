/* Names that V8 gives its code in a perf map, and JavaScriptCore (Bun) in a jitdump.
 *
 *     LazyCompile:*get bar /p/foo.js:1        Node 6 to 14: form, tier, function, file, line
 *     JS:^emit node:events:340:12             Node 19 and later, with a column
 *     RegExp:[&<>\"\']                        Builtin:A builtin from the snapshot
 *     JSC-FTL: fibonacci#DFhvgn                JavaScriptCore: compiler, function, hash of its source
 *
 * Written by V8's perf_basic_prof logger (src/logging/log.cc, src/objects/code-kind.cc there), and
 * by JavaScriptCore's PerfLog (assembler/LinkBuffer.cpp, bytecode/CodeBlock.cpp there). */
#ifndef STACK_V8NAME_H
#define STACK_V8NAME_H

#include "common/base/span.h"

/* The parts of a JavaScript function's name. They borrow from the name; an absent one is empty. */
struct v8name {
    /* ~ interpreted, ^ baseline, + Maglev or JavaScriptCore's DFG, - native-context-independent,
     * * optimised; 0: none */
    char tier;
    bool wasm;            /* the function is WebAssembly's */
    struct span function; /* empty: anonymous */
    struct span file;     /* "/p/foo.js", "node:events", "[eval]"; "wasm"; of JavaScriptCore's the
                           * hash, "#DFhvgn", which has no file, or the file of a module's code */
    struct span position; /* "340:12", "340"; of WebAssembly the function's index, or
                           * the offset of its code in a name from a CPU profile */
    struct span mark;     /* "_[j]", which stackcollapse --all and --jit append */
};

/* The kind of code that has a name of this form; V8FORM_NONE: the name is not V8's. */
enum v8form {
    V8FORM_NONE,
    V8FORM_JS, /* a function: v8name_parse takes it apart */
    V8FORM_REGEXP,
    V8FORM_BUILTIN /* V8's generated code; a bare "LazyCompile:" too */
};

enum v8form v8name_form(struct span sym);

/* Return true where the symbol is a JavaScript function's (any of the forms JS:, LazyCompile:,
 * Function:, InterpretedFunction:, Script:, Eval:, ...) and then *n is filled. */
bool v8name_parse(struct span sym, struct v8name *n);

/* The same for a name that stackfilter --node has cleaned: "emit node:events:340:12", "f /p/x.js:1
 * [~]", "(anonymous) /p/x.mjs". Return false if it does not end in a script's file name and, unless
 * it is anonymous, a line number, since then it could be the name of anything. */
bool v8name_parse_clean(struct span sym, struct v8name *n);

/* Return true for a regular expression as Node 24 and later name it, "RegExp.< src: 'a+' flags: 'i'",
 * and set *source to "a+", borrowed. Earlier names are "RegExp:a+", without flags. A name that ends
 * early, as before a newline in the expression, has a source that does. */
bool v8name_regexp(struct span sym, struct span *source);

/* Return the npm package that a script belongs to: "express", "@scope/name"; the folder below the
 * last "/node_modules/" of its path. Empty if it is in none. */
struct span v8name_package(struct span file);

#endif
