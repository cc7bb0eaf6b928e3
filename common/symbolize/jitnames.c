#include "common/symbolize/jitnames.h"

#include <inttypes.h>
#include <stdio.h>

void
jitname_set(const struct jitname *name, uint64_t addr, struct frame *f,
            char offset[static JITNAME_OFFSET])
{
    int len = snprintf(offset, JITNAME_OFFSET, "+0x%" PRIx64, addr - name->start);
    f->sym = name->text;
    f->has_sym = true;
    f->ip = name->in_dso > 0 ? name->in_dso + (addr - name->start) : f->ip;
    f->offset = span_of(offset, (size_t)len);
    f->dso = name->dso.len > 0 ? name->dso : f->dso;
    f->doubtful = name->doubtful;
}
