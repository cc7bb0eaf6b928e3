/* Places in the memory of a process that stand for a function: compiled code, and arrays of
 * bytecode. */
#ifndef V8_PLACE_H
#define V8_PLACE_H

#include "common/sym/codemap.h"
#include "common/v8/code.h"

enum { PLACE_HEADER = 72 };
#define PLACE_NONE UINT32_MAX

struct place {
    uint64_t start, size; /* addresses */
    struct v8code code;   /* word 0: the place is a BytecodeArray */
    /* Tagged; 0: optimized code, or code of no JavaScript function, or a copy of the interpreter's entry
     * whose function is not known. */
    uint64_t bytecode;
    char header[PLACE_HEADER]; /* of the BytecodeArray, with its first bytecodes */
    uint32_t function, serial; /* PLACE_NONE: not known */
    bool alive;                /* it was there at `valid` */
    uint64_t first, valid;     /* times between which it was this function's for sure; first is
                                * UINT64_MAX before there is one */
    uint64_t floor;            /* up to this time something else was there */
    uint64_t proven; /* when the last frame ran there whose JSFunction is the function's */
    uint64_t said;   /* the sink has its name from this time on; UINT64_MAX: it has none */
};

/* {0} is an empty table. No two places share an address. */
struct places {
    VEC(struct place) of; /* by number */

    /* private */
    struct addresses by_start; /* code: first instruction, even; bytecode: tagged word */
    struct codemap at;         /* address to number */
};

/* Return the number of the place that the address was known to lie in, or PLACE_NONE. */
uint32_t places_at(const struct places *t, uint64_t addr);

/* The same for code alone. */
uint32_t places_code(const struct places *t, uint64_t addr);

/* Return the number of the BytecodeArray if it is known, or PLACE_NONE. */
uint32_t places_bytecode(const struct places *t, uint64_t word);

/* Return the number of the first place that lies in [start, end), in part or whole, or
 * PLACE_NONE. */
uint32_t places_in(const struct places *t, uint64_t start, uint64_t end);

/* Return the number of the place that is known at the start of this one, or PLACE_NONE. */
uint32_t places_same(const struct places *t, const struct place *p);

/* Return the floor of the place that was at the start of this one, or 0. */
uint64_t places_floor(const struct places *t, const struct place *p);

/* Add a place of code or bytecode without a function. The caller has killed those that lie
 * there. */
uint32_t places_add(struct places *t, const struct place *p);

/* Take it off the addresses that it had. */
void places_kill(struct places *t, uint32_t number);

/* Set *p to the BytecodeArray. */
enum v8status place_of_bytecode(struct place *p, struct heap *h, uint64_t word);

/* Set *p to the code. Baseline code leads to its bytecode, too. */
enum v8status place_of_code(struct place *p, struct heap *h, const struct v8code *c);

/* Compare with what is there now, function included. V8_BAD: it is something else. */
enum v8status place_check(const struct place *p, struct heap *h, struct functions *f);

/* Of optimized code, compare also the function that it leads to. place_check does not: it costs two
 * blocks more, and the JSFunctions of most frames say the same. */
enum v8status place_check_code(const struct place *p, struct heap *h, const struct functions *f);

/* Note for snapshot_fetch what place_check reads. */
void place_want(const struct place *p, struct heap *h, struct functions *f);

/* A copy of the interpreter's entry runs this bytecode, as a frame of it has it: note that. V8_BAD: it is
 * none. */
enum v8status place_set_bytecode(struct place *p, struct heap *h, uint64_t word);

/* Find the function of the place: of optimized code by itself, else by a JSFunction, which is one
 * of a frame, and must lead to the same bytecode. */
enum v8status place_identify(struct place *p, struct heap *h, struct functions *f,
                             uint64_t closure);

/* Return the tier of the name that the place has; false: it is no JavaScript function's. */
bool place_tier(const struct place *p, const struct v8layout *l, enum function_tier *tier);

/* Return how much memory the table takes, in bytes. */
size_t places_size(const struct places *t);

/* Free the table; it is then empty, as {0}. */
void places_free(struct places *t);

#endif
