#include "common/symbolize/srcline.h"

#include <inttypes.h>
#include <stdio.h>

#include "common/base/num.h"
#include "common/stack/frames/dso.h"

/* "libc.so.6[2724a]", or of JIT-compiled code "[JIT] tid 4242[7f1e2215d058]". */
static void
add_unknown(const struct dso *dso, uint64_t addr, struct text *out)
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
}

bool
srcline_add(struct debuginfo *d, const struct dso *dso, const struct dsofile *file, uint64_t addr,
            struct text *out)
{
    char digits[NUM_DIGITS];
    const struct dwarf_call *calls = NULL;
    bool readable = file != NULL && file->names != DSOFILE_NONE;
    if (readable)
        elf_find_address(&file->runtime->elf, addr, &addr);
    if (!readable || dso->kind != DSO_FILE ||
        debuginfo_find(d, file->info != NULL ? file->info : file->symbols, addr, &calls) == 0) {
        add_unknown(dso, addr, out);
        return true;
    }
    text_add(out, calls->file);
    text_add(out, SPAN(":"));
    text_add(out, num_decimal(digits, calls->line));
    return calls->file.ptr != NULL;
}
