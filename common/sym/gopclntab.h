/* The table of functions that every Go program has, also a stripped one: their names, and how much
 * they have on the stack at each instruction. Go's runtime itself walks stacks by it.
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
    size_t count;      /* of functions; some may be damaged */
    struct view names; /* their texts */

    /* private */
    unsigned version; /* an index of the layouts */
    size_t word;      /* bytes of a pointer */
    uint64_t quantum; /* bytes of the smallest instruction */
    uint64_t text;    /* the address that those of functions are relative to */
    struct view starts, functions, depths;
};

enum gopclntab_kind {
    GOPCLNTAB_PLAIN,
    GOPCLNTAB_UNFRAMED, /* does not set the frame pointer, also where it has a frame */
    /* Nothing has called it, or nothing that waits for it: goexit, which goroutines return to,
     * mstart, mcall. */
    GOPCLNTAB_ROOT,
    /* C has called it; it makes a frame on a goroutine's stack, above what has called C, or goexit. */
    GOPCLNTAB_CALLBACK,
    /* Goes on on another stack: nanotime1, which calls the vdso there. */
    GOPCLNTAB_SWITCHES,
    /* The same; what it calls is the first on the thread's own stack: systemstack. */
    GOPCLNTAB_SYSTEM,
    /* Returns to where its caller was interrupted, by no call: asyncPreempt. */
    GOPCLNTAB_INTERRUPTS,
    /* Functions return to its first instruction, which no call is before: systemstack_switch, which
     * stands for what has left their stack. */
    GOPCLNTAB_RESUMED,
    GOPCLNTAB_SIGRETURN, /* signal handlers return to it */
};

struct gopclntab_function {
    uint64_t start, end; /* addresses in the object */
    uint32_t name;       /* its offset in `names` */
    enum gopclntab_kind kind;

    /* private */
    uint32_t depths;
};

/* A part of a function in which the stack pointer stays where it is. */
struct gopclntab_part {
    uint64_t start, end;
    int32_t depth; /* bytes that are on the stack since the function began; on x86-64 without the
                      return address, on other machines with what is kept of the caller */

    /* private */
    uint32_t at; /* of the next part */
    bool begun;
};

/* Find the table of a file. False if there is none, or its format is not known: then there is
 * nothing to close. The file is borrowed. */
bool gopclntab_open(struct gopclntab *t, const struct elf *e);

/* Return how large the section is that has such a table, or may have it; 0: there is none. */
uint64_t gopclntab_size(const struct elf *e);

/* Read the i-th function. They are in the order of addresses. False: it is damaged. */
bool gopclntab_function(struct gopclntab *t, size_t i, struct gopclntab_function *f);

/* Go to the next part of a function, from {0} on. False: there are no more. */
bool gopclntab_next(struct gopclntab *t, const struct gopclntab_function *f,
                    struct gopclntab_part *part);

void gopclntab_close(struct gopclntab *t);

#endif
