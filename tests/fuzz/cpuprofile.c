#include "tests/fuzz/fuzz.h"

#include <fcntl.h>

#include "cmd/nodeprofile/heapprofile.h"
#include "common/base/json.h"

/* Whatever the text holds, the profiles of several threads are printed, of the CPU and of the heap. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct out o;
    struct span text = fuzz_span(data, size);
    struct text decoded = {0};
    json_decode(&decoded, text);
    MUST(decoded.len <= size);
    struct cpuprofile threads[] = {{SPAN("main"), text}, {SPAN("worker 1"), text_span(&decoded)}};
    out_open(&o, open("/dev/null", O_WRONLY | O_CLOEXEC), "/dev/null");
    cpuprofile_print(&o, threads, 2);
    heapprofile_print(&o, threads, 2);
    out_close(&o);
    free(decoded.ptr);
    return 0;
}
