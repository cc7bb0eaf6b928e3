/* Which frames of a copied stack may be JavaScript functions. */
#include "cmd/stackrecord/capture/jsframes.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/event/append.h"
#include "tests/unit/test.h"

enum { PID = 7, WORDS = 128 };
/* Where node's program, code that V8 compiled, and another library are mapped, and the stack is. */
enum { NODE = 0x400000, JIT = 0x10000000, LIBRARY = 0x20000000, SP = 0x30000000 };

static struct procmaps maps;
static struct jsstack stack;
static uint64_t words[WORDS];
static char found[4000];

static uint32_t
map(uint64_t start, struct span name)
{
    return procmaps_map(
        &maps, PID,
        &(struct procmap){.start = start, .len = 0x100000, .name = name, .executable = true});
}

static void
begin(void)
{
    maps = (struct procmaps){0};
    memset(words, 0, sizeof words);
    stack = (struct jsstack){.maps = &maps, .time = 5, .tid = 9, .ip = JIT + 1, .sp = SP};
    map(NODE, SPAN("/usr/bin/node"));
    map(JIT, SPAN("//anon"));
    map(LIBRARY, SPAN("/usr/lib/libc.so.6"));
    stack.space = procmaps_space(&maps, PID);
    stack.dso = procmaps_find(stack.space, NODE)->dso;
    stack.stack = span_of((const char *)words, sizeof words);
}

static uint64_t
at(size_t word)
{
    return SP + word * sizeof(uint64_t);
}

/* Make a frame at this word of the stack, which links to another one. */
static void
frame(size_t word, size_t caller, uint64_t ra)
{
    words[word] = at(caller);
    words[word + 1] = ra;
}

static void
add(void *ctx, const struct v8frame *f)
{
    size_t len = strlen(found);
    (void)ctx;
    CHECK(f->time == 5 && f->tid == 9);
    snprintf(found + len, sizeof found - len, "%s%" PRIx64 "%s%s%s", len > 0 ? " " : "", f->pc,
             f->leaf ? " leaf" : "", f->guessed ? " guess" : "", f->in_file ? " node" : "");
    len = strlen(found);
    if (f->has_words)
        snprintf(found + len, sizeof found - len, " %" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64,
                 f->context, f->function, f->bytecode, f->offset);
    else if (f->has_context)
        snprintf(found + len, sizeof found - len, " %" PRIu64, f->context);
}

static struct span
frames(void)
{
    found[0] = '\0';
    jsframes_each(&stack, add, NULL);
    procmaps_free(&maps);
    return span_cstr(found);
}

/* The words of the frame whose frame pointer is there: context, function, bytecode, offset. */
static void
put_words(size_t fp, uint64_t first)
{
    words[fp - 1] = first;
    words[fp - 2] = first + 1;
    words[fp - 4] = first + 2;
    words[fp - 5] = first + 3;
}

TEST("frames are found along the frame pointers, each with the four words of V8 below it")
{
    begin();
    stack.fp = at(80);
    frame(80, 100, JIT + 0x20);
    frame(100, 120, NODE + 0x30);
    put_words(80, 1);
    put_words(100, 11);
    put_words(120, 21);
    CHECK_TEXT(frames(), "10000001 leaf 1,2,3,4 10000020 11,12,13,14 400030 node 21,22,23,24");
}

TEST("code of other libraries is no JavaScript, and what is not mapped is none either")
{
    begin();
    stack.ip = LIBRARY + 1;
    stack.fp = at(80);
    frame(80, 100, LIBRARY + 0x20);
    frame(100, 120, 0x666);
    CHECK_TEXT(frames(), "");
}

TEST("a leaf in a library that uses rbp for something else hides no frames")
{
    begin();
    stack.ip = LIBRARY + 1;
    stack.fp = 12345;
    frame(80, 100, JIT + 0x20);
    frame(100, 120, JIT + 0x30);
    put_words(100, 11);
    put_words(120, 21);
    CHECK_TEXT(frames(), "10000020 11,12,13,14 10000030 21,22,23,24");
}

TEST("a frame that the chain skips is a guess")
{
    begin();
    stack.fp = at(100);
    frame(80, 90, JIT + 0x20);
    frame(100, 120, JIT + 0x30);
    CHECK_TEXT(frames(), "10000001 leaf 0,0,0,0 10000020 guess 0,0,0,0 10000030 0,0,0,0");
}

TEST("near the stack pointer each return address may be the caller of a leaf without a frame")
{
    begin();
    stack.fp = at(100);
    words[3] = JIT + 0x20;
    words[64] = JIT + 0x28; /* 512 bytes above: too far */
    frame(100, 120, JIT + 0x30);
    put_words(100, 1);
    CHECK_TEXT(frames(), "10000001 leaf 1,2,3,4 10000020 guess 1,2,3,4 10000030 0,0,0,0");
}

TEST("frames beyond the copy come from the kernel's callchain, without words")
{
    static const uint64_t chain[] = {PERF_CONTEXT_KERNEL, JIT + 0x90, PERF_CONTEXT_USER, JIT + 1,
                                     JIT + 0x20,          JIT + 0x50, NODE + 0x60};
    begin();
    stack.fp = at(80);
    frame(80, 100, JIT + 0x20);
    put_words(100, 11);
    stack.chain = (struct words){(const char *)chain, sizeof chain / sizeof *chain};
    CHECK_TEXT(frames(), "10000001 leaf 0,0,0,0 10000020 11,12,13,14 10000050 400060 node");
}

TEST("without a copy of the stack all frames come from the callchain, the first of which is the "
     "leaf")
{
    static const uint64_t chain[] = {PERF_CONTEXT_USER, JIT + 1, JIT + 0x20};
    begin();
    stack.stack = SPAN("");
    stack.chain = (struct words){(const char *)chain, sizeof chain / sizeof *chain};
    CHECK_TEXT(frames(), "10000001 leaf 10000020");
}

TEST("words outside the copy are not read")
{
    begin();
    stack.fp = at(2); /* the function's word and those after it would lie below the stack pointer */
    frame(2, 127, JIT + 0x20);
    words[1] = 8;
    words[127] = at(200);
    CHECK_TEXT(frames(), "10000001 leaf 8 10000020 0,0,0,0");
    begin();
    stack.fp = at(0);
    frame(0, 127, JIT + 0x20);
    words[127] = at(200);
    CHECK_TEXT(frames(), "10000001 leaf 10000020 0,0,0,0");
}

TEST("frame pointers that point at themselves, down, or nowhere end the chain")
{
    begin();
    stack.fp = at(80);
    frame(80, 80, JIT + 0x20);
    frame(100, 90, JIT + 0x30);
    words[110] = at(111) + 1;
    words[111] = JIT + 0x40;
    CHECK_TEXT(frames(), "10000001 leaf 0,0,0,0 10000020 0,0,0,0");
}

TEST("a stack at the end of memory, and one that is empty, are read within their bounds")
{
    begin();
    stack.sp = UINT64_MAX - 64;
    stack.fp = UINT64_MAX - 8;
    words[1] = JIT + 0x20;
    CHECK(span_starts(frames(), SPAN("10000001 leaf")));
    begin();
    stack.stack = SPAN("");
    CHECK_TEXT(frames(), "");
}
