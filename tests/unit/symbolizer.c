/* Names of addresses, where files that no process has mapped any more are forgotten. */
#include "common/symbolize/symbolizer.h"
#include "tests/unit/space.h"

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
