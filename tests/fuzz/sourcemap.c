#define _GNU_SOURCE /* memfd_create */
#include "tests/fuzz/fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "common/filter/sourcemap/funcname.h"
#include "common/filter/sourcemap/sourcepath.h"

/* A segment that is found begins at the position or before, and its numbers are in range. */
static void
check_find(const struct sourcemap *m, uint32_t line, uint32_t column)
{
    struct text path = {0};
    const struct segment *s = sourcemap_find(m, line, column);
    if (s != NULL) {
        MUST(s->line == line && s->column <= column && s->source < m->nsources);
        MUST(s->name == SOURCEMAP_NONE || s->name < m->names.count);
        sourcepath_of_source(&m->sources[s->source], SPAN("/p/a.js.map"), &path);
    }
    MUST(sourcemap_line(m, line) == NULL || sourcemap_line(m, line)->line == line);
    free(path.ptr);
}

static void
check_names(struct sourcemap *m, struct span script)
{
    static const struct span names[] = {SPAN(""), SPAN("t"), SPAN("e.t"), SPAN("get t")};
    struct jstext t;
    struct text name = {0};
    jstext_init(&t, script);
    for (uint32_t column = 0; column < 48; column++)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            funcname_find(m, &t, column % 3, column, names[i], &name);
    for (size_t at = 0; at < t.text.len; at += 7) {
        uint32_t line, column;
        size_t found = 0;
        jstext_position(&t, at, &line, &column);
        if (((unsigned char)t.text.ptr[at] & 0xc0) != 0x80 &&
            jstext_offset(&t, line, column, &found))
            MUST(found <= at);
    }
    free(name.ptr);
    jstext_free(&t);
}

/* The last line of the input is the script, and the others are its map. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span all = fuzz_span(data, size);
    size_t newline = span_rfind(all, '\n');
    struct span json = span_head(all, newline != SPAN_NONE ? newline : size);
    struct lines lines = {0};
    struct sourcemap m = {0};
    char why[SOURCEMAP_WHY];
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    MUST(fd >= 0 && write(fd, json.ptr, json.len) == (ssize_t)json.len &&
         lseek(fd, 0, SEEK_SET) == 0);
    lines_start(&lines, fd);
    if (sourcemap_read(&m, &lines, why)) {
        for (uint32_t line = 0; line < 4; line++)
            for (uint32_t column = 0; column < 20; column++)
                check_find(&m, line, column);
        check_names(&m, span_from(all, json.len));
    } else {
        MUST(why[0] != '\0');
    }
    sourcemap_free(&m);
    close(fd);
    lines_free(&lines);
    return 0;
}
