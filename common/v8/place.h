/* Places: ranges of a process's memory that belong to a function, either compiled code or an array
 * of bytecode; and single addresses at which WebAssembly ran. */
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
    /* Tagged. 0 for optimized code, code of no JavaScript function, WebAssembly, and a copy of the
     * interpreter's entry whose function is unknown. */
    uint64_t bytecode;
    char header[PLACE_HEADER]; /* of the BytecodeArray, with its first bytecodes */
    uint32_t function, serial; /* number and serial of the function; PLACE_NONE: unknown */
    uint64_t made;             /* unique number of this place, also among others at its addresses */
    bool alive;                /* false: removed from its addresses (places_kill) */
    /* It certainly belonged to this function from `first` to `valid`. `first` is UINT64_MAX if not
     * yet known. */
    uint64_t first, valid;
    uint64_t floor;    /* something else was there up to this time */
    uint64_t proven;   /* time of the last frame there whose JSFunction leads to the function */
    uint64_t reported; /* the sink has its name from this time on; UINT64_MAX: it has none */
};

/* {0} is an empty table. No two places share an address. */
struct places {
    VEC(struct place) of; /* by number */

    /* private */
    struct addresses by_start; /* by key_of in place.c */
    struct codemap at;         /* from address to number */
};

/* Return the number of the place that contains the address; PLACE_NONE if there is none. */
uint32_t places_at(const struct places *t, uint64_t addr);

/* As places_at, but only for places of code. */
uint32_t places_code(const struct places *t, uint64_t addr);

/* Return the number of the place of this BytecodeArray; PLACE_NONE if it is unknown. */
uint32_t places_bytecode(const struct places *t, uint64_t word);

/* Return the number of the first place that overlaps [start, end); PLACE_NONE if there is none. */
uint32_t places_in(const struct places *t, uint64_t start, uint64_t end);

/* Return the number of the known place with the same start as this one; PLACE_NONE if there is
 * none. */
uint32_t places_same(const struct places *t, const struct place *p);

/* Return the floor of the last place with the same start as this one; 0 if there was none. */
uint64_t places_floor(const struct places *t, const struct place *p);

/* Add a place whose function is not yet known, and return its number. First call places_kill for
 * all places that overlap it. */
uint32_t places_add(struct places *t, const struct place *p);

/* Remove the place from its addresses. Its number remains, with its floor. */
void places_kill(struct places *t, uint32_t number);

/* Set *p to the place of the BytecodeArray. */
enum v8status place_of_bytecode(struct place *p, struct heap *h, uint64_t word);

/* Set *p to the place of the code, with its bytecode if it is baseline code. */
enum v8status place_of_code(struct place *p, struct heap *h, const struct v8code *c);

/* Compare the place and its function with the memory there now. V8_BAD: it has changed. */
enum v8status place_check(const struct place *p, struct heap *h, struct functions *f);

/* If the place is optimized code, compare the function to which the code leads. place_check does
 * not do that: it needs two more blocks, and the JSFunctions of most frames prove the same. */
enum v8status place_check_code(const struct place *p, struct heap *h, const struct functions *f);

/* Note for snapshot_fetch the memory that place_check reads. */
void place_want(const struct place *p, struct heap *h, struct functions *f);

/* Set the bytecode of a place that is a copy of the interpreter's entry. `word` is the
 * BytecodeArray of a frame in the place. V8_BAD: it is not a BytecodeArray. */
enum v8status place_set_bytecode(struct place *p, struct heap *h, uint64_t word);

/* Find the function of the place. Optimized code leads to its function. In any other place,
 * `closure`, the JSFunction of a frame, leads to it, and must lead to the bytecode of the place. */
enum v8status place_identify(struct place *p, struct heap *h, struct functions *f,
                             uint64_t closure);

/* Set *tier to the tier in the place's name. Return false if the place is not a JavaScript
 * function's. */
bool place_tier(const struct place *p, const struct v8layout *l, enum function_tier *tier);

/* Return the table's size in memory, in bytes. */
size_t places_size(const struct places *t);

/* Free the table; it is then empty, as {0}. */
void places_free(struct places *t);

#endif
