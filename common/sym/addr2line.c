/* Asked for an address and then for one that no file has, it prints
 *
 *     0x0000000000401b97                  the address (-a)
 *     alloc_shared                        innermost function (-f)
 *     pool.h:33 (discriminator 2)         without its folder (-s)
 *     main                                the function that it is inlined into (-i)
 *     main.c:12
 *     0xfffffff0f94d02a6                  in a 32-bit file 0xf94d02a6
 *     ??
 *     ??:0
 *
 * so that we see where the first answer ends. A name may hold anything, newlines and a line like
 * that of an address, too. So the second address is a random number, which no file can have
 * foreseen: whatever is before it belongs to the first answer. */
#define _DEFAULT_SOURCE /* getentropy */
#include "common/sym/addr2line.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "common/base/num.h"

enum { TEXT_MOST = 1 << 20 }; /* bytes of an answer */

/* An address in the upper half, where no program has code. */
static uint64_t
choose_end(void)
{
    uint32_t random = 0;
    if (getentropy(&random, sizeof random) != 0)
        random = (uint32_t)getpid();
    return 0xfffffff0f0000000 | random;
}

bool
addr2line_start(struct addr2line *a, const char *path)
{
    const char *argv[] = {"addr2line", "-a", "-i", "-f", "-s", "-C", "-e", path, NULL};
    a->end = choose_end();
    a->failed = false;
    return subprocess_start(&a->process, argv, ADDR2LINE_SECONDS);
}

/* Whether it is the line of the address. A 32-bit file has its lower half. */
static bool
is_address(struct span line, uint64_t address)
{
    uint64_t value;
    return span_starts(line, SPAN("0x")) && num_hex(line, &value) &&
           (value == address || value == (uint32_t)address);
}

static bool
skip_address(struct lines *lines, uint64_t address)
{
    struct span line;
    return lines_next(lines, &line) && is_address(line, address);
}

static bool
skip_call(struct lines *lines)
{
    struct span line;
    for (int i = 0; i < 2; i++)
        if (!lines_next(lines, &line))
            return false;
    return true;
}

/* Reads up to the second address. False if the text is not of whole calls, as with a newline in a
 * name, or if it is too long. */
static bool
read_calls(struct lines *lines, uint64_t end, struct text *calls)
{
    struct span line;
    size_t n = 0;
    while (lines_next(lines, &line)) {
        if (is_address(line, end))
            return n > 0 && n % 2 == 0;
        size_t cut = span_search(line, SPAN(" (discriminator "));
        text_add(calls, cut != SPAN_NONE ? span_head(line, cut) : line);
        text_add(calls, SPAN("\n"));
        if (calls->len > TEXT_MOST)
            return false;
        n++;
    }
    return false;
}

bool
addr2line_ask(struct addr2line *a, uint64_t address, struct text *calls)
{
    char question[48];
    struct lines *lines = &a->process.lines;
    int len = snprintf(question, sizeof question, "%" PRIx64 "\n%" PRIx64 "\n", address, a->end);
    calls->len = 0;
    subprocess_limit(&a->process, ADDR2LINE_SECONDS);
    if (subprocess_write(&a->process, span_of(question, (size_t)len)) &&
        skip_address(lines, address) && read_calls(lines, a->end, calls) && skip_call(lines))
        return true;
    calls->len = 0;
    a->failed = true;
    return false;
}

bool
addr2line_end(struct addr2line *a)
{
    if (!a->failed)
        return subprocess_end(&a->process);
    subprocess_kill(&a->process);
    return false;
}

void
addr2line_free(struct addr2line *a)
{
    subprocess_free(&a->process);
}
