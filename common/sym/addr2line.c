/* Asked for an address and then for one that no file has, it prints
 *
 *     0x0000000000401b97                  the address (-a)
 *     alloc_shared                        innermost function (-f)
 *     pool.h:33 (discriminator 2)         without its folder (-s)
 *     main                                the function that it is inlined into (-i)
 *     main.c:12
 *     0xffffffffffffffff                  in a 32-bit file 0xffffffff
 *     ??
 *     ??:0
 *
 * so that we see where the first answer ends. */
#include "common/sym/addr2line.h"

#include <inttypes.h>
#include <stdio.h>

bool
addr2line_start(struct addr2line *a, const char *path)
{
    const char *argv[] = {"addr2line", "-a", "-i", "-f", "-s", "-C", "-e", path, NULL};
    return subprocess_start(&a->process, argv);
}

/* Reads up to the second address. False if the output ended before it. */
static bool
read_calls(struct lines *lines, struct text *calls)
{
    struct span line;
    bool is_name = true;
    unsigned addresses = 0;
    size_t whole = 0; /* so much of the text is complete calls */
    while (addresses < 2 && lines_next(lines, &line)) {
        if (is_name && span_starts(line, SPAN("0x"))) {
            addresses++;
            continue;
        }
        size_t end = span_search(line, SPAN(" (discriminator "));
        text_add(calls, end != SPAN_NONE ? span_head(line, end) : line);
        text_add(calls, SPAN("\n"));
        is_name = !is_name;
        whole = is_name ? calls->len : whole;
    }
    calls->len = whole;
    return addresses == 2;
}

bool
addr2line_ask(struct addr2line *a, uint64_t address, struct text *calls)
{
    char question[40];
    struct span ignored;
    struct lines *lines = &a->process.lines;
    int len = snprintf(question, sizeof question, "%" PRIx64 "\nffffffffffffffff\n", address);
    calls->len = 0;
    return subprocess_write(&a->process, span_of(question, (size_t)len)) &&
           read_calls(lines, calls) && lines_next(lines, &ignored) && lines_next(lines, &ignored);
}

bool
addr2line_end(struct addr2line *a)
{
    return subprocess_end(&a->process);
}

void
addr2line_free(struct addr2line *a)
{
    subprocess_free(&a->process);
}
