/* Finds positions in a source map:
 *
 *     sourcemap MAP < positions
 *
 * A position is a line and a column, counted from 0. For each it prints the original source, line,
 * column and name, parted by tabs, or a line without any of these. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/filter/sourcemap/sourcepath.h"

static void
print_original(const struct sourcemap *m, struct span map, uint32_t line, uint32_t column)
{
    static struct text path;
    const struct segment *s = sourcemap_find(m, line, column);
    if (s == NULL) {
        putchar('\n');
        return;
    }
    struct span name = s->name != SOURCEMAP_NONE ? m->names.list[s->name] : SPAN("");
    path.len = 0;
    sourcepath_of_source(&m->sources[s->source], map, &path);
    printf("%.*s\t%" PRIu32 "\t%" PRIu32 "\t%.*s\n", SPAN_ARG(text_span(&path)), s->original_line,
           s->original_column, SPAN_ARG(name));
}

int
main(int argc, char **argv)
{
    struct sourcemap m = {0};
    struct lines lines = {0};
    char why[SOURCEMAP_WHY];
    uint32_t line, column;
    int fd = argc == 2 ? open(argv[1], O_RDONLY) : -1;
    if (fd < 0) {
        fprintf(stderr, "usage: sourcemap MAP < positions\n");
        return 2;
    }
    lines_start(&lines, fd);
    if (!sourcemap_read(&m, &lines, why)) {
        fprintf(stderr, "%s:%zu: %s\n", argv[1], lines.number, why);
        return 1;
    }
    while (scanf("%" SCNu32 " %" SCNu32, &line, &column) == 2)
        print_original(&m, span_cstr(argv[1]), line, column);
    return 0;
}
