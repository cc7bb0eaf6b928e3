#define _GNU_SOURCE /* memfd_create */
#include "tests/fuzz/fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "common/stack/perftext.h"

/* Every line is a header's, a frame's, a blank one or an item of its own, so lines in cover items
 * out. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    MUST(fd >= 0 && write(fd, data, size) == (ssize_t)size && lseek(fd, 0, SEEK_SET) == 0);
    struct lines lines = {0};
    struct perftext t;
    lines_start(&lines, fd);
    perftext_init(&t, &perf_rules, &lines);
    size_t items = 0, last = 0;
    for (enum perf_item item; (item = perftext_next(&t)) != PERF_END; items++) {
        if (item != PERF_SAMPLE)
            continue;
        MUST(t.sample.number > last && t.sample.number <= lines.number);
        last = t.sample.number;
        for (size_t i = 0; i < t.sample.nframes; i++) {
            struct frame f;
            perf_frame_parse(perftext_frame(&t, t.sample.frames[i]), &f);
        }
    }
    MUST(items <= lines.number);
    perftext_free(&t);
    lines_free(&lines);
    close(fd);
    return 0;
}
