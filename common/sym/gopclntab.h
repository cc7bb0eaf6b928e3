/* Go's function table, which even stripped Go programs have: the functions' names, and the stack
 * depth at each instruction. Go's runtime itself walks stacks by this table.
 *
 *     struct gopclntab t;
 *     if (gopclntab_open(&t, &elf))
 *         for (size_t i = 0; i < t.count; i++)
 *             if (gopclntab_function(&t, i, &f))
 *                 use f.start, f.end, view_string(&t.names, f.name)
 *     gopclntab_close(&t); */
#ifndef SYM_GOPCLNTAB_H
#define SYM_GOPCLNTAB_H

#include "common/sym/elf.h"

struct gopclntab {
    size_t count;      /* number of functions; some may be damaged */
    struct view names; /* the text of all names */

    /* private */
    unsigned version; /* index into the table of layouts */
    size_t word;      /* pointer size in bytes */
    uint64_t quantum; /* size of the smallest instruction in bytes */
    uint64_t text;    /* base address of the functions */
    struct view starts, functions, depths;
};

enum gopclntab_kind {
    GOPCLNTAB_PLAIN,
    GOPCLNTAB_UNFRAMED, /* does not set the frame pointer, even if it has a frame */
    /* The outermost function of a stack; its caller, if any, does not wait for it: goexit, to which
     * goroutines return; mstart; mcall. */
    GOPCLNTAB_ROOT,
    /* Called from C. Its frame is on a goroutine's stack. Its caller there is the function that
     * called C or, on a thread that C made, goexit. */
    GOPCLNTAB_CALLBACK,
    /* Continues on another stack: nanotime1, which calls the vdso there. */
    GOPCLNTAB_SWITCHES,
    /* As GOPCLNTAB_SWITCHES, and its callee is the first on the thread's own stack: systemstack. */
    GOPCLNTAB_SYSTEM,
    /* Not called: it returns to where the code was interrupted: asyncPreempt. */
    GOPCLNTAB_INTERRUPTS,
    /* Not really called: while a goroutine's code runs on the thread's stack, the goroutine's saved
     * return address is the first instruction of this function: systemstack_switch. */
    GOPCLNTAB_RESUMED,
    GOPCLNTAB_SIGRETURN, /* signal handlers return to it */
};

struct gopclntab_function {
    uint64_t start, end; /* addresses in the object */
    uint32_t name;       /* offset of its name in `names` */
    enum gopclntab_kind kind;

    /* private */
    uint32_t depths;
};

/* A range of a function's code in which the stack depth is constant. */
struct gopclntab_part {
    uint64_t start, end;
    /* Bytes pushed since the function's entry: on x86-64 without the return address, on other
     * machines including the caller's saved registers. */
    int32_t depth;

    /* private */
    uint32_t at; /* offset of the next range */
    bool begun;
};

/* Find the table in a file, which is borrowed. Return false if there is none, or if its format is
 * not supported: then there is nothing to close. */
bool gopclntab_open(struct gopclntab *t, const struct elf *e);

/* Return the size in bytes of the section that has the table, or may have it; 0 if there is
 * none. */
uint64_t gopclntab_size(const struct elf *e);

/* Read the i-th function in the order of addresses. Return false if it is damaged. */
bool gopclntab_function(struct gopclntab *t, size_t i, struct gopclntab_function *f);

/* Advance `part` to the function's next range; begin with {0}. Return false if there are no
 * more. */
bool gopclntab_next(struct gopclntab *t, const struct gopclntab_function *f,
                    struct gopclntab_part *part);

void gopclntab_close(struct gopclntab *t);

#endif
