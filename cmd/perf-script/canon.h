/* Perf script text as perf 6.1 prints it, whatever it looked like when it was read. */
#ifndef PERF_SCRIPT_CANON_H
#define PERF_SCRIPT_CANON_H

#include "common/base/out.h"
#include "common/base/text.h"
#include "common/stack/perftext.h"

/* Sets *to to a frame's canonical text, with its newlines:
 *
 *     "\t    7f1e2215d058 uv_run+0x12 (/usr/bin/node)\n"    perhaps also "  core.c:137\n" */
void canon_frame(struct text *to, struct span text);

/* The same with `name`+offset and `dso` in place of what the frame says. */
void canon_named(struct text *to, const struct perf_frame *f, bool has_srcline, struct span name,
                 uint64_t offset, struct span dso);

/* Writes the header and its newline. `first` is the canonical text of the frame that stands in the
 * header, empty where none does. */
void canon_header(struct out *o, const struct perf_sample *s, struct span first);

#endif
