/* Places: ranges of a process's memory that belong to a function, either compiled code or an array
 * of bytecode; and single addresses at which code of WebAssembly ran. */
#ifndef V8_PLACE_H
#define V8_PLACE_H

#include "common/sym/codemap.h"
#include "common/v8/code.h"
#include "common/v8/wasm.h"

enum { PLACE_HEADER = 72 };
#define PLACE_NONE UINT32_MAX

struct place {
    uint64_t start, size; /* addresses */
    struct v8code code;   /* word 0: the place is a BytecodeArray, or WebAssembly */
    enum wasm wasm;       /* not WASM_NONE: the place is one address in such code */
    /* Tagged. 0: the place is optimized code, code of no JavaScript function, WebAssembly, or a copy
     * of the interpreter's entry whose function is not known. */
    uint64_t bytecode;
    char header[PLACE_HEADER]; /* of the BytecodeArray, with its first bytecodes */
    uint32_t function, serial; /* number and serial of the function; PLACE_NONE: not known */
    uint64_t made; /* number of this place; another one in its addresses has another number */
    bool alive;    /* false: it was removed from its addresses (places_kill) */
    /* From the time `first` to `valid` it certainly was this function's. UINT64_MAX: `first` is not
     * known yet. */
    uint64_t first, valid;
    uint64_t floor;    /* up to this time something else was there */
    uint64_t proven;   /* the time of the last frame there whose JSFunction leads to the function */
    uint64_t reported; /* the sink has its name from this time on; UINT64_MAX: it has none */
};

/* {0} is an empty table. No two places share an address. */
struct places {
    VEC(struct place) of; /* by number */

    /* private */
    struct addresses by_start; /* by key_of in place.c */
    struct codemap at;         /* address to number */
};

/* Return the number of the known place in which the address lies, or PLACE_NONE. */
uint32_t places_at(const struct places *t, uint64_t addr);

/* As places_at, but find only places of code. */
uint32_t places_code(const struct places *t, uint64_t addr);

/* Return the number of the place of this BytecodeArray, or PLACE_NONE if it is not known. */
uint32_t places_bytecode(const struct places *t, uint64_t word);

/* Return the number of the first place that overlaps [start, end), or PLACE_NONE. */
uint32_t places_in(const struct places *t, uint64_t start, uint64_t end);

/* Return the number of the known place with the same start as this one, or PLACE_NONE. */
uint32_t places_same(const struct places *t, const struct place *p);

/* Return the floor of the last place with the same start as this one, or 0 if there was none. */
uint64_t places_floor(const struct places *t, const struct place *p);

/* Add a place whose function is not known yet, and return its number. The caller has removed the
 * places that overlap it (places_kill). */
uint32_t places_add(struct places *t, const struct place *p);

/* Remove the place from its addresses. Its number remains, with its floor. */
void places_kill(struct places *t, uint32_t number);

/* Set *p to the place of the BytecodeArray. */
enum v8status place_of_bytecode(struct place *p, struct heap *h, uint64_t word);

/* Set *p to the place of the code; if it is baseline code, with its bytecode. */
enum v8status place_of_code(struct place *p, struct heap *h, const struct v8code *c);

/* Compare the place and its function with what is there now. V8_BAD: it is something else. */
enum v8status place_check(const struct place *p, struct heap *h, struct functions *f);

/* If the place is optimized code, compare the function to which the code leads. place_check does
 * not do that: it needs two more blocks, and the JSFunctions of most frames prove the same. */
enum v8status place_check_code(const struct place *p, struct heap *h, const struct functions *f);

/* Note for snapshot_fetch what place_check reads. */
void place_want(const struct place *p, struct heap *h, struct functions *f);

/* Set the bytecode of a place that is a copy of the interpreter's entry. `word` is the
 * BytecodeArray that a frame in the place has. V8_BAD: it is no BytecodeArray. */
enum v8status place_set_bytecode(struct place *p, struct heap *h, uint64_t word);

/* Find the function of the place. Optimized code leads to its function. In any other place,
 * `closure`, the JSFunction of a frame, leads to it, and must lead to the bytecode of the place. */
enum v8status place_identify(struct place *p, struct heap *h, struct functions *f,
                             uint64_t closure);

/* Set *tier to the tier that is shown in the name of the place. Return false if the place is not a
 * JavaScript function's. */
bool place_tier(const struct place *p, const struct v8layout *l, enum function_tier *tier);

/* Return how much memory the table takes, in bytes. */
size_t places_size(const struct places *t);

/* Free the table; it is then empty, as {0}. */
void places_free(struct places *t);

#endif
