/* Names of JavaScript in images of the memory of node 18, 20, 22, 24 and 26. */
#include "tests/unit/v8image.h"

#include <inttypes.h>

#include "tests/unit/test.h"

static struct span
read_file(const char *name, struct text *to)
{
    char path[200], buffer[4096];
    snprintf(path, sizeof path, "tests/data/v8/%s", name);
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL);
    for (size_t n; file != NULL && (n = fread(buffer, 1, sizeof buffer, file)) > 0;)
        text_add(to, span_of(buffer, n));
    if (file != NULL)
        fclose(file);
    return text_span(to);
}

/* Print what was reported, for people. */
static void
print(const char *title, struct span records)
{
    struct cursor c = cursor_of(records);
    printf("# %s\n", title);
    while (cursor_left(&c) > 0) {
        bool is_code = cursor_u8(&c) != 'T';
        uint64_t since = cursor_u64(&c), start = cursor_u64(&c),
                 size = is_code ? cursor_u64(&c) : 0;
        struct span label = is_code ? cursor_take(&c, cursor_u16(&c)) : SPAN("trampoline");
        printf("#     %" PRIu64 " %" PRIx64 "+%" PRIx64 " %.*s\n", since, start, size,
               SPAN_ARG(label));
    }
}

/* Replay an image; all that was reported must be reported again, at the same time. */
static void
replay(const char *name, uint64_t least)
{
    struct text data = {0};
    struct v8image image;
    struct v8layout layout;
    v8image_open(&image, read_file(name, &data));
    CHECK(v8image_begin(&image));
    const char *why = v8layout_init(&layout, image.version, v8image_symbol, &image);
    CHECK(why == NULL);
    const struct v8memory memory = {v8image_read, v8image_now, &image};
    const struct v8names_sink sink = {v8image_on_code, v8image_on_trampoline, v8image_on_inlined,
                                      NULL, &image};
    struct v8names *names = v8names_new(&layout, &memory, &sink, 0);
    while (v8image_round(&image, names)) {
        bool same = span_eq(text_span(&image.reported), text_span(&image.wanted));
        CHECK(same);
        if (!same) {
            print("wanted", text_span(&image.wanted));
            print("got", text_span(&image.reported));
        }
    }
    const struct v8names_counts *counts = v8names_counts(names);
    CHECK(image.round > 5 && counts->named >= least && counts->functions >= 10);
    v8names_free(names);
    v8image_close(&image);
    free(data.ptr);
}

TEST("Node 18's functions have their names")
{
    replay("node18.image", 30);
}

TEST("Node 20's functions have their names")
{
    replay("node20.image", 30);
}

TEST("Node 22's functions have their names")
{
    replay("node22.image", 30);
}

TEST("Node 24's functions have their names")
{
    replay("node24.image", 30);
}

TEST("Node 26's functions have their names")
{
    replay("node26.image", 30);
}
