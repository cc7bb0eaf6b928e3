#include "cmd/stackcollapse/shared/addresses.h"

#include <stdlib.h>

#include "common/base/num.h"
#include "common/stack/frames/dso.h"

enum { PROCESS = 1 }; /* number of the only process, whose real pid is not known */

void
addresses_begin(struct addresses *a, struct collapse *c)
{
    const struct options *o = c->options;
    a->c = c;
    a->options = (struct symbol_options){.demangle = DEMANGLE_SHORT,
                                         .inlined = o->inlined,
                                         .files = {.symfs = "",
                                                   .cache = dsofile_cache_dir(),
                                                   .debug = o->debug_dir,
                                                   .info = o->inlined,
                                                   .debuginfod = debuginfod_cache_dir(),
                                                   .servers = o->servers}};
    if (o->debug_dir == NULL)
        a->options.files.debug = "";
    a->names = (struct foldname){.options = &o->fold.names, .profile = &c->profile};
    frametab_init(&a->frames, NULL); /* no frame is added as a line of text */
    symbolizer_init(&a->symbolizer, &a->options, c->diag, &a->frames);
    symbolizer_restart(&a->symbolizer, false);
}

/* Take a hexadecimal number off *rest, and the text that must follow it. */
static bool
take_hex(struct span *rest, uint64_t *number, const char *end)
{
    struct span digits = span_take_run(rest, is_hex);
    return num_hex(digits, number) && span_skip(rest, span_cstr(end));
}

bool
addresses_map(struct addresses *a, struct span line)
{
    /* 5561cdd41000-5561cdd42000 r-xp 00001000 fe:00 291102                     /srv/app */
    struct procmap map = {.executable = false};
    struct span rest = span_trim(line);
    uint64_t end, device;
    if (!take_hex(&rest, &map.start, "-") || !take_hex(&rest, &end, " ") || rest.len < 5 ||
        end < map.start)
        return false;
    struct span mode = span_head(rest, 5);
    rest = span_from(rest, 5);
    if (mode.ptr[4] != ' ' || !take_hex(&rest, &map.pgoff, " ") || !take_hex(&rest, &device, ":") ||
        !take_hex(&rest, &device, " ") || span_take_run(&rest, is_digit).len == 0)
        return false;
    map.len = end - map.start;
    map.executable = mode.ptr[2] == 'x';
    map.name = span_trim(rest);
    const struct span deleted = SPAN(" (deleted)");
    if (span_ends(map.name, deleted))
        map.name.len -= deleted.len;
    if (map.executable && map.name.len > 0)
        procmaps_map(&a->symbolizer.maps, PROCESS, &map);
    return true;
}

/* Return the number of the frame at an address. Count a new address without a name. */
static uint32_t
find_frame(struct addresses *a, uint64_t address)
{
    const struct procspace *space = procmaps_space(&a->symbolizer.maps, PROCESS);
    size_t known = frametab_count(&a->frames);
    uint32_t number = symbolizer_frame(&a->symbolizer, space, address, SYMBOLIZER_AT);
    const struct frame *f = frametab_frame(&a->frames, number);
    if (number >= known && frame_is_nameless(f))
        tally_add(&a->nameless, f->dso.len > 0 ? dso_base(f->dso) : SPAN("[unknown]"), 1, 0);
    return number;
}

struct span
addresses_symbol(struct addresses *a, uint64_t address, bool caller)
{
    const struct frame *f = frametab_frame(&a->frames, find_frame(a, address - caller));
    return span_before(f->sym, '(');
}

/* Append the names of a frame. */
static void
push_frame(struct addresses *a, struct stacker *b, uint32_t frame)
{
    VEC_REACH(a->list_of, (size_t)frame + 1);
    if (a->list_of.at[frame] == 0) {
        foldname_frame(&a->names, frametab_frame(&a->frames, frame), false);
        VEC_ADD(a->lists, (uint32_t)a->names.count);
        a->list_of.at[frame] = a->lists.n;
        for (size_t i = 0; i < a->names.count; i++)
            VEC_ADD(a->lists, a->names.ids[i]);
    }
    const uint32_t *names = a->lists.at + a->list_of.at[frame];
    for (size_t i = names[-1]; i > 0; i--)
        stacker_push_name(b, names[i - 1]);
}

void
addresses_push(struct addresses *a, struct stacker *b, uint64_t address, bool caller)
{
    const struct procspace *space = procmaps_space(&a->symbolizer.maps, PROCESS);
    const uint32_t *frames;
    uint32_t frame = find_frame(a, address - caller);
    size_t n = a->options.inlined ? symbolizer_calls(&a->symbolizer, space, address - caller,
                                                     SYMBOLIZER_AT, &frames)
                                  : 0;
    for (size_t i = 0; i < n; i++)
        push_frame(a, b, frames[i]);
    if (n == 0)
        push_frame(a, b, frame);
}

void
addresses_end(struct addresses *a)
{
    char list[TALLY_TEXT];
    if (a->c == NULL)
        return;
    tally_describe(&a->nameless, list);
    if (a->nameless.names.count > 0)
        diag_note(a->c->diag,
                  "%s: addresses without a name: %s; fold it where it was recorded, while the "
                  "files there are still those that ran",
                  a->c->input.name, list);
    tally_free(&a->nameless);
    symbolizer_free(&a->symbolizer);
    frametab_free(&a->frames);
    foldname_free(&a->names);
    free(a->lists.at);
    free(a->list_of.at);
}
