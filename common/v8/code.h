/* Compiled code: the Code object that an address lies in.
 *
 * Before the instructions is a header; since V8 11 it is an object of its own, InstructionStream,
 * which points to the Code object, and that to the instructions. */
#ifndef V8_CODE_H
#define V8_CODE_H

#include "common/v8/function.h"

/* What must not change as long as it is the same code. */
struct v8code {
    uint64_t word; /* the Code object, tagged */
    uint64_t start;
    uint32_t size, flags;
    uint64_t deopt, positions; /* words */
    int32_t osr;               /* bytecode offset at which it is entered, or -1 */
};

/* How far the search for the code of an address has come; {0} at first. */
struct code_search {
    uint64_t from;   /* addresses from here on were looked at */
    uint32_t looked; /* bytes */
};

/* Find the code in which the address lies. V8_BAD: it is in no code that can be found. */
enum v8status code_find(struct v8code *c, struct heap *h, uint64_t addr, struct code_search *s);

/* Return true if both are the same code. */
bool code_same(const struct v8code *a, const struct v8code *b);

/* Compare the code with what is at its place now; V8_BAD: it is another one. */
enum v8status code_check(const struct v8code *c, struct heap *h);

/* Note for snapshot_fetch what code_check reads. */
void code_want(const struct v8code *c, struct heap *h);

/* Return true if it is a JavaScript function's, and set its tier: one of compiled code. */
bool code_tier(const struct v8code *c, const struct v8layout *l, enum function_tier *tier);

/* Return true if the code may be a copy of the interpreter's entry that runs the bytecode of one function
 * alone (--interpreted-frames-native-stack): it is no compiled function. */
bool code_may_interpret(const struct v8code *c, const struct v8layout *l);

/* Return true if it is a compiled regular expression, of which nothing says which. */
bool code_is_regexp(const struct v8code *c, const struct v8layout *l);

/* Return true if the code was specialized for a context; entered in the middle of a loop. Only if
 * V8's names say so. */
bool code_is_specialized(const struct v8code *c, const struct v8layout *l);
bool code_is_osr(const struct v8code *c, const struct v8layout *l);

/* Set *shared to the SharedFunctionInfo of optimized code, tagged. */
enum v8status code_shared(const struct v8code *c, struct heap *h, uint64_t *shared);

#endif
