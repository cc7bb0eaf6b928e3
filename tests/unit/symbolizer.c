/* Names of addresses, where files that no process has mapped any more are forgotten. */
#include "cmd/stackrecord/capture/liveprocs.h"
#include "common/event/ownrecord.h"
#include "common/symbolize/mapnames.h"
#include "common/symbolize/symbolizer.h"

#include <unistd.h>

#include "tests/unit/space.h"
#include "tests/unit/tempfolder.h"

TEST("a file whose number grows, since others are forgotten, is still known")
{
    const struct symbol_options options = {.maps_limit = 1 << 20};
    struct frametab frames = {0};
    struct symbolizer *s = calloc(1, sizeof *s);
    struct diag diag;
    char name[300];
    diag_init(&diag, "test");
    diag.quiet = true;
    symbolizer_init(s, &options, &diag, &frames);
    symbolizer_restart(s, false);
    map_file(&s->maps, 6, 0x1000, 0x100, 0, "/nowhere/stays");
    /* Nodes of maps are renumbered from the newest chunk on, and these fill some. */
    for (int i = 0; i < 2000; i++) {
        snprintf(name, sizeof name, "/nowhere/mapped%d", i);
        map_file(&s->maps, 7, 0x10000 + (uint64_t)i * 0x1000, 0x100, 0, name);
    }
    uint32_t before = procmaps_find(procmaps_space(&s->maps, 6), 0x1000)->dso;
    symbolizer_frame(s, procmaps_space(&s->maps, 6), 0x1010, SYMBOLIZER_AT);
    for (int i = 0; i < 10000; i++) {
        snprintf(name, sizeof name, "/nowhere/%0200d", i);
        map_file(&s->maps, 8, 0x1000, 0x100, 0, name);
    }
    uint32_t dso = procmaps_find(procmaps_space(&s->maps, 6), 0x1000)->dso;
    CHECK(dso > before + 1000 && s->maps.forgotten == 0);
    CHECK(dso < s->code_cap && s->code[dso] != NULL); /* what was loaded for it moved with it */
    uint32_t frame = symbolizer_frame(s, procmaps_space(&s->maps, 6), 0x1020, SYMBOLIZER_AT);
    CHECK_TEXT(frametab_frame(&frames, frame)->dso, "/nowhere/stays");
    symbolizer_free(s);
    frametab_free(&frames);
    free(s);
}

TEST("code of a file without symbols has the name that the perf map of its process has for it")
{
    struct diag diag;
    diag_init(&diag, "test");
    diag.quiet = true;
    struct liveprocs *live = liveprocs_new(&diag, 0);
    const struct symbol_options options = {.names = liveprocs_names(live),
                                           .objects = liveprocs_objects(live)};
    struct frametab frames = {0};
    struct symbolizer *s = calloc(1, sizeof *s);
    tempfolder_make();
    tempfolder_write("map", "10000 100 Builtin:ArraySort\n");
    CHECK(liveprocs_give_map(live, 6, tempfolder_path("map")) == NULL);
    liveprocs_poll(live, 1);
    symbolizer_init(s, &options, &diag, &frames);
    symbolizer_restart(s, true);
    for (int32_t pid = 6; pid <= 7; pid++)
        map_file(&s->maps, pid, 0x10000, 0x1000, 0x3000, "/nowhere/deno");
    symbolizer_advance(s, 2, 2, 6);
    const struct frame *f = frametab_frame(
        &frames, symbolizer_frame(s, procmaps_space(&s->maps, 6), 0x10010, SYMBOLIZER_AT));
    CHECK_TEXT(f->sym, "Builtin:ArraySort");
    CHECK_TEXT(f->offset, "+0x10");
    CHECK(f->has_ip && f->ip == 0x3010);
    CHECK_TEXT(f->dso, "/nowhere/deno");
    f = frametab_frame(&frames,
                       symbolizer_frame(s, procmaps_space(&s->maps, 6), 0x10100, SYMBOLIZER_AT));
    CHECK_TEXT(f->sym, "[unknown]");
    symbolizer_advance(s, 3, 3, 7);
    f = frametab_frame(&frames,
                       symbolizer_frame(s, procmaps_space(&s->maps, 7), 0x10010, SYMBOLIZER_AT));
    CHECK_TEXT(f->sym, "[unknown]");
    symbolizer_free(s);
    frametab_free(&frames);
    free(s);
    liveprocs_free(live);
    tempfolder_remove();
}

/* Names that the recording has */

static struct symbolizer *named;
static struct symbol_options named_options;
static struct frametab named_frames;
static struct diag named_diag;
static struct arena event_names;

static void
begin_named(struct jitnames *names)
{
    diag_init(&named_diag, "test");
    named_diag.quiet = true;
    named_options = (struct symbol_options){.names = names};
    named_frames = (struct frametab){0};
    named = calloc(1, sizeof *named);
    symbolizer_init(named, &named_options, &named_diag, &named_frames);
    symbolizer_restart(named, false);
    map_file(&named->maps, 6, 0x10000, 0x1000, 0, "//anon");
    map_file(&named->maps, 6, 0x20000, 0x1000, 0x20000, "/nowhere/node");
}

static void
end_named(void)
{
    symbolizer_free(named);
    frametab_free(&named_frames);
    free(named);
}

static void
see(struct ownrecord own)
{
    const struct event e = {.sample_type = PERF_SAMPLE_TIME, .flags = 1 << FLAG_SAMPLE_ID_ALL};
    struct eventset set = {0};
    struct text t = {0};
    struct record r;
    eventset_add(&set, &e, &event_names);
    ownrecord_write(&own, &set, 9, 0, &t);
    CHECK(record_decode(&set, text_span(&t), &r) == NULL);
    symbolizer_see(named, &r);
    eventset_free(&set);
    free(t.ptr);
}

static void
name_code(uint64_t start, uint64_t size, const char *label)
{
    see((struct ownrecord){.what = OWN_CODE, .pid = 6, .code = {start, size, span_cstr(label)}});
}

/* "NAME+OFFSET (DSO)" of each call at a return address, innermost first, with blanks between them. */
static struct span
calls_at(int32_t pid, uint64_t addr)
{
    static char text[8000];
    size_t len = 0;
    const uint32_t *frames;
    symbolizer_advance(named, 9, 9, pid);
    size_t n =
        symbolizer_calls(named, procmaps_space(&named->maps, pid), addr, SYMBOLIZER_AFTER, &frames);
    for (size_t i = 0; i < n; i++) {
        const struct frame *f = frametab_frame(&named_frames, frames[i]);
        len +=
            (size_t)snprintf(text + len, sizeof text - len, "%s%.*s%.*s (%.*s)", i > 0 ? " " : "",
                             SPAN_ARG(f->sym), SPAN_ARG(f->offset), SPAN_ARG(f->dso));
    }
    return span_of(text, len);
}

static void
lines_at(uint64_t addr, const char *lines)
{
    see((struct ownrecord){.what = OWN_SRCLINES, .pid = 6, .code = {addr, 1, span_cstr(lines)}});
}

/* The source line at an address of this kind. */
static struct span
line_at(uint64_t addr, enum symbolizer_kind kind)
{
    symbolizer_advance(named, 9, 9, 6);
    return frametab_frame(&named_frames,
                          symbolizer_frame(named, procmaps_space(&named->maps, 6), addr, kind))
        ->srcline;
}

/* The source lines of the calls before a return address, "-" for none. */
static struct span
calls_lines(uint64_t addr)
{
    static char text[200];
    size_t len = 0;
    const uint32_t *frames;
    symbolizer_advance(named, 9, 9, 6);
    size_t n =
        symbolizer_calls(named, procmaps_space(&named->maps, 6), addr, SYMBOLIZER_AFTER, &frames);
    for (size_t i = 0; i < n; i++) {
        const struct frame *f = frametab_frame(&named_frames, frames[i]);
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%.*s", i > 0 ? " " : "",
                                SPAN_ARG(f->has_srcline ? f->srcline : SPAN("-")));
    }
    return span_of(text, len);
}

/* "ADDRESS NAME+OFFSET (DSO) LINE", twice, since it is cached. */
static struct span
shown_at(int32_t pid, uint64_t addr, bool caller)
{
    static char text[2][256];
    for (int i = 0; i < 2; i++) {
        symbolizer_advance(named, 9, 9, pid);
        const struct procspace *space = procmaps_space(&named->maps, pid);
        if (caller)
            addr = symbolizer_caller(named, space, addr);
        const struct frame *f =
            frametab_frame(&named_frames, symbolizer_frame(named, space, addr, SYMBOLIZER_AT));
        snprintf(text[i], sizeof text[i], "%llx %.*s%.*s (%.*s)%s%.*s", (unsigned long long)f->ip,
                 SPAN_ARG(f->sym), SPAN_ARG(f->offset), SPAN_ARG(f->dso), f->has_srcline ? " " : "",
                 SPAN_ARG(f->srcline));
    }
    CHECK_TEXT(span_cstr(text[0]), text[1]);
    return span_cstr(text[0]);
}

static struct span
frame_at(int32_t pid, uint64_t addr)
{
    return shown_at(pid, addr, false);
}

TEST("JIT-compiled code and bytecode have the names that the recording has at the time, as a perf "
     "map's")
{
    begin_named(NULL);
    CHECK_TEXT(frame_at(6, 0x10010), "10010 [unknown] (/tmp/perf-6.map)");
    name_code(0x10000, 0x100, "JS:*f /x.js:1:2");
    name_code(0x90000, 0x100, "JS:~g /x.js:3:4");
    CHECK_TEXT(frame_at(6, 0x10010), "10010 JS:*f /x.js:1:2+0x10 (/tmp/perf-6.map)");
    CHECK_TEXT(frame_at(6, 0x90020), "90020 JS:~g /x.js:3:4+0x20 (/tmp/perf-6.map)");
    CHECK_TEXT(frame_at(7, 0x90020), "90020 [unknown] ([unknown])");
    uint64_t version = procmaps_space(&named->maps, 6)->version;
    name_code(0x10000, 0x80, "JS:*h /x.js:5:6");
    name_code(0x90000, 0x100, "");
    CHECK_TEXT(frame_at(6, 0x10010), "10010 JS:*h /x.js:5:6+0x10 (/tmp/perf-6.map)");
    CHECK_TEXT(frame_at(6, 0x10090), "10090 JS:*f /x.js:1:2+0x90 (/tmp/perf-6.map)");
    CHECK_TEXT(frame_at(6, 0x90020), "90020 [unknown] ([unknown])");
    name_code(0x10000, 0x100, "");
    CHECK_TEXT(frame_at(6, 0x10010), "10010 [unknown] (/tmp/perf-6.map)");
    CHECK_TEXT(frame_at(6, 0x20010), "20010 [unknown] (/nowhere/node)"); /* no code is there */
    CHECK(procmaps_space(&named->maps, 6)->version == version); /* unwound stacks stay cached */
    named_options.lines = true;
    name_code(0x10000, 0x100, "JS:*i /x.js:7:8");
    CHECK_TEXT(frame_at(6, 0x10010),
               "10010 JS:*i /x.js:7:8+0x10 (/tmp/perf-6.map) [JIT] tid 6[10010]");
    symbolizer_restart(named, false);
    CHECK_TEXT(frame_at(6, 0x10010), "10010 [unknown] ([unknown])");
    named_options.as_perf = true; /* perf passes over such records */
    name_code(0x10000, 0x100, "JS:*i /x.js:7:8");
    CHECK_TEXT(frame_at(6, 0x10010), "10010 [unknown] ([unknown])");
    end_named();
}

TEST(
    "a caller that is bytecode without a name has the frame of the interpreter, other code its own")
{
    begin_named(NULL);
    see((struct ownrecord){.what = OWN_TRAMPOLINE, .pid = 6, .trampoline = 0x20011});
    name_code(0x90000, 0x20, "JS:~g /x.js:3:4");
    CHECK_TEXT(shown_at(6, 0x90020, true), "20010 [unknown] (/nowhere/node)");
    CHECK_TEXT(shown_at(6, 0x90020, false), "90020 [unknown] ([unknown])");
    CHECK_TEXT(shown_at(6, 0x90010, true), "90010 JS:~g /x.js:3:4+0x10 (/tmp/perf-6.map)");
    CHECK_TEXT(shown_at(6, 0x10010, true), "10010 [unknown] (/tmp/perf-6.map)");
    CHECK_TEXT(shown_at(7, 0x90020, true), "90020 [unknown] ([unknown])");
    struct procmap heap = {.start = 0x90000, .len = 0x1000, .name = SPAN("[heap]")};
    procmaps_map(&named->maps, 6, &heap);
    CHECK_TEXT(shown_at(6, 0x90020, true), "20010 [unknown] (/nowhere/node)");
    end_named();
}

TEST("calls that V8 inlined are frames of their own at the return address, with a limit")
{
    begin_named(NULL);
    static char many[2001];
    for (size_t i = 0; i + 1 < sizeof many; i += 2)
        memcpy(many + i, "x\n", 2);
    name_code(0x10000, 0x100, "JS:*f /x.js:1:2");
    see((struct ownrecord){.what = OWN_INLINED,
                           .pid = 6,
                           .code = {0x1000f, 1, SPAN("JS:*h /x.js:5:6\nJS:*g /x.js:3:4")}});
    CHECK_TEXT(calls_at(6, 0x10010),
               "JS:*h /x.js:5:6+0x10 (inlined) JS:*g /x.js:3:4+0x10 (inlined) "
               "JS:*f /x.js:1:2+0x10 (/tmp/perf-6.map)");
    CHECK_TEXT(calls_at(6, 0x10011), "");
    CHECK_TEXT(frame_at(6, 0x10010), "10010 JS:*f /x.js:1:2+0x10 (/tmp/perf-6.map)");
    see((struct ownrecord){.what = OWN_INLINED, .pid = 6, .code = {0x1001f, 1, span_cstr(many)}});
    const uint32_t *frames;
    symbolizer_advance(named, 9, 9, 6);
    CHECK(symbolizer_calls(named, procmaps_space(&named->maps, 6), 0x10020, SYMBOLIZER_AFTER,
                           &frames) == 65);
    end_named();
}

TEST("frames of JavaScript have the recorded lines of the place where they run or call")
{
    begin_named(NULL);
    named_options.lines = true;
    name_code(0x10000, 0x100, "JS:*f /x.js:1:2");
    name_code(0x90000, 0x100, "JS:~g /x.js:3:4");
    lines_at(0x1000f, "/y.js:6\n\n/x.js:2");
    lines_at(0x90020, "/x.js:4");
    CHECK_TEXT(frame_at(6, 0x1000f), "1000f JS:*f /x.js:1:2+0xf (/tmp/perf-6.map) /x.js:2");
    CHECK_TEXT(line_at(0x10010, SYMBOLIZER_AFTER), "/x.js:2");
    CHECK_TEXT(line_at(0x1000f, SYMBOLIZER_RUNS_BYTECODE), "/x.js:2");
    CHECK_TEXT(line_at(0x90020, SYMBOLIZER_AT), "/x.js:4");
    CHECK_TEXT(line_at(0x90020, SYMBOLIZER_RUNS_BYTECODE), "[JIT] tid 6[90020]");
    lines_at(0x1000f, "/x.js:3");
    CHECK_TEXT(line_at(0x1000f, SYMBOLIZER_AT), "/x.js:3");
    name_code(0x10000, 0x80, "JS:*h /x.js:5:6");
    CHECK_TEXT(line_at(0x1000f, SYMBOLIZER_AT), "[JIT] tid 6[1000f]");
    named_options.lines = false;
    end_named();
}

TEST("inlined calls have lines if each of them has one, or is known to have none")
{
    begin_named(NULL);
    named_options.lines = true;
    name_code(0x10000, 0x100, "JS:*f /x.js:1:2");
    see((struct ownrecord){.what = OWN_INLINED,
                           .pid = 6,
                           .code = {0x1000f, 1, SPAN("JS:*h /x.js:5:6\nJS:*g /x.js:3:4")}});
    lines_at(0x1000f, "/y.js:6\n\n/x.js:2");
    CHECK_TEXT(calls_lines(0x10010), "/y.js:6 - /x.js:2");
    lines_at(0x1000f, "/x.js:2");
    CHECK_TEXT(calls_lines(0x10010), "- - /x.js:2");
    named_options.lines = false;
    end_named();
}

TEST("a kernel's address never has the name of a process's code")
{
    begin_named(NULL);
    map_file(&named->maps, PROCMAPS_KERNEL, 0xffff0000, 0x1000, 0, "[kernel.kallsyms]_text");
    name_code(0xffff0000, 0x100, "f");
    symbolizer_advance(named, 9, 9, 6);
    const struct frame *f = frametab_frame(
        &named_frames, symbolizer_frame(named, procmaps_space(&named->maps, PROCMAPS_KERNEL),
                                        0xffff0010, SYMBOLIZER_AT));
    CHECK_TEXT(f->sym, "[unknown]");
    end_named();
}

TEST("a process with a perf map has no names from elsewhere, and one with names needs no map")
{
    struct mapnames maps;
    struct maplines lines = {6, true, SPAN("10000 10 from the map\n")};
    mapnames_init(&maps, &named_diag);
    maps.searches = true;
    begin_named(&maps.names);
    name_code(0x10000, 0x100, "JS:*f /x.js:1:2");
    CHECK_TEXT(frame_at(6, 0x10010), "10010 JS:*f /x.js:1:2+0x10 (/tmp/perf-6.map)");
    CHECK_TEXT(frame_at(6, 0x10200), "10200 [unknown] (/tmp/perf-6.map)");
    CHECK_TEXT(frame_at(6, 0x90200), "90200 [unknown] ([unknown])");
    CHECK(maps.unmapped == -1 && maps.without_map.astray == 0);
    mapnames_take_lines(&maps, &lines);
    name_code(0x10000, 0x100, "");
    name_code(0x10000, 0x100, "JS:*g /x.js:1:2");
    CHECK_TEXT(frame_at(6, 0x10001), "10001 from the map+0x1 (/tmp/perf-6.map)");
    end_named();
    mapnames_free(&maps);
}

TEST("names that would take more than their limit are counted, and frames that are cached stay "
     "right")
{
    char label[64], wanted[128];
    begin_named(NULL);
    named_options.codes_limit = 1 << 18;
    symbolizer_restart(named, false);
    for (uint64_t i = 0; i < 20000; i++) {
        uint64_t addr = 0x10000 + i % 8 * 0x100;
        snprintf(label, sizeof label, "function %d", (int)i);
        name_code(addr, 0x100, label);
        snprintf(wanted, sizeof wanted, "%llx %s+0x8 (/tmp/perf-6.map)",
                 (unsigned long long)addr + 8, label);
        CHECK_TEXT(frame_at(6, addr + 8), wanted);
    }
    CHECK(named->renumbered > 0 && named->codenames.refused == 0);
    end_named();
}
