/* The functions of a process: V8's SharedFunctionInfo, with name, script, line and column. */
#ifndef V8_FUNCTION_H
#define V8_FUNCTION_H

#include "common/v8/script.h"

/* The kind of code that a label names. */
enum function_tier { TIER_INTERPRETED, TIER_BASELINE, TIER_MAGLEV, TIER_TURBOFAN, TIERS };

struct function {
    uint64_t word;           /* the SharedFunctionInfo, tagged */
    uint64_t name, script;   /* two of its words, which must not change */
    uint64_t id;             /* of the script, a Smi */
    uint32_t script_number;  /* index in `scripts`; valid while that script has this id */
    uint64_t data, bytecode; /* a word of it; the BytecodeArray to which `data` leads, or 0 */
    uint64_t entry;          /* copy of the interpreter's entry for this function alone, or 0 */
    uint32_t serial;         /* changes when another function takes this place */
    struct span text, url;   /* its name, or the inferred one; the script's name */
    int32_t start;           /* offset of its parameters in the source */
    int32_t line, column;    /* of `start`, from 1 on; 0: not set yet by functions_position */
    enum { KIND_FUNCTION, KIND_EVAL, KIND_SCRIPT } kind;
};

/* {0} is an empty table. */
struct functions {
    VEC(struct function) of; /* by number */
    struct scripts scripts;
    struct lineends_budget budget; /* refilled by the owner */
    uint64_t read;                 /* number of functions whose names were read so far */

    /* private */
    struct addresses places;
    struct intern names;
    struct text text;
    uint32_t serial;
};

/* Set *number to the number of the function whose SharedFunctionInfo is at this place now. Read the
 * function if it is new, or if another one was known at this place. */
enum v8status functions_at(struct functions *t, struct heap *h, uint64_t word, uint32_t *number);

/* Compare a function with the memory at its place now. V8_BAD: it has changed, or cannot be read.
 * `data` may change: then update `data`, `bytecode` and `entry`. */
enum v8status functions_check(struct functions *t, struct heap *h, uint32_t number);

/* Note for snapshot_fetch the memory that functions_check reads. */
void functions_want(struct functions *t, struct heap *h, uint32_t number);

/* Set *shared to the SharedFunctionInfo of a JSFunction, tagged. If garbage collection has moved
 * the JSFunction, follow it to its new place. */
enum v8status functions_shared(struct heap *h, uint64_t function, uint64_t *shared);

/* Set *bytecode to the BytecodeArray to which `data` leads, a word of a SharedFunctionInfo or of
 * baseline code. It is the BytecodeArray itself, or leads to it through InterpreterData or baseline
 * code. V8_BAD: it leads to none. If `entry` is not NULL, set *entry to the Code object of the copy
 * of the interpreter's entry that runs this function alone, or to 0 if there is no copy. */
enum v8status functions_bytecode(struct heap *h, uint64_t data, uint64_t *bytecode,
                                 uint64_t *entry);

/* Set *bytecode to the BytecodeArray of a SharedFunctionInfo, and read nothing else of it. V8_BAD:
 * it has none. */
enum v8status functions_bytecode_of(struct heap *h, uint64_t shared, uint64_t *bytecode);

/* Set line and column of a function if they are not known yet. This may read the whole source of
 * the script, some megabytes, before it returns. V8_BAD: they cannot be found now. */
enum v8status functions_position(struct functions *t, struct heap *h, uint32_t number);

/* Set *line to the line, from 1 on, of an offset in the function's script. Otherwise as
 * functions_position. */
enum v8status functions_line(struct functions *t, struct heap *h, uint32_t number, uint32_t offset,
                             int32_t *line);

/* Set *is to whether a loop's first word is at an offset in the function's script: for, while, or
 * do. */
enum v8status functions_is_loop(const struct functions *t, struct heap *h, uint32_t number,
                                uint32_t offset, bool *is);

/* Append the name of the function's code in a perf map of this V8, such as "JS:*name
 * url:line:column". It is one line; characters that could harm a terminal are masked. */
void functions_label(const struct functions *t, const struct v8layout *l, uint32_t number,
                     enum function_tier tier, bool osr, bool specialized, struct text *to);

/* Return the table's size in memory, in bytes. */
size_t functions_size(const struct functions *t);

/* Free the table. It is then empty, as {0}, but keeps `budget`, `read` and `serial`. */
void functions_forget(struct functions *t);

#endif
