/* Who answers which code is at an address, and names for text. */
#include "common/symbolize/mapnames.h"

#include "common/stack/text/perfline.h"
#include "common/symbolize/naming.h"
#include "common/symbolize/symbolizer.h"
#include "tests/unit/space.h"
#include "tests/unit/tempfolder.h"

static struct diag diag;
static struct mapnames maps;

static void
start(void)
{
    diag_init(&diag, "test");
    diag.quiet = true;
    mapnames_init(&maps, &diag);
}

static void
take_lines(int32_t pid, bool begins, const char *lines)
{
    mapnames_take_lines(&maps, &(struct maplines){pid, begins, span_cstr(lines)});
}

/* Return the name of an address of a process, whose DSO is the perf map of `map_pid`. */
static struct span
name_of(int64_t pid, int64_t map_pid, uint64_t addr)
{
    static struct jitname found;
    const struct jitplace place = {pid, map_pid, addr, SPAN("/tmp/perf-1.map")};
    return maps.names.find(&maps.names, &place, &found) ? found.text : SPAN("");
}

static uint64_t
key_of(int64_t pid, uint64_t addr)
{
    const struct jitplace place = {pid, -1, addr, SPAN("[unknown]")};
    return maps.names.key(&maps.names, &place);
}

TEST("a map that was given, one of a folder and the lines in a recording name the code of their "
     "process")
{
    start();
    tempfolder_make();
    tempfolder_write("given", "1000 10 given\n");
    tempfolder_write("perf-43.map", "1000 10 found\n");
    maps.dir = tempfolder_path("");
    mapnames_give(&maps, 42, tempfolder_path("given"));
    take_lines(44, true, "1000 10 recorded\n");
    CHECK_TEXT(name_of(42, -1, 0x100f), "given");
    CHECK_TEXT(name_of(43, -1, 0x1000), "found");
    CHECK_TEXT(name_of(44, -1, 0x1000), "recorded");
    CHECK_TEXT(name_of(45, -1, 0x1000), "");
    CHECK_TEXT(name_of(42, -1, 0x1010), "");
    take_lines(42, true, "1000 10 recorded\n"); /* the one that was given is taken before it */
    CHECK_TEXT(name_of(42, -1, 0x1000), "given");
    mapnames_free(&maps);
    tempfolder_remove();
}

TEST("lines in a recording also name code of a file without symbols, as those of live maps do")
{
    struct jitname found;
    start();
    CHECK(!maps.names.in_files);
    take_lines(42, true, "1000 10 builtin\n");
    CHECK(maps.names.in_files);
    struct jitplace place = {42, -1, 0x1000, SPAN("/usr/bin/deno")};
    CHECK(maps.names.find(&maps.names, &place, &found));
    CHECK_TEXT(found.text, "builtin");
    CHECK(found.dso.len == 0 && maps.names.key(&maps.names, &place) != 0);
    place.pid = 43;
    CHECK(!maps.names.find(&maps.names, &place, &found));
    CHECK(maps.names.key(&maps.names, &place) == 0);
    mapnames_free(&maps);
}

TEST("the code of a process without a map is named by the map that its memory is of, its parent's")
{
    start();
    take_lines(42, true, "1000 10 parent\n");
    CHECK_TEXT(name_of(50, 42, 0x1000), "parent");
    CHECK_TEXT(name_of(50, -1, 0x1000), "");
    take_lines(50, true, "1000 10 own\n");
    CHECK_TEXT(name_of(50, 42, 0x1000), "own");
    mapnames_free(&maps);
}

TEST("the key of a name changes with the name, and only then")
{
    start();
    take_lines(42, true, "1000 10 a\n");
    uint64_t key = key_of(42, 0x1000), none = key_of(42, 0x2000);
    CHECK(key != none && key == key_of(42, 0x100f));
    take_lines(42, false, "2000 10 b\n");
    CHECK(key_of(42, 0x1000) == key && key_of(42, 0x2000) != none);
    take_lines(42, false, "1000 10 c\n");
    CHECK(key_of(42, 0x1000) != key);
    key = key_of(42, 0x1000);
    take_lines(42, true, "1000 10 of the program that it became\n");
    CHECK(key_of(42, 0x1000) != key);
    mapnames_free(&maps);
}

TEST("the process whose map lacks the most code is known, and one with a few gaps is not blamed")
{
    start();
    tempfolder_make();
    tempfolder_write("map", "1000 100 f\n");
    mapnames_give(&maps, 42, tempfolder_path("map"));
    for (uint64_t i = 0; i < 100; i++)
        name_of(42, -1, 0x1000 + i);
    name_of(42, -1, 0x5000);
    CHECK(mapnames_incomplete(&maps) == NULL);
    for (uint64_t i = 0; i < 10; i++)
        name_of(42, -1, 0x5000 + i);
    CHECK(mapnames_incomplete(&maps) != NULL);
    mapnames_free(&maps);
    tempfolder_remove();
}

/* Return the line of a frame of text in a process, after naming. */
static const struct frame *
named(struct naming *n, int64_t pid, const char *line)
{
    uint32_t frame = frametab_line(n->frames, span_cstr(line));
    struct sample s = {.frames = &frame, .nframes = 1};
    s.header.has = 1u << PERF_TID; /* taken for that of the process */
    s.header.tid = pid;
    naming_apply(n, &s);
    return frametab_frame(n->frames, s.frames[0]);
}

TEST("frames of text without a name get it by address and process, others stay")
{
    FREED(frametab_free) struct frametab frames;
    start();
    frametab_init(&frames, perf_frame_parse);
    take_lines(42, true, "1000 10 LazyCompile:*f\n");
    FREED(naming_free) struct naming n = {.names = &maps.names, .frames = &frames};
    const struct frame *f = named(&n, 42, "\t 1004 [unknown] ([unknown])\n");
    CHECK_TEXT(f->sym, "LazyCompile:*f");
    CHECK_TEXT(f->offset, "+0x4");
    CHECK_TEXT(f->dso, "/tmp/perf-42.map");
    CHECK_TEXT(named(&n, 7, "\t 1004 [unknown] ([unknown])\n")->sym, "[unknown]");
    CHECK_TEXT(named(&n, 7, "\t 1004 [unknown] (/tmp/perf-42.map)\n")->sym, "LazyCompile:*f");
    CHECK_TEXT(named(&n, 42, "\t 1004 main (/bin/x)\n")->sym, "main");
    CHECK_TEXT(named(&n, 42, "\t 1004 [unknown] (/bin/x)\n")->sym, "[unknown]");
    CHECK_TEXT(named(&n, 42, "\t 1004 _Z1fv (/bin/x)\n")->sym, "_Z1fv");
    n.demangle = DEMANGLE_FULL;
    CHECK_TEXT(named(&n, 42, "\t 1004 _Z1fv (/bin/x)\n")->sym, "f()");
    mapnames_free(&maps);
}

TEST("the symbolizer prints the name that code had at the time of the sample")
{
    start();
    const struct symbol_options options = {.names = &maps.names};
    struct frametab frames = {0};
    struct symbolizer *s = calloc(1, sizeof *s);
    symbolizer_init(s, &options, &diag, &frames);
    symbolizer_restart(s, true);
    map_file(&s->maps, 42, 0x1000, 0x1000, 0, "//anon");
    const struct procspace *space = procmaps_space(&s->maps, 42);
    symbolizer_advance(s, 1, 1, 42);
    uint32_t before = symbolizer_frame(s, space, 0x1010, SYMBOLIZER_AT);
    take_lines(42, true, "1000 100 early\n");
    symbolizer_advance(s, 2, 2, 42);
    uint32_t early = symbolizer_frame(s, space, 0x1010, SYMBOLIZER_AT);
    take_lines(42, false, "1000 100 late\n");
    symbolizer_advance(s, 3, 3, 42);
    uint32_t late = symbolizer_frame(s, space, 0x1010, SYMBOLIZER_AT);
    CHECK_TEXT(frametab_frame(&frames, before)->sym, "[unknown]");
    CHECK_TEXT(frametab_frame(&frames, early)->sym, "early");
    CHECK_TEXT(frametab_frame(&frames, early)->offset, "+0x10");
    CHECK_TEXT(frametab_frame(&frames, late)->sym, "late");
    CHECK(symbolizer_frame(s, space, 0x1010, SYMBOLIZER_AT) == late);
    CHECK_TEXT(frametab_frame(&frames, symbolizer_frame(s, NULL, 0x1010, SYMBOLIZER_AT))->sym,
               "late");
    symbolizer_free(s);
    frametab_free(&frames);
    mapnames_free(&maps);
    free(s);
}
