#include "cmd/stackexport/framelist.h"

#include "common/base/num.h"
#include "common/base/utf8.h"

static uint32_t
add_text(struct framelist *l, struct span text)
{
    return text.len > 0 ? intern_add(&l->texts, utf8_masked(&l->masked, text)) : FRAMELIST_NONE;
}

/* Split "core.c:137". Without a number from 1 on at its end, as in "??:0", it is no source line. */
static void
set_place(struct framelist *l, struct named_frame *frame, struct span srcline)
{
    uint64_t line;
    size_t colon = span_rfind(srcline, ':');
    if (colon == SPAN_NONE || !num_u64(span_from(srcline, colon + 1), &line) || line == 0 ||
        line > INT32_MAX)
        return;
    frame->file = add_text(l, span_head(srcline, colon));
    frame->line = (uint32_t)line;
}

uint32_t
framelist_add_perf(struct framelist *l, uint32_t name, const struct frame *f, struct span srcline)
{
    bool inlined = span_eq(f->dso, SPAN("inlined"));
    struct named_frame frame = {
        .name = name,
        .dso = inlined ? FRAMELIST_NONE : add_text(l, f->dso),
        .file = FRAMELIST_NONE,
        .kind = frame_kind(f->sym, f->dso),
        .inlined = inlined,
    };
    set_place(l, &frame, srcline);
    return framelist_add(l, &frame);
}

uint32_t
framelist_add_folded(struct framelist *l, uint32_t name)
{
    struct named_frame frame = {
        .name = name,
        .dso = FRAMELIST_NONE,
        .file = FRAMELIST_NONE,
        .kind = frame_kind(profile_name_text(&l->names, name), SPAN("")),
    };
    return framelist_add(l, &frame);
}

uint32_t
framelist_add_comm(struct framelist *l, uint32_t name)
{
    struct named_frame frame = {
        .name = name, .dso = FRAMELIST_NONE, .file = FRAMELIST_NONE, .kind = KIND_COUNT};
    return framelist_add(l, &frame);
}

struct named_frame
framelist_get(const struct framelist *l, uint32_t number)
{
    struct named_frame frame;
    memcpy(&frame, intern_text(&l->frames, number).ptr, sizeof frame);
    return frame;
}
