#include "tests/fuzz/fuzz.h"

#include <fcntl.h>

#include "cmd/nodeprofile/cpuprofile.h"
#include "cmd/nodeprofile/jsonspan.h"

/* All that is found lies in the text, and is nowhere found twice. */
static void
walk(struct span text)
{
    struct span rest = text, key, value, before;
    for (before = rest; jsonspan_member(&rest, &key, &value); before = rest)
        MUST(fuzz_inside(key, before) && fuzz_inside(value, before) && rest.len < before.len);
    for (rest = before = text; jsonspan_element(&rest, &value); before = rest)
        MUST(fuzz_inside(value, before) && rest.len < before.len);
}

/* Whatever the text holds, each search in it ends, no string grows, and profiles of several threads are
 * printed. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct out o;
    struct span text = fuzz_span(data, size);
    struct text decoded = {0};
    walk(text);
    jsonspan_decode(&decoded, text);
    MUST(decoded.len <= size);
    struct cpuprofile threads[] = {{SPAN("main"), text}, {SPAN("worker 1"), text_span(&decoded)}};
    out_open(&o, open("/dev/null", O_WRONLY | O_CLOEXEC), "/dev/null");
    cpuprofile_print(&o, threads, 2);
    out_close(&o);
    free(decoded.ptr);
    return 0;
}
