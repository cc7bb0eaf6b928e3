/* Names of addresses, where files that no process has mapped any more are forgotten. */
#include "cmd/stackrecord/capture/liveprocs.h"
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
    symbolizer_frame(s, procmaps_space(&s->maps, 6), 0x1010);
    for (int i = 0; i < 10000; i++) {
        snprintf(name, sizeof name, "/nowhere/%0200d", i);
        map_file(&s->maps, 8, 0x1000, 0x100, 0, name);
    }
    uint32_t dso = procmaps_find(procmaps_space(&s->maps, 6), 0x1000)->dso;
    CHECK(dso > before + 1000 && s->maps.forgotten == 0);
    CHECK(dso < s->code_cap && s->code[dso] != NULL); /* what was loaded for it moved with it */
    uint32_t frame = symbolizer_frame(s, procmaps_space(&s->maps, 6), 0x1020);
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
    symbolizer_advance(s, 2, 6);
    const struct frame *f =
        frametab_frame(&frames, symbolizer_frame(s, procmaps_space(&s->maps, 6), 0x10010));
    CHECK_TEXT(f->sym, "Builtin:ArraySort");
    CHECK_TEXT(f->offset, "+0x10");
    CHECK(f->has_ip && f->ip == 0x3010);
    CHECK_TEXT(f->dso, "/nowhere/deno");
    f = frametab_frame(&frames, symbolizer_frame(s, procmaps_space(&s->maps, 6), 0x10100));
    CHECK_TEXT(f->sym, "[unknown]");
    symbolizer_advance(s, 3, 7);
    f = frametab_frame(&frames, symbolizer_frame(s, procmaps_space(&s->maps, 7), 0x10010));
    CHECK_TEXT(f->sym, "[unknown]");
    symbolizer_free(s);
    frametab_free(&frames);
    free(s);
    liveprocs_free(live);
    tempfolder_remove();
}
