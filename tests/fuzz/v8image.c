#include "tests/unit/v8image.h"

#include "tests/fuzz/fuzz.h"

enum { REQUEST_MAX = 4 << 20 /* bytes of objects that v8names_resolve may read, both times */ };

/* What is reported is well-formed: names are one line, and say where. */
static void
check_reported(struct span reported, const struct v8layout *layout)
{
    struct cursor c = cursor_of(reported);
    while (cursor_left(&c) > 0) {
        char kind = (char)cursor_u8(&c);
        cursor_take(&c, 16);
        if (kind == 'T')
            continue;
        MUST(cursor_u64(&c) > 0);
        struct span label = cursor_take(&c, cursor_u16(&c));
        MUST(kind == 'C' || label.len > 0);
        MUST(kind == 'I' || !span_has(label, '\n'));
        for (struct span rest = label; rest.len > 0;)
            MUST(span_take(&rest, '\n').len <= layout->label_limit);
        MUST(!span_has(label, '\0'));
        MUST(label.len == 0 || span_has(label, ':') ||
             span_eq(label, SPAN("(WebAssembly without names)")));
    }
    MUST(!c.cut);
}

/* The image of a process's memory: see tests/unit/v8image.h. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct v8image image;
    struct v8layout layout;
    v8image_open(&image, fuzz_span(data, size));
    if (v8image_begin(&image) &&
        v8layout_init(&layout, image.version, v8image_symbol, &image) == NULL) {
        const struct v8memory memory = {v8image_read, v8image_now, &image};
        const struct v8names_sink sink = {v8image_on_code, v8image_on_trampoline,
                                          v8image_on_inlined, NULL, &image};
        struct v8names *names = v8names_new(&layout, &memory, &sink, 1 << 20);
        for (bool more = true; more;) {
            uint64_t bytes = v8names_counts(names)->bytes;
            more = v8image_round(&image, names);
            MUST(v8names_counts(names)->bytes - bytes <= REQUEST_MAX + size);
            check_reported(text_span(&image.reported), &layout);
        }
        v8names_free(names);
    }
    v8image_close(&image);
    return 0;
}
