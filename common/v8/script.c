#include "common/v8/script.h"

#include <stdlib.h>

enum { HEADER = 72 /* bytes: map to id */ };

/* The line ends of a source. They are kept when garbage collection moves the script. */
struct script_source {
    uint64_t id; /* of the script */
    struct lineends ends;
};

static enum v8status
read_url(struct scripts *t, struct heap *h, uint64_t word, struct span *url)
{
    char map[8];
    uint16_t type;
    enum v8status status = heap_object(h, word, sizeof map, map, &type);
    t->text.len = 0;
    if (status == V8_OK && string_is(h, type))
        status = string_text(h, word, h->layout->label_limit, &t->text);
    if (status == V8_OK)
        *url = intern_text(&t->urls, intern_add(&t->urls, text_span(&t->text)));
    return status;
}

enum v8status
scripts_at(struct scripts *t, struct heap *h, uint64_t word, uint32_t *number)
{
    const struct v8layout *l = h->layout;
    char bytes[HEADER];
    enum v8status status = heap_typed(h, word, l->type_script, sizeof bytes, bytes);
    if (status != V8_OK)
        return status;
    struct script new = {.word = word,
                         .id = load_u64(bytes + l->script_id),
                         .name = load_u64(bytes + l->script_name),
                         .source = load_u64(bytes + l->script_source)};
    int32_t id;
    *number = addresses_find(&t->places, word);
    const struct script *old = *number != ADDRESSES_NONE ? &t->of.at[*number] : NULL;
    if (old != NULL && old->id == new.id && old->name == new.name && old->source == new.source)
        return V8_OK;
    if (!heap_smi(new.id, &id) || !heap_smi(load_u64(bytes + l->script_line), &new.line) ||
        !heap_smi(load_u64(bytes + l->script_column), &new.column))
        return V8_BAD;
    status = read_url(t, h, new.name, &new.url);
    if (status != V8_OK)
        return status;
    if (addresses_put(&t->places, word, number))
        VEC_ADD(t->of, new);
    t->of.at[*number] = new;
    return V8_OK;
}

/* Return the line ends of the script's source, or NULL if they are not known. */
static struct script_source *
find_source(struct scripts *t, const struct script *s)
{
    uint32_t number = addresses_find(&t->sources, s->source);
    struct script_source *source = number != ADDRESSES_NONE ? &t->source.at[number] : NULL;
    return source != NULL && source->id == s->id && source->ends.n > 0 ? source : NULL;
}

/* Return true if the script still has this source: what was read belongs to it, then. */
static bool
is_still(struct heap *h, const struct script *s)
{
    const struct v8layout *l = h->layout;
    char bytes[HEADER];
    return snapshot_read(&h->memory, heap_address(s->word), sizeof bytes, bytes) == V8_OK &&
           load_u64(bytes + l->script_id) == s->id &&
           load_u64(bytes + l->script_source) == s->source;
}

static enum v8status
read_ends(struct scripts *t, struct heap *h, const struct script *s, struct lineends_budget *budget)
{
    struct lineends ends = {0};
    uint64_t array;
    uint32_t number;
    enum v8status status = heap_word(h, s->word, h->layout->script_line_ends, &array);
    if (status == V8_OK)
        status = lineends_read(&ends, h, array, s->source, budget);
    if (status == V8_OK && !is_still(h, s)) {
        lineends_free(&ends);
        status = V8_BAD;
    }
    if (status != V8_OK)
        return status;
    if (addresses_put(&t->sources, s->source, &number))
        VEC_ADD(t->source, (struct script_source){0});
    struct script_source *source = &t->source.at[number];
    size_t size = ends.cap * sizeof *ends.at;
    t->ends += size - source->ends.cap * sizeof *ends.at;
    budget->room -= size < budget->room ? size : budget->room;
    lineends_free(&source->ends);
    *source = (struct script_source){s->id, ends};
    return V8_OK;
}

/* Return a + b + c, which V8 adds as 32-bit numbers. */
static int32_t
sum(uint32_t a, int32_t b, int32_t c)
{
    return (int32_t)(a + (uint32_t)b + (uint32_t)c);
}

enum v8status
scripts_position(struct scripts *t, struct heap *h, uint32_t number, uint32_t offset,
                 struct lineends_budget *budget, int32_t *line, int32_t *column)
{
    const struct script *s = &t->of.at[number];
    uint32_t l, c;
    if (find_source(t, s) == NULL) {
        enum v8status status = read_ends(t, h, s, budget);
        if (status != V8_OK)
            return status;
    }
    lineends_position(&find_source(t, s)->ends, offset, &l, &c);
    *line = sum(l, s->line, 1);
    *column = sum(c, l == 0 ? s->column : 0, 1);
    return V8_OK;
}

size_t
scripts_size(const struct scripts *t)
{
    return t->of.cap * sizeof *t->of.at + addresses_size(&t->places) + addresses_size(&t->sources) +
           t->source.cap * sizeof *t->source.at + intern_size(&t->urls) + t->text.cap + t->ends;
}

void
scripts_free(struct scripts *t)
{
    for (size_t i = 0; i < t->source.n; i++)
        lineends_free(&t->source.at[i].ends);
    free(t->of.at);
    free(t->source.at);
    free(t->text.ptr);
    addresses_free(&t->places);
    addresses_free(&t->sources);
    intern_free(&t->urls);
    *t = (struct scripts){0};
}
