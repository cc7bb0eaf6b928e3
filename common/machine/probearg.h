/* The arguments of a probe: "len", "name:string", "request->url:string", "n=p.list[2]". Each is
 * looked up in the debug information and translated to a fetch argument of the kernel,
 * "name=+0(%di):string": Documentation/trace/uprobetracer.rst in the Linux source. */
#ifndef MACHINE_PROBEARG_H
#define MACHINE_PROBEARG_H

#include "common/base/text.h"
#include "common/dwarf/varplace.h"
#include "common/dwarf/scope.h"
#include "common/dwarf/type.h"

/* An instruction where arguments are fetched. All is borrowed. */
struct probearg_site {
    struct dwarf *dwarf;
    const struct scope *scope;
    struct varplace_frame frame; /* at the instruction */
    unsigned machine;            /* EM_* of the file */
    uint64_t bias;               /* an address in the file minus the offset of the code there */
    bool returns;                /* the function has returned: only $retval can be fetched */
};

/* The fetch arguments made so far. {0} is empty. */
struct probeargs {
    struct text text;  /* " len=%si:s32 name=+0(%di):string" */
    struct text types; /* their names and types alone: "len:s32 name:string" */
    struct text names; /* of these and of those that could not be added, each before a blank */
    size_t count;
    bool framed; /* one is complete only after the function's prologue: see struct varplace */
};

/* Append an argument. "$params" is replaced by all parameters whose values can be read there. Return
 * NULL, or a message in the arena. A refused argument still takes its name: of two arguments called
 * `x`, the second is always x_2, also at places where the first has no value. */
const char *probeargs_add(struct probeargs *p, struct span one, const struct probearg_site *site,
                          struct arena *a);

/* Return NULL if the variable can be fetched at the site, or why it cannot, in the arena. */
const char *probeargs_try(const struct variable *v, const struct probearg_site *site, bool *framed,
                          struct arena *a);

void probeargs_free(struct probeargs *p);

#endif
