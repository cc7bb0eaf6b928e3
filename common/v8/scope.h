/* ScopeInfo: what V8 stores about a compiled function's source.
 *
 *     flags, parameters, locals, [from Node 24 on: start, end], [number of module variables],
 *     names of locals, infos of locals, [class variable], [name, slot], [inferred name],
 *     [up to Node 22: start, end]                                            (scope-info.tq)
 */
#ifndef V8_SCOPE_H
#define V8_SCOPE_H

#include "common/v8/heap.h"

struct scope {
    uint16_t type;           /* value of the enumeration ScopeType */
    uint64_t name, inferred; /* strings; 0: none */
    int32_t start, end;      /* offsets in the source */
};

/* Read the ScopeInfo. */
enum v8status scope_read(struct scope *s, struct heap *h, uint64_t word);

#endif
