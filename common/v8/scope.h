/* ScopeInfo: what V8 keeps of a compiled function's source.
 *
 *     flags, parameters, locals, [24 on: start, end], [module variables], names, infos, [class variable],
 *     [name, slot], [inferred name], [to 22: start, end]                       (scope-info.tq) */
#ifndef V8_SCOPE_H
#define V8_SCOPE_H

#include "common/v8/heap.h"

struct scope {
    uint16_t type;           /* of the enumeration ScopeType */
    uint64_t name, inferred; /* strings, or 0: none */
    int32_t start, end;      /* offsets in the source */
};

/* Read the ScopeInfo. */
enum v8status scope_read(struct scope *s, struct heap *h, uint64_t word);

#endif
