#include "tests/fuzz/fuzz.h"

#include "common/event/ownrecord.h"

/* The input is a perf_event_attr of 128 bytes and a record. What is decoded lies inside it. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { ATTR = 128 };
    struct span input = fuzz_span(data, size);
    struct event e;
    if (size < ATTR || attr_decode(span_head(input, ATTR), &e) != NULL)
        return 0;
    struct eventset set = {0};
    struct arena names = {0};
    struct record r;
    struct span bytes = span_from(input, ATTR);
    eventset_add(&set, &e, &names);
    record_time(&set, bytes);
    if (record_decode(&set, bytes, &r) == NULL && r.type == PERF_RECORD_SAMPLE) {
        uint64_t value = 0;
        MUST(r.event == &set.events[0]);
        MUST(fuzz_inside(r.sample.raw, bytes) && fuzz_inside(r.sample.stack, bytes));
        MUST(r.sample.callchain.count * 8 <= bytes.len);
        for (size_t i = 0; i < r.sample.callchain.count; i++)
            value += words_at(r.sample.callchain, i);
        struct words calls = record_calls(&r);
        MUST(calls.count % RECORD_BRANCH == 0 && calls.count * 8 <= bytes.len);
        for (size_t i = 0; i < calls.count; i++)
            value += words_at(calls, i);
        for (size_t i = 0; i < r.sample.read.count; i++)
            value += record_counter(&r, i).id;
        for (unsigned i = 0; i < 70; i++)
            record_register(e.regs_user, &r.sample.regs_user, i, &value);
    }
    struct ownrecord own;
    if (record_decode(&set, bytes, &r) == NULL && ownrecord_read(&r, &own)) {
        MUST(fuzz_inside(own.lines.lines, bytes) && fuzz_inside(own.stack, bytes));
        MUST(own.chain.count * 8 <= bytes.len && fuzz_inside(own.code.label, bytes));
        MUST(own.code.size <= UINT64_MAX - own.code.start);
    }
    eventset_free(&set);
    arena_free(&names);
    return 0;
}
