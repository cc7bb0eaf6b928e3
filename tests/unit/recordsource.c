/* From decoded records to samples: which are given, and how their stacks end. */
#include "tests/unit/test.h"

#include "common/symbolize/recordsource.h"

static const uint64_t addrs[] = {0x401000, 0x402001};
static const bool exact[] = {true, false};
static struct walk_result walked = {.addrs = addrs, .exact = exact, .count = 2};
static size_t walks;

static bool
walk_stack(void *ctx, const struct record *r, struct walk_result *result)
{
    (void)ctx;
    (void)r;
    walks++;
    *result = walked;
    return true;
}

static bool
accept(void *ctx, const struct perf_header *h)
{
    (void)ctx;
    return h->tid == 5;
}

static struct diag diag;
static struct frametab frames;
static struct perfdata facts;
static struct arena names;
static struct recordsource source;
static struct unwinding unwinding;
static struct recordsource_options options;

/* Begins a recording with copies of stacks. */
static void
begin(void)
{
    const struct event e = {.name = SPAN("cpu-clock"),
                            .type = PERF_TYPE_SOFTWARE,
                            .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_CALLCHAIN |
                                           PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER};
    facts = (struct perfdata){0};
    eventset_add(&facts.events, &e, &names);
    options = (struct recordsource_options){.symbols.files.symfs = ""};
    frametab_init(&frames, NULL);
    recordsource_init(&source, &options, &diag, &frames);
    recordsource_begin(&source, "test", &facts);
    unwinding_init(&unwinding, &facts.events, (struct stackwalker){walk_stack, NULL, NULL});
    source.unwinding = &unwinding;
    walks = 0;
}

static struct record
sample(uint32_t tid, uint16_t misc)
{
    static const uint64_t chain[] = {PERF_CONTEXT_USER, 0x401000};
    return (struct record){.type = PERF_RECORD_SAMPLE,
                           .misc = PERF_RECORD_MISC_USER | misc,
                           .event = &facts.events.events[0],
                           .has = facts.events.events[0].sample_type,
                           .pid = 4,
                           .tid = tid,
                           .sample = {.callchain = {(const char *)chain, 2}}};
}

/* The addresses of the sample's frames, or the names of marks. */
static struct span
stack(void)
{
    static struct text t;
    char digits[FRAME_ADDR];
    const struct sample *s = &source.source.sample;
    t.len = 0;
    for (size_t i = 0; i < s->nframes; i++) {
        const struct frame *f = frametab_frame(&frames, s->frames[i]);
        TEXT_ADD(&t, i > 0 ? SPAN(" ") : SPAN(""), f->ip == 0 ? f->sym : frame_addr(f, digits));
    }
    return text_span(&t);
}

TEST("stacks are unwound only of samples that are wanted, and their ends are counted and marked")
{
    begin();
    source.source.accept = accept;
    struct record r = sample(6, 0);
    CHECK(recordsource_take(&source, &r) == ITEM_END && walks == 0);
    r = sample(5, 0);
    CHECK(recordsource_take(&source, &r) == ITEM_SAMPLE && walks == 1);
    CHECK_TEXT(stack(), "401000 402000");
    walked.end = WALK_LOST;
    CHECK(recordsource_take(&source, &r) == ITEM_SAMPLE);
    CHECK_TEXT(stack(), "401000 402000 [lost]");
    walked.end = WALK_ROOT;
    CHECK(source.unwound[WALK_ROOT] == 1 && source.unwound[WALK_LOST] == 1);
    CHECK(source.samples == 3);
    recordsource_free(&source);
    unwinding_free(&unwinding);
}

TEST("what the recorder has unwound is counted so, and an old recording's marks are printed")
{
    begin();
    source.unwinding = NULL;
    struct record r = sample(5, RECORD_MISC_UNWOUND | RECORD_MISC_CUT);
    CHECK(recordsource_take(&source, &r) == ITEM_SAMPLE && source.unwound[WALK_CUT] == 1);
    CHECK_TEXT(stack(), "401000 [cut]");
    r = sample(5, RECORD_MISC_LOST);
    CHECK(recordsource_take(&source, &r) == ITEM_SAMPLE && source.unwound[WALK_LOST] == 0);
    CHECK_TEXT(stack(), "401000 [lost]");
    r = sample(5, 0);
    r.sample.wait = RECORD_READY;
    CHECK(recordsource_take(&source, &r) == ITEM_SAMPLE);
    CHECK_TEXT(stack(), "[wait: run queue] 401000");
    recordsource_free(&source);
}

TEST("as perf prints it, a callchain is followed by what was unwound, without marks")
{
    begin();
    options.symbols.as_perf = true;
    unwinding.keeps_callchains = true;
    walked.end = WALK_CUT;
    struct record r = sample(5, 0);
    CHECK(recordsource_take(&source, &r) == ITEM_SAMPLE);
    CHECK_TEXT(stack(), "401000 401000 402000");
    walked.end = WALK_ROOT;
    recordsource_free(&source);
    unwinding_free(&unwinding);
}

static void
take_own(struct ownrecord own)
{
    struct eventset set = {0};
    struct text t = {0};
    struct record r;
    eventset_add(&set, &facts.events.events[0], &names);
    ownrecord_write(&own, &set, 9, 0, &t);
    CHECK(record_decode(&set, text_span(&t), &r) == NULL);
    CHECK(recordsource_take(&source, &r) == ITEM_END);
    eventset_free(&set);
    free(t.ptr);
}

TEST("two samples that differ in the word of a frame that points to its bytecode alone have "
     "different "
     "names")
{
    uint64_t words[8] = {0, (uint64_t)15 << 32, 0x9001};
    const uint64_t fps[] = {0, 48};
    begin();
    walked.fps = fps;
    take_own((struct ownrecord){.what = OWN_TRAMPOLINE, .pid = 4, .trampoline = 0x402001});
    take_own((struct ownrecord){
        .what = OWN_CODE, .pid = 4, .code = {0x9000, 64, SPAN("JS:~f /x.js:1:2")}});
    take_own((struct ownrecord){
        .what = OWN_CODE, .pid = 4, .code = {0xa000, 64, SPAN("JS:~g /x.js:1:2")}});
    struct record r = sample(5, 0);
    r.sample.stack = span_of((const char *)words, sizeof words);
    CHECK(recordsource_take(&source, &r) == ITEM_SAMPLE);
    CHECK_TEXT(stack(), "401000 9010");
    CHECK_TEXT(frametab_frame(&frames, source.source.sample.frames[1])->sym, "JS:~f /x.js:1:2");
    words[2] = 0xa001;
    CHECK(recordsource_take(&source, &r) == ITEM_SAMPLE);
    CHECK_TEXT(frametab_frame(&frames, source.source.sample.frames[1])->sym, "JS:~g /x.js:1:2");
    words[2] = 0xb001;
    CHECK(recordsource_take(&source, &r) == ITEM_SAMPLE);
    CHECK_TEXT(stack(), "401000 402000");
    recordsource_free(&source);
    unwinding_free(&unwinding);
}

TEST("records that were lost are counted, and records of our own are none of the source's")
{
    begin();
    struct record r = {.type = PERF_RECORD_LOST, .time = 5, .lost = 17};
    CHECK(recordsource_take(&source, &r) == ITEM_RECORD && source.lost == 17);
    CHECK(source.source.lost == 17);
    r = (struct record){.type = PERF_RECORD_TEXT_POKE, .misc = PERF_RECORD_MISC_USER};
    CHECK(recordsource_take(&source, &r) == ITEM_END);
    recordsource_free(&source);
}
