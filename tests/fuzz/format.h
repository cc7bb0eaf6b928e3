/* The body of the fuzz targets of stackcollapse's formats: a file defines FORMAT; SCRIPT, the struct
 * format of a replaced script, if that is not the format's own; and OPTIONS if others than the
 * defaults are to be set in struct options; and includes this. */
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>

#include "cmd/stackcollapse/formats.h"

#ifndef OPTIONS
#define OPTIONS .verbose = false
#endif

#define JOIN2(a, b) a##b
#define JOIN(a, b)  JOIN2(a, b)

#ifndef SCRIPT
#define SCRIPT JOIN(format_, FORMAT)
#endif

extern const struct format SCRIPT;

static struct out out;

/* No frame holds what separates frames and stacks, and every stack has a frame. */
static void
check_profile(const struct profile *p)
{
    for (uint32_t stack = 0; stack < p->stacks.count; stack++) {
        MUST(profile_depth(p, stack) > 0);
        for (size_t i = 0; i < profile_depth(p, stack); i++) {
            struct span name = profile_name_text(p, profile_frame(p, stack, i));
            MUST(span_find(name, '\n') == SPAN_NONE && span_find(name, ';') == SPAN_NONE);
        }
    }
    for (uint32_t node = 1; node < p->tree.n; node++)
        MUST(p->tree.nodes[node].parent < node);
}

static void
fold(const struct format *format, const struct options *options, struct span text)
{
    char *no_names[1] = {NULL};
    struct diag diag;
    void *state = NULL;
    diag_init(&diag, "fuzz");
    diag.quiet = true;
    struct collapse c = {.options = options, .diag = &diag, .out = &out};
    input_start(&c.input, &diag, no_names, 0);
    c.input.lines = (struct lines){.eof = true, .end = text.len, .cap = text.len + 1};
    c.input.lines.buf = mem_alloc(text.len + 1);
    memcpy(c.input.lines.buf, text.ptr, text.len);
    format_guess(&c.input.lines);
    format_fold(format, &c, &state);
    format_finish(format, &state);
    check_profile(&c.profile);
    profile_write(&c.profile, &out);
    format_end(format, &state);
    profile_free(&c.profile);
    free(c.input.lines.buf);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct options native = {
        .dialect = &dialect_native, .fold.names.dialect = &foldname_native, OPTIONS};
    static const struct options perl = {
        .dialect = &dialect_perl, .fold.names.dialect = &foldname_native, OPTIONS};
    if (out.name == NULL)
        out_open(&out, open("/dev/null", O_WRONLY), "/dev/null");
    fold(&JOIN(format_, FORMAT), &native, fuzz_span(data, size));
    fold(&SCRIPT, &perl, fuzz_span(data, size));
    return 0;
}
