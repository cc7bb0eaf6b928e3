#include "common/symbolize/srcline.h"

#include <inttypes.h>
#include <stdio.h>

#include "common/base/num.h"
#include "common/stack/frames/dso.h"

bool
srcline_add(const struct dwarf_call *call, struct text *out)
{
    char digits[NUM_DIGITS];
    TEXT_ADD(out, call->file, SPAN(":"), num_decimal(digits, call->line));
    return call->file.ptr != NULL;
}

/* Append "libc.so.6[2724a]", or for JIT-compiled code "[JIT] tid 4242[7f1e2215d058]". */
bool
srcline_add_unknown(const struct dso *dso, uint64_t addr, struct text *out)
{
    char text[40];
    if (dso->kind == DSO_JIT) {
        snprintf(text, sizeof text, "[JIT] tid %" PRId32, dso->pid);
        text_add(out, span_cstr(text));
    } else {
        text_add(out, dso_base(dso->name));
    }
    snprintf(text, sizeof text, "[%" PRIx64 "]", addr);
    text_add(out, span_cstr(text));
    return true;
}
