#define _GNU_SOURCE /* memfd_create */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/nosubprocess.h"

#include <sys/mman.h>
#include <unistd.h>

#include "common/event/recording.h"

/* Everything that a decoded sample points to lies inside the record. */
static void
check_sample(const struct record *r)
{
    const struct record_sample *s = &r->sample;
    const struct words words[] = {s->callchain, s->regs_user.values};
    uint64_t sum = 0;
    MUST(r->event != NULL);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        MUST(fuzz_inside(span_of(words[i].ptr, words[i].count * 8), r->bytes));
    MUST(fuzz_inside(s->raw, r->bytes) && fuzz_inside(s->stack, r->bytes));
    for (size_t i = 0; i < s->read.count; i++)
        sum += record_counter(r, i).value;
    for (unsigned i = 0; i < 70; i++)
        record_register(r->event->regs_user, &s->regs_user, i, &sum);
}

static void
check(const struct record *r)
{
    if (r->type == PERF_RECORD_SAMPLE)
        check_sample(r);
    if (r->type == PERF_RECORD_MMAP2)
        MUST(fuzz_inside(r->mmap.file, r->bytes) && fuzz_inside(r->mmap.build_id, r->bytes));
    if (r->type == PERF_RECORD_COMM)
        MUST(fuzz_inside(r->comm.comm, r->bytes));
}

/* Every input ends, with no record that points beyond itself, and each fault lies in the input. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    MUST(fd >= 0 && write(fd, data, size) == (ssize_t)size && lseek(fd, 0, SEEK_SET) == 0);
    static struct recording g;
    struct lines lines = {0};
    struct record r;
    size_t n = 0;
    lines_start(&lines, fd);
    if (recording_open(&g, &lines)) {
        enum recording_item item;
        while ((item = recording_next(&g, &r)) != RECORDING_END) {
            MUST(++n <= size / 8 && g.at.offset < size);
            if (item == RECORDING_RECORD)
                check(&r);
            else
                MUST(g.at.what != NULL);
        }
        MUST(g.data.fault.what == NULL || g.data.fault.offset <= size);
    } else {
        MUST(g.data.fault.what != NULL);
    }
    recording_free(&g);
    lines_free(&lines);
    close(fd);
    return 0;
}
