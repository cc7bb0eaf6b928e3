/* The functions of a process: V8's SharedFunctionInfo, with name, script, line and column. */
#ifndef V8_FUNCTION_H
#define V8_FUNCTION_H

#include "common/v8/script.h"

/* What code a label is for. */
enum function_tier { TIER_INTERPRETED, TIER_BASELINE, TIER_MAGLEV, TIER_TURBOFAN, TIERS };

struct function {
    uint64_t word;           /* the SharedFunctionInfo, tagged */
    uint64_t name, script;   /* words of it that must not change */
    uint64_t id;             /* of the script, a Smi */
    uint32_t script_number;  /* in `scripts`, as long as that has this id */
    uint64_t data, bytecode; /* a word of it, and the BytecodeArray it leads to, or 0 */
    uint64_t entry;          /* a copy of the interpreter's entry for it alone, or 0 */
    uint32_t serial;         /* changes with every other function at this place */
    struct span text, url;   /* its name, or the inferred one; the script's name */
    int32_t start;           /* offset of its parameters in the source */
    int32_t line, column;    /* of that, from 1 on; 0: functions_position was not called */
    enum { KIND_FUNCTION, KIND_EVAL, KIND_SCRIPT } kind;
};

/* {0} is an empty table. */
struct functions {
    VEC(struct function) of; /* by number */
    struct scripts scripts;
    struct lineends_budget budget; /* the owner fills it up */
    uint64_t read;                 /* functions whose names were read since the beginning */

    /* private */
    struct addresses places;
    struct intern names;
    struct text text;
    uint32_t serial;
};

/* Set *number to the number of the function whose SharedFunctionInfo is at this place now: read it
 * if it is not known or another one. */
enum v8status functions_at(struct functions *t, struct heap *h, uint64_t word, uint32_t *number);

/* Compare a function with what is at its place now; V8_BAD: it has changed, or cannot be read. Its
 * data may have; `bytecode` follows them. */
enum v8status functions_check(struct functions *t, struct heap *h, uint32_t number);

/* Note for snapshot_fetch what functions_check reads. */
void functions_want(struct functions *t, struct heap *h, uint32_t number);

/* Set *shared to the SharedFunctionInfo of a JSFunction, tagged; it may have been moved by garbage
 * collection. */
enum v8status functions_shared(struct heap *h, uint64_t function, uint64_t *shared);

/* Set *bytecode to the BytecodeArray that a word of a SharedFunctionInfo or of baseline code leads to:
 * itself, by InterpreterData, or by baseline code. V8_BAD: it leads to none. Unless `entry` is NULL, set it
 * to the copy of the interpreter's entry that runs this function alone, a Code object; 0: there is none. */
enum v8status functions_bytecode(struct heap *h, uint64_t data, uint64_t *bytecode,
                                 uint64_t *entry);

/* The same for a SharedFunctionInfo, of which nothing else is read. */
enum v8status functions_bytecode_of(struct heap *h, uint64_t shared, uint64_t *bytecode);

/* Set line and column of a function if they are not known yet. This may read the script's source at
 * once, some megabytes. V8_BAD: they cannot be found now. */
enum v8status functions_position(struct functions *t, struct heap *h, uint32_t number);

/* Append the name that a perf map of this V8 has for the function's code: "JS:*name
 * url:line:column". One line, with what could harm a terminal masked, as everywhere. */
void functions_label(const struct functions *t, const struct v8layout *l, uint32_t number,
                     enum function_tier tier, bool osr, bool specialized, struct text *to);

/* Return how much memory it takes, in bytes. */
size_t functions_size(const struct functions *t);

/* Free the table; it is then empty, as {0}, but for what it counts and the budget. */
void functions_forget(struct functions *t);

#endif
