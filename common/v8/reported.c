#include "common/v8/reported.h"

#include <stdlib.h>

void
reported_init(struct reported *t, const struct v8layout *l, const struct v8memory *m,
              const struct v8names_sink *sink)
{
    *t = (struct reported){.layout = l, .sink = sink};
    heap_init(&t->heap, l, m);
}

/* Find line and column, which takes few steps. */
static bool
has_position(struct reported *t, uint32_t function)
{
    enum { STEPS = 64 };
    enum v8status status = V8_WAIT;
    for (unsigned i = 0; i < STEPS && status == V8_WAIT; i++) {
        snapshot_fetch(&t->heap.memory);
        status = functions_position(&t->functions, &t->heap, function);
    }
    return status == V8_OK;
}

bool
reported_name(struct reported *t, uint32_t place, uint64_t since)
{
    enum function_tier tier;
    struct place *p = &t->places.of.at[place];
    if (!place_tier(p, t->layout, &tier) || !has_position(t, p->function))
        return false;
    bool is_code = p->code.word != 0;
    t->label.len = 0;
    functions_label(&t->functions, t->layout, p->function, tier,
                    is_code && code_is_osr(&p->code, t->layout),
                    is_code && code_is_specialized(&p->code, t->layout), &t->label);
    if (t->label.len > t->labels)
        return false;
    t->labels -= t->label.len;
    t->sink->code(t->sink->ctx, since, p->start, p->size, text_span(&t->label));
    p->reported = since;
    return true;
}

void
reported_kind(struct reported *t, uint32_t place, uint64_t since)
{
    struct place *p = &t->places.of.at[place];
    t->sink->code(t->sink->ctx, since, p->start, p->size, code_label(&p->code, t->layout));
    p->reported = since;
}

enum v8status
reported_read_site(struct reported *t, uint32_t place, uint64_t addr, bool calls, bool *is_new)
{
    const struct place *p = &t->places.of.at[place];
    const struct site_wish wish = {addr, calls && t->sink->inlined != NULL, t->sink->lines != NULL};
    if (!sites_may_be(p, t->layout, &wish) || sites_find(&t->sites, p, addr) != NULL)
        return V8_OK;
    enum v8status status = sites_read(&t->sites, &t->heap, &t->functions, p, &wish);
    *is_new |= status == V8_OK;
    return status;
}

/* If the place lost its name after the site was reported, the sink forgot the site as well. */
void
reported_site(struct reported *t, uint32_t place, uint64_t addr, uint64_t since)
{
    const struct place *p = &t->places.of.at[place];
    struct site *site = sites_find(&t->sites, p, addr);
    if (site == NULL || (site->reported >= p->reported && site->reported <= since))
        return;
    struct span labels = sites_labels(&t->sites, site), lines = sites_lines(&t->sites, site);
    if (labels.len + lines.len > t->labels)
        return;
    t->labels -= labels.len + lines.len;
    if (labels.len > 0)
        t->sink->inlined(t->sink->ctx, since, addr, 1, labels);
    if (lines.len > 0)
        t->sink->lines(t->sink->ctx, since, addr, 1, lines);
    site->reported = since;
}

void
reported_unsure(struct reported *t, uint32_t place)
{
    struct place *p = &t->places.of.at[place];
    uint64_t since = p->valid + 1 > t->recent ? p->valid + 1 : t->recent;
    if (p->reported != UINT64_MAX)
        t->sink->code(t->sink->ctx, since, p->start, p->size, SPAN(""));
    p->reported = UINT64_MAX;
}

void
reported_gone(struct reported *t, uint32_t place)
{
    struct place *p = &t->places.of.at[place];
    reported_unsure(t, place);
    p->floor = p->valid > p->floor ? p->valid : p->floor;
    places_kill(&t->places, place);
}

void
reported_wasm(struct reported *t, uint64_t addr, enum wasm wasm, uint64_t time)
{
    struct place new = {.start = addr, .size = 1, .wasm = wasm, .function = PLACE_NONE};
    struct span label = wasm_label(wasm);
    uint32_t place = places_at(&t->places, addr);
    if (place != PLACE_NONE && t->places.of.at[place].wasm != wasm) {
        reported_gone(t, place);
        new.floor = t->places.of.at[place].floor;
        place = PLACE_NONE;
    }
    if (place == PLACE_NONE) {
        new.made = ++t->made;
        new.reported = new.first = UINT64_MAX;
        place = places_add(&t->places, &new);
    }
    struct place *p = &t->places.of.at[place];
    p->valid = time > p->valid ? time : p->valid;
    if (p->reported <= time || time <= p->floor || label.len > t->labels)
        return;
    t->labels -= label.len;
    t->sink->code(t->sink->ctx, time, p->start, p->size, label);
    p->reported = time;
}

/* Replace an old place by a new one at the same addresses. */
static void
replace(struct reported *t, uint32_t old, struct place *new)
{
    reported_gone(t, old);
    uint64_t floor = t->places.of.at[old].floor;
    new->floor = floor > new->floor ? floor : new->floor;
}

uint32_t
reported_put(struct reported *t, struct place *p)
{
    bool is_code = p->code.word != 0;
    uint32_t old = is_code ? places_code(&t->places, p->start) : PLACE_NONE;
    if (old != PLACE_NONE && code_same(&t->places.of.at[old].code, &p->code))
        return old;
    p->made = ++t->made;
    p->reported = p->first = UINT64_MAX;
    p->floor = places_floor(&t->places, p);
    old = places_same(&t->places, p);
    if (old != PLACE_NONE) /* the old one may have been longer than the new one */
        replace(t, old, p);
    while ((old = places_in(&t->places, p->start, p->start + p->size)) != PLACE_NONE)
        replace(t, old, p);
    return places_add(&t->places, p);
}

void
reported_nothing(struct reported *t)
{
    for (size_t i = 0; i < t->places.of.n; i++)
        t->places.of.at[i].reported = UINT64_MAX;
    t->sink->code(t->sink->ctx, t->recent, 0, UINT64_MAX, SPAN(""));
}

void
reported_forget(struct reported *t)
{
    heap_forget(&t->heap);
    functions_forget(&t->functions);
    places_free(&t->places);
    sites_free(&t->sites);
    reported_nothing(t);
}

size_t
reported_size(const struct reported *t)
{
    return heap_size(&t->heap) + functions_size(&t->functions) + places_size(&t->places) +
           sites_size(&t->sites) + t->label.cap;
}

void
reported_free(struct reported *t)
{
    heap_free(&t->heap);
    functions_forget(&t->functions);
    places_free(&t->places);
    sites_free(&t->sites);
    free(t->label.ptr);
}
