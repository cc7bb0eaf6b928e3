/* Compiled code: the Code object that contains an address.
 *
 * Before V8 11, the Code object is the header of its instructions. Since V8 11, the header is an
 * object of its own, InstructionStream: it points to the Code object, which points to the
 * instructions. */
#ifndef V8_CODE_H
#define V8_CODE_H

#include "common/v8/function.h"

/* Compiled code, with those fields of its Code object that do not change while it is the same
 * code. */
struct v8code {
    uint64_t word; /* the Code object, tagged */
    uint64_t start;
    uint32_t size, flags;
    uint64_t deopt, positions; /* tagged: deoptimization data, source positions */
    int32_t osr;               /* bytecode offset of on-stack replacement, or -1 */
};

/* The progress of a search for the code of an address; {0} at the start. */
struct code_search {
    uint64_t from;   /* addresses from here on were searched */
    uint32_t looked; /* number of bytes searched */
};

enum { CODE_MAX = 1 << 20 /* bytes: larger functions are not compiled */ };

/* Find the code that contains the address, and that begins at most `most` bytes before it. V8_BAD:
 * there is none. */
enum v8status code_find(struct v8code *c, struct heap *h, uint64_t addr, uint32_t most,
                        struct code_search *s);

/* Return true if both are the same code. */
bool code_same(const struct v8code *a, const struct v8code *b);

/* Compare the code with the memory at its place now. V8_BAD: it is not the same code any more. */
enum v8status code_check(const struct v8code *c, struct heap *h);

/* Note for snapshot_fetch the memory that code_check reads. */
void code_want(const struct v8code *c, struct heap *h);

/* Note for snapshot_fetch the memory that code_find reads to find this code for an address in it,
 * and that code_shared reads first. */
void code_want_before(const struct v8code *c, struct heap *h, uint64_t addr);

/* If this is the compiled code of a JavaScript function, set *tier to its tier, which is not
 * TIER_INTERPRETED, and return true. */
bool code_tier(const struct v8code *c, const struct v8layout *l, enum function_tier *tier);

/* Return true if the code may be a copy of the interpreter's entry, which V8 makes to run the
 * bytecode of a single function (--interpreted-frames-native-stack). Such a copy is no compiled
 * function. */
bool code_may_interpret(const struct v8code *c, const struct v8layout *l);

/* Return the name that all code of this kind has; empty if each has its own. All regular
 * expressions have one name, since nothing in the code leads to the pattern. So have all compiled
 * wrappers through which JavaScript calls WebAssembly. */
struct span code_label(const struct v8code *c, const struct v8layout *l);

/* Return true if the code was specialized for a context, and this V8 marks that in names. */
bool code_is_specialized(const struct v8code *c, const struct v8layout *l);

/* Return true if the code is entered in the middle of a loop (on-stack replacement), and this V8
 * marks that in names. */
bool code_is_osr(const struct v8code *c, const struct v8layout *l);

/* Set *word to the element at this index of the deoptimization data of optimized code. V8_BAD:
 * there is none, as in code that was deoptimized. */
enum v8status code_deopt_word(const struct v8code *c, struct heap *h, uint32_t index,
                              uint64_t *word);

/* If *shared is a SharedFunctionInfoWrapper, replace it by the SharedFunctionInfo to which it
 * leads. */
enum v8status code_unwrap(struct heap *h, uint64_t *shared);

/* Set *shared to the SharedFunctionInfo of optimized code, tagged. */
enum v8status code_shared(const struct v8code *c, struct heap *h, uint64_t *shared);

#endif
