/* The stage that gives samples whole callchains, with a walk that is made up here. */
#include "tests/unit/bytes.h"
#include "tests/unit/test.h"

#include "common/stage/unwinding.h"

static const uint64_t sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
                                    PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW |
                                    PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;

/* What the walk gives, and whether there is one. */
static const uint64_t addrs[] = {0x401000, 0x402000, 0x403000};
static const bool exact[] = {true, false, false};
static struct walk_result walked;
static bool walks;

static bool
walk_stack(void *ctx, const struct record *r, struct walk_result *result)
{
    (void)ctx;
    (void)r;
    *result = walked;
    return walks;
}

static size_t
needs(void *ctx, const struct record *r)
{
    (void)ctx;
    return r->sample.stack.len < 13 ? r->sample.stack.len : 13;
}

/* The copy of the stack in each sample. */
static struct span copied = SPAN("a stack of twenty-four b");

static struct session session;
static struct unwinding unwinding;
static struct text bytes;
static struct record record;

static void
begin(enum walk_end how)
{
    struct event e = {.sample_type = sample_type, .regs_user = 3, .stack_user = 64};
    event_set(&e, FLAG_SAMPLE_ID_ALL);
    session = (struct session){0};
    eventset_add_id(&session.events, 77, eventset_add(&session.events, &e, &session.names));
    walked = (struct walk_result){.addrs = addrs, .exact = exact, .count = 3, .end = how};
    walks = true;
    unwinding_init(&unwinding, &session.events, (struct stackwalker){walk_stack, needs, NULL});
}

/* A sample in the kernel with two callers in user mode, two registers and 24 bytes of stack. */
static const struct record *
sample(uint64_t abi)
{
    struct text f = {0};
    put_u64(&f, 77);
    put_u64(&f, 0xffffffff81000000);
    put_u32(&f, 4);
    put_u32(&f, 5);
    put_u64(&f, 123456789);
    put_u64(&f, 5);
    put_u64(&f, PERF_CONTEXT_KERNEL);
    put_u64(&f, 0xffffffff81000000);
    put_u64(&f, PERF_CONTEXT_USER);
    put_u64(&f, 0x401000);
    put_u64(&f, 0x409999);
    put_u32(&f, 12);
    text_add(&f, SPAN("the payload "));
    put_u64(&f, abi);
    for (int i = 0; abi != 0 && i < 2; i++)
        put_u64(&f, 0x7ffc0000);
    put_u64(&f, copied.len);
    text_add(&f, copied);
    put_u64(&f, copied.len);
    bytes.len = 0;
    put_u32(&bytes, PERF_RECORD_SAMPLE);
    put_u16(&bytes, PERF_RECORD_MISC_KERNEL);
    put_u16(&bytes, (uint16_t)(RECORD_HEADER + f.len));
    text_add(&bytes, text_span(&f));
    free(f.ptr);
    CHECK(record_decode(&session.events, text_span(&bytes), &record) == NULL);
    return &record;
}

/* The callchain, "K" and "U" for its markers. */
static struct span
chain_of(struct words chain)
{
    static struct text t;
    char number[32];
    t.len = 0;
    for (size_t i = 0; i < chain.count; i++) {
        uint64_t addr = words_at(chain, i);
        snprintf(number, sizeof number, "%s%llx", i > 0 ? " " : "", (unsigned long long)addr);
        if (addr >= PERF_CONTEXT_MAX)
            snprintf(number, sizeof number, "%s%s", i > 0 ? " " : "",
                     addr == PERF_CONTEXT_USER ? "U" : "K");
        text_add(&t, span_cstr(number));
    }
    return text_span(&t);
}

TEST("a sample gets the kernel's part of its callchain and what was unwound, as addresses of calls")
{
    begin(WALK_ROOT);
    const struct record *r = unwinding_complete(&unwinding, sample(2));
    CHECK_TEXT(chain_of(r->sample.callchain), "K ffffffff81000000 U 401000 401fff 402fff");
    CHECK(r->misc == (PERF_RECORD_MISC_KERNEL | RECORD_MISC_UNWOUND));
    CHECK(r->sample.stack.len == 0 && r->sample.regs_user.abi == 0 && r->sample.unwound == 0);
}

TEST("how the walk ended is in the record, unless the chain was cut on purpose")
{
    begin(WALK_CUT);
    CHECK((unwinding_complete(&unwinding, sample(2))->misc & RECORD_MISC_CUT) != 0);
    unwinding.max_depth = 3;
    const struct record *r = unwinding_complete(&unwinding, sample(2));
    CHECK_TEXT(chain_of(r->sample.callchain), "K ffffffff81000000 U 401000 401fff");
    CHECK((r->misc & RECORD_MISC_CUT) == 0);
    begin(WALK_LOST);
    CHECK((unwinding_complete(&unwinding, sample(2))->misc & RECORD_MISC_LOST) != 0);
}

TEST("where no walk can be made the callchain stays, and with registers the stack is marked")
{
    begin(WALK_ROOT);
    walks = false;
    const struct record *r = unwinding_complete(&unwinding, sample(1));
    CHECK_TEXT(chain_of(r->sample.callchain), "K ffffffff81000000 U 401000 409999");
    CHECK(r->misc == (PERF_RECORD_MISC_KERNEL | RECORD_MISC_LOST));
    CHECK(unwinding_complete(&unwinding, sample(0))->misc == PERF_RECORD_MISC_KERNEL);
}

TEST("as perf prints them, what was unwound follows the whole callchain")
{
    begin(WALK_ROOT);
    unwinding.keeps_callchains = true;
    const struct record *r = unwinding_complete(&unwinding, sample(2));
    CHECK_TEXT(chain_of(r->sample.callchain),
               "K ffffffff81000000 U 401000 409999 401000 401fff 402fff");
    CHECK(r->sample.unwound == 3);
}

TEST("the bytes of a completed sample give it again, with its payload, as one of events without "
     "stacks")
{
    struct session written = {0};
    struct record again;
    begin(WALK_CUT);
    unwinding_describe(&session.events, &written);
    unwinding.makes_bytes = true;
    const struct record *r = unwinding_complete(&unwinding, sample(2));
    CHECK(record_decode(&written.events, r->bytes, &again) == NULL);
    CHECK(again.pid == 4 && again.tid == 5 && again.time == 123456789 && again.id == 77);
    CHECK(again.misc == (PERF_RECORD_MISC_KERNEL | RECORD_MISC_UNWOUND | RECORD_MISC_CUT));
    CHECK_TEXT(chain_of(again.sample.callchain), "K ffffffff81000000 U 401000 401fff 402fff");
    CHECK_TEXT(again.sample.raw, "the payload ");
}

TEST("the stack of a thread that waited all the time is unwound once, and other records pass")
{
    const uint64_t chain[] = {PERF_CONTEXT_USER, 0x401000};
    const struct ownrecord stack = {.what = OWN_STACK,
                                    .pid = 4,
                                    .tid = 5,
                                    .ip = 0x401000,
                                    .sp = 0x7ffc0000,
                                    .chain = {(const char *)chain, 2},
                                    .stack = SPAN("a stack")};
    struct ownrecord own;
    struct record r;
    begin(WALK_LOST);
    ownrecord_write(&stack, &session.events, 9, 0, &bytes);
    CHECK(record_decode(&session.events, text_span(&bytes), &r) == NULL);
    const struct record *passed = unwinding_complete(&unwinding, &r);
    CHECK(ownrecord_read(passed, &own) && own.tid == 5 && own.sp == 0 && own.stack.len == 0);
    CHECK_TEXT(chain_of(own.chain), "U 401000 401fff 402fff");
    CHECK((passed->misc & (RECORD_MISC_UNWOUND | RECORD_MISC_LOST)) ==
          (RECORD_MISC_UNWOUND | RECORD_MISC_LOST));
    const struct record again = *passed;
    CHECK(unwinding_complete(&unwinding, &again) == &again);
    r = (struct record){.type = PERF_RECORD_FORK};
    CHECK(unwinding_complete(&unwinding, &r) == &r);
}

TEST("a sample that waits is kept without the end of the stack that its walk will not read")
{
    struct record kept;
    begin(WALK_ROOT);
    sample(2);
    struct span shortened = unwinding_shorten(&unwinding, text_span(&bytes));
    CHECK(record_decode(&session.events, shortened, &kept) == NULL);
    CHECK_TEXT(kept.sample.stack, "a stack of twent");
    CHECK(kept.sample.regs_user.abi == 2 && kept.sample.callchain.count == 5);
    CHECK(unwinding_shorten(&unwinding, shortened).ptr == shortened.ptr);
}

/* Functions that V8 interprets */

enum { SP = 0x7ffc0000 };

/* Two frames with the return address 0x402000, each with its bytecode below its frame pointer; the
 * array at 0x9000 and the 16th byte of it, and that at 0xa000 and its 32nd. */
static uint64_t frames[16];
static uint64_t fps[] = {SP + 48, SP + 48, SP + 96};
static const uint64_t same[] = {0x402000, 0x402000, 0x402000};

static void
begin_interpreted(void)
{
    begin(WALK_ROOT);
    frames[1] = (uint64_t)15 << 32;
    frames[2] = 0x9001;
    frames[7] = (uint64_t)31 << 32;
    frames[8] = 0xa001;
    fps[2] = SP + 96;
    copied = span_of((const char *)frames, sizeof frames);
    walked.addrs = same;
    walked.fps = fps;
    walked.sp = SP;
}

static void
see(struct ownrecord own)
{
    struct text t = {0};
    struct record r;
    ownrecord_write(&own, &session.events, 9, 0, &t);
    CHECK(record_decode(&session.events, text_span(&t), &r) == NULL);
    CHECK(unwinding_complete(&unwinding, &r) == &r);
    free(t.ptr);
}

static void
see_trampoline(uint32_t pid, uint64_t addr)
{
    see((struct ownrecord){.what = OWN_TRAMPOLINE, .pid = pid, .trampoline = addr});
}

static void
see_task(uint32_t type, uint16_t misc, uint32_t pid, uint32_t ppid)
{
    struct record r = {.type = type, .misc = misc, .task = {pid, ppid, pid, ppid}};
    if (type == PERF_RECORD_COMM)
        r.comm = (struct record_comm){pid, pid, SPAN("node")};
    unwinding_see(&unwinding, &r);
}

/* The user's part of the callchain of a sample of process 4. */
static struct span
user_chain(void)
{
    return span_from(chain_of(unwinding_complete(&unwinding, sample(2))->sample.callchain),
                     strlen("K ffffffff81000000 U "));
}

static const char plain[] = "402000 401fff 401fff", named[] = "402000 9010 a020";

TEST("a caller that V8 interprets has the address of its bytecode, and the leaf its own")
{
    begin_interpreted();
    CHECK_TEXT(user_chain(), plain);
    see_trampoline(5, 0x402000);
    see_trampoline(4, 0x402001);
    CHECK_TEXT(user_chain(), plain);
    see_trampoline(4, 0x402000);
    CHECK_TEXT(user_chain(), named);
    frames[2] = 0xb001; /* no walk looks at that word */
    CHECK_TEXT(user_chain(), "402000 b010 a020");
    unwinding_restart(&unwinding);
    CHECK_TEXT(user_chain(), plain);
    unwinding_free(&unwinding);
}

TEST("what is no pointer to bytecode and no offset in it, or was not copied, is none")
{
    begin_interpreted();
    see_trampoline(4, 0x402000);
    fps[2] = SP + sizeof frames + 32;
    CHECK_TEXT(user_chain(), "402000 9010 401fff");
    fps[2] = SP + 39;
    CHECK_TEXT(user_chain(), "402000 9010 401fff");
    fps[2] = 0;
    CHECK_TEXT(user_chain(), "402000 9010 401fff");
    fps[2] = SP + 96;
    static const uint64_t wrong[][2] = {{0xa000, (uint64_t)31 << 32},
                                        {0xa003, (uint64_t)31 << 32},
                                        {0xa001, 31},
                                        {0xa001, 0},
                                        {0xa001, UINT64_MAX << 32},
                                        {UINT64_MAX - 4094, (uint64_t)31 << 32}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        frames[8] = wrong[i][0];
        frames[7] = wrong[i][1];
        CHECK_TEXT(user_chain(), "402000 9010 401fff");
    }
    unwinding_free(&unwinding);
}

TEST("the bytes of a sample, the stack of a thread that waited all the time, but nothing that is "
     "printed as perf does have the address of bytecode")
{
    struct session written = {0};
    struct record r;
    struct ownrecord own = {.what = OWN_STACK, .pid = 4, .tid = 5, .ip = 0x402000, .sp = SP};
    begin_interpreted();
    see_trampoline(4, 0x402000);
    unwinding_describe(&session.events, &written);
    unwinding.makes_bytes = true;
    const struct record *passed = unwinding_complete(&unwinding, sample(2));
    CHECK(record_decode(&written.events, passed->bytes, &r) == NULL);
    CHECK_TEXT(chain_of(r.sample.callchain), "K ffffffff81000000 U 402000 9010 a020");
    own.stack = copied;
    ownrecord_write(&own, &session.events, 9, 0, &bytes);
    CHECK(record_decode(&session.events, text_span(&bytes), &r) == NULL);
    CHECK(ownrecord_read(unwinding_complete(&unwinding, &r), &own));
    CHECK_TEXT(chain_of(own.chain), "U 402000 9010 a020");
    unwinding.makes_bytes = false;
    unwinding.keeps_callchains = true;
    CHECK_TEXT(user_chain(), "401000 409999 402000 401fff 401fff");
    unwinding_free(&unwinding);
}

TEST("another program, another process of that number, and the end forget the return address; a "
     "forked process has its parent's")
{
    begin_interpreted();
    see_trampoline(4, 0x402000);
    see_task(PERF_RECORD_COMM, 0, 4, 4);
    see_task(PERF_RECORD_FORK, PERF_RECORD_MISC_FORK_EXEC, 4, 1);
    see_task(PERF_RECORD_FORK, 0, 4, 4);
    CHECK_TEXT(user_chain(), named);
    see_task(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, 4, 4);
    CHECK_TEXT(user_chain(), plain);
    see_trampoline(4, 0x402000);
    see_task(PERF_RECORD_FORK, 0, 4, 1);
    CHECK_TEXT(user_chain(), plain);
    see_trampoline(1, 0x402000);
    see_task(PERF_RECORD_FORK, 0, 4, 1);
    CHECK_TEXT(user_chain(), named);
    see_task(PERF_RECORD_EXIT, 0, 4, 1);
    CHECK_TEXT(user_chain(), plain);
    unwinding_free(&unwinding);
}

TEST("of many return addresses of a process the last four are known, and of many processes all "
     "that run")
{
    begin_interpreted();
    for (uint64_t i = 0; i < 4; i++)
        see_trampoline(4, 0x402000 + i);
    see_trampoline(4, 0x402001);
    CHECK_TEXT(user_chain(), named);
    see_trampoline(4, 0x402004);
    CHECK_TEXT(user_chain(), plain);
    see_trampoline(4, 0x402000);
    for (uint32_t pid = 5; pid < 10000; pid++) {
        see_trampoline(pid, 0x402000);
        see_task(PERF_RECORD_EXIT, 0, pid, pid);
    }
    CHECK_TEXT(user_chain(), named);
    CHECK(threadtable_count(&unwinding.trampolines.processes) < 5000);
    unwinding_free(&unwinding);
}
