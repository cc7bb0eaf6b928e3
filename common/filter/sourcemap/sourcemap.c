/*     {"version": 3, "sources": ["../a.ts"], "names": ["busy"], "mappings": "AAAA,SAASA;;AAC"}
 *
 *     {"version": 3, "sections": [{"offset": {"line": 9, "column": 10}, "map": {...}}]}
 *
 * In mappings a semicolon ends a line and a comma ends a segment. A segment is 1, 4 or 5 numbers:
 * the column in the generated line; the source, its line and its column; the name. Each is the
 * difference to the last such number, but that the columns of each line begin at 0. ECMA-426,
 * "Source map format". */
#include "common/filter/sourcemap/sourcemap.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/filter/sourcemap/vlq.h"
#include "common/base/json.h"

/* What belongs to one "mappings": the whole map, or a section's. */
struct map_part {
    size_t segments, names; /* where its own begin */
    struct span root;
    bool has_version, has_mappings, has_sections, is_section;
};

struct sourcemap_parser {
    struct sourcemap *map;
    struct json json;
    char *why; /* SOURCEMAP_WHY bytes, empty as long as nothing is wrong */
    struct map_part part;
    struct maptexts paths, contents; /* of the part's sources */
    uint32_t line, column;           /* where the last section begins */
};

static bool __attribute__((format(printf, 2, 3)))
fail(struct sourcemap_parser *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (p->why[0] == '\0')
        vsnprintf(p->why, SOURCEMAP_WHY, format, args);
    va_end(args);
    return false;
}

/* Return true if the JSON text could be read up to here. */
static bool
json_ok(struct sourcemap_parser *p)
{
    return p->json.item != JSON_ERROR || fail(p, "%s", p->json.why);
}

static struct segment *
add_segment(struct sourcemap_parser *p)
{
    struct sourcemap *m = p->map;
    m->segments = mem_grow(m->segments, &m->cap, m->count + 1, sizeof *m->segments);
    return &m->segments[m->count++];
}

/* What the numbers of a segment are the differences to. */
enum { COLUMN, SOURCE, ORIGINAL_LINE, ORIGINAL_COLUMN, NAME, NUMBERS };

/* Take a segment's numbers off *s and add them to the sums. Return how many there are; 0 if one of
 * them is wrong. */
static size_t
take_numbers(struct span *s, int64_t sums[static NUMBERS])
{
    size_t n = 0;
    do {
        int32_t difference;
        if (n == NUMBERS || !vlq_take(s, &difference))
            return 0;
        sums[n] += difference;
        if (sums[n] < 0 || sums[n] > INT32_MAX)
            return 0;
        n++;
    } while (s->len > 0 && s->ptr[0] != ',' && s->ptr[0] != ';');
    return n == 1 || n >= ORIGINAL_COLUMN + 1 ? n : 0;
}

static bool
read_mappings(struct sourcemap_parser *p, struct span s)
{
    int64_t sums[NUMBERS] = {0};
    struct span all = s;
    uint32_t line = 0;
    while (s.len > 0) {
        bool ends_line = s.ptr[0] == ';';
        if (ends_line || s.ptr[0] == ',') {
            line += ends_line;
            sums[COLUMN] = ends_line ? 0 : sums[COLUMN];
            s = span_from(s, 1);
            continue;
        }
        if (p->map->count == SOURCEMAP_SEGMENTS)
            return fail(p, "more than %d million segments", SOURCEMAP_SEGMENTS >> 20);
        size_t at = all.len - s.len, n = take_numbers(&s, sums);
        if (n == 0)
            return fail(p, "mappings: the segment at character %zu is wrong", at + 1);
        *add_segment(p) = (struct segment){
            .line = line,
            .column = (uint32_t)sums[COLUMN],
            .source = n > 1 ? (uint32_t)sums[SOURCE] : SOURCEMAP_NONE,
            .original_line = n > 1 ? (uint32_t)sums[ORIGINAL_LINE] : 0,
            .original_column = n > 1 ? (uint32_t)sums[ORIGINAL_COLUMN] : 0,
            .name = n > NAME ? (uint32_t)sums[NAME] : SOURCEMAP_NONE,
        };
    }
    p->part.has_mappings = true;
    return true;
}

/* Read an array of texts, whose other elements become empty texts, and append them. */
static bool
read_texts(struct sourcemap_parser *p, struct maptexts *to)
{
    const struct sourcemap *m = p->map;
    if (!json_enter(&p->json, JSON_ARRAY))
        return json_ok(p);
    while (json_element(&p->json)) {
        if (m->nsources + m->names.count + p->paths.count + p->contents.count >= SOURCEMAP_TEXTS)
            return fail(p, "more than %d million sources and names", SOURCEMAP_TEXTS >> 20);
        bool is_text = p->json.item == JSON_STRING;
        to->list = mem_grow(to->list, &to->cap, to->count + 1, sizeof *to->list);
        to->list[to->count++] = is_text ? arena_copy(&p->map->arena, p->json.text) : SPAN("");
        if (!json_skip(&p->json))
            break;
    }
    return json_ok(p);
}

/* Add a part's sources to the map's. */
static void
add_sources(struct sourcemap_parser *p)
{
    struct sourcemap *m = p->map;
    const struct maptexts *paths = &p->paths, *contents = &p->contents;
    m->sources =
        mem_grow(m->sources, &m->sources_cap, m->nsources + paths->count, sizeof *m->sources);
    for (size_t i = 0; i < paths->count; i++)
        m->sources[m->nsources++] =
            (struct mapsource){.root = p->part.root,
                               .path = paths->list[i],
                               .content = i < contents->count ? contents->list[i] : SPAN("")};
}

/* Number the sources and names of a part as those of the whole map. */
static bool
settle_part(struct sourcemap_parser *p)
{
    struct sourcemap *m = p->map;
    const struct map_part *part = &p->part;
    size_t nsources = p->paths.count, nnames = m->names.count - part->names;
    for (size_t i = part->segments; i < m->count; i++) {
        struct segment *s = &m->segments[i];
        if (s->source != SOURCEMAP_NONE && s->source >= nsources)
            return fail(p, "mappings: source %u of %zu, counted from 0", s->source, nsources);
        if (s->name != SOURCEMAP_NONE && s->name >= nnames)
            return fail(p, "mappings: name %u of %zu, counted from 0", s->name, nnames);
        s->source += s->source != SOURCEMAP_NONE ? (uint32_t)m->nsources : 0;
        s->name += s->name != SOURCEMAP_NONE ? (uint32_t)part->names : 0;
    }
    add_sources(p);
    return true;
}

static bool
read_version(struct sourcemap_parser *p)
{
    uint64_t version = 0;
    json_scalar(&p->json);
    p->part.has_version = json_u64(&p->json, &version) && version == 3;
    return json_ok(p) && (p->part.has_version || fail(p, "not a source map of version 3"));
}

static bool read_sections(struct sourcemap_parser *p);

static bool
read_member(struct sourcemap_parser *p)
{
    struct json *j = &p->json;
    if (json_is(j, SPAN("version")))
        return read_version(p);
    if (json_is(j, SPAN("sources")))
        return read_texts(p, &p->paths);
    if (json_is(j, SPAN("sourcesContent")))
        return read_texts(p, &p->contents);
    if (json_is(j, SPAN("names")))
        return read_texts(p, &p->map->names);
    if (json_is(j, SPAN("sections")))
        return p->part.is_section ? fail(p, "sections in a section") : read_sections(p);
    bool is_root = json_is(j, SPAN("sourceRoot")), is_mappings = json_is(j, SPAN("mappings"));
    enum json_item item = json_scalar(j);
    if (is_root && item == JSON_STRING)
        p->part.root = arena_copy(&p->map->arena, j->text);
    if (is_mappings && item == JSON_STRING)
        return read_mappings(p, j->text);
    return json_ok(p);
}

/* Read a map, or that of a section, whose "{" was read. */
static bool
read_map(struct sourcemap_parser *p, bool is_section)
{
    struct map_part outer = p->part;
    p->part = (struct map_part){.segments = p->map->count,
                                .names = p->map->names.count,
                                .root = SPAN(""),
                                .is_section = is_section};
    p->paths.count = p->contents.count = 0;
    while (json_member(&p->json))
        if (!read_member(p))
            return false;
    struct map_part *part = &p->part;
    if (!json_ok(p))
        return false;
    if (!part->has_version || part->has_mappings == part->has_sections)
        return fail(p, "not a source map: it has %s",
                    !part->has_version   ? "no version"
                    : part->has_mappings ? "both mappings and sections"
                                         : "no mappings");
    bool settled = part->has_sections || settle_part(p);
    p->part = outer;
    return settled;
}

/* Read {"line": 1, "column": 2}, whose "{" was read. */
static bool
read_offset(struct sourcemap_parser *p)
{
    uint64_t of[2] = {0, 0};
    while (json_member(&p->json)) {
        bool is_line = json_is(&p->json, SPAN("line"));
        bool is_column = json_is(&p->json, SPAN("column"));
        json_scalar(&p->json);
        if ((is_line || is_column) &&
            (!json_u64(&p->json, &of[is_column]) || of[is_column] > INT32_MAX))
            return json_ok(p) && fail(p, "a section's offset is not a line and a column");
    }
    if (of[0] < p->line || (of[0] == p->line && of[1] < p->column))
        return fail(p, "sections that are not in order");
    p->line = (uint32_t)of[0];
    p->column = (uint32_t)of[1];
    return json_ok(p);
}

/* Move segments to where the section begins. */
static void
move_segments(struct sourcemap_parser *p, size_t first)
{
    for (size_t i = first; i < p->map->count; i++) {
        struct segment *s = &p->map->segments[i];
        s->column += s->line == 0 ? p->column : 0;
        s->line += p->line;
    }
}

/* Read a section whose "{" was read. What lies before its first segment belongs to no source, and
 * not to the section before: a segment without a source says so. */
static bool
read_section(struct sourcemap_parser *p)
{
    size_t first = p->map->count;
    bool has_offset = false, has_map = false;
    if (first == SOURCEMAP_SEGMENTS)
        return fail(p, "more than %d million segments", SOURCEMAP_SEGMENTS >> 20);
    *add_segment(p) = (struct segment){.source = SOURCEMAP_NONE, .name = SOURCEMAP_NONE};
    while (json_member(&p->json)) {
        bool is_offset = json_is(&p->json, SPAN("offset")), is_map = json_is(&p->json, SPAN("map"));
        if (!is_offset && !is_map)
            json_scalar(&p->json);
        else if (!json_enter(&p->json, JSON_OBJECT))
            break;
        else if (!(is_map ? read_map(p, true) : read_offset(p)))
            return false;
        has_offset |= is_offset;
        has_map |= is_map;
    }
    if (!json_ok(p))
        return false;
    if (!has_offset || !has_map)
        return fail(p, "a section without %s", has_map ? "an offset" : "a map");
    move_segments(p, first);
    return true;
}

static bool
read_sections(struct sourcemap_parser *p)
{
    p->part.has_sections = true;
    if (!json_enter(&p->json, JSON_ARRAY))
        return json_ok(p) && fail(p, "sections that are no array");
    while (json_element(&p->json)) {
        if (p->json.item != JSON_OBJECT)
            return json_ok(p) && fail(p, "a section that is no object");
        if (!read_section(p))
            return false;
    }
    return json_ok(p);
}

static int
compare_positions(const struct segment *a, const struct segment *b)
{
    int order = (a->line > b->line) - (a->line < b->line);
    return order != 0 ? order : (a->column > b->column) - (a->column < b->column);
}

/* By their members in their order: at one position the segment with a source comes first. */
static int
compare(const void *left, const void *right)
{
    enum { MEMBERS = sizeof(struct segment) / sizeof(uint32_t) };
    uint32_t a[MEMBERS], b[MEMBERS];
    memcpy(a, left, sizeof a);
    memcpy(b, right, sizeof b);
    size_t i = 0;
    while (i < MEMBERS - 1 && a[i] == b[i])
        i++;
    return (a[i] > b[i]) - (a[i] < b[i]);
}

/* Sort the segments, which most programs write in order, and keep the first of each position. */
static void
sort_segments(struct sourcemap *m)
{
    size_t i = 1, kept = 0;
    while (i < m->count && compare(&m->segments[i - 1], &m->segments[i]) <= 0)
        i++;
    if (i < m->count)
        qsort(m->segments, m->count, sizeof *m->segments, compare);
    for (i = 0; i < m->count; i++)
        if (kept == 0 || compare_positions(&m->segments[kept - 1], &m->segments[i]) != 0)
            m->segments[kept++] = m->segments[i];
    m->count = kept;
}

static void
start(struct sourcemap_parser *p, struct sourcemap *m, struct lines *lines, char *why)
{
    *p = (struct sourcemap_parser){.map = m, .why = why};
    why[0] = '\0';
    json_start(&p->json, lines);
}

static bool
read_whole(struct sourcemap_parser *p)
{
    if (!json_enter(&p->json, JSON_OBJECT))
        return json_ok(p) && fail(p, "not a source map: it is no JSON object");
    if (!read_map(p, false))
        return false;
    json_next(&p->json);
    return json_ok(p);
}

/* Read the first map that is a member of an object, and its code. */
static bool
read_entry(struct sourcemap_parser *p, struct span *code)
{
    bool has_map = false;
    if (!json_enter(&p->json, JSON_OBJECT))
        return json_ok(p) && fail(p, "no JSON object");
    while (json_member(&p->json)) {
        bool is_code = json_is(&p->json, SPAN("code"));
        bool is_map = json_is(&p->json, SPAN("map")) && !has_map;
        if (is_map && json_enter(&p->json, JSON_OBJECT)) {
            has_map = read_map(p, false);
            if (!has_map)
                return false;
        } else if (!is_map && json_scalar(&p->json) == JSON_STRING && is_code) {
            *code = arena_copy(&p->map->arena, p->json.text);
        }
    }
    return json_ok(p) && (has_map || fail(p, "it has no map"));
}

static bool
finish(struct sourcemap_parser *p, bool understood)
{
    free(p->paths.list);
    free(p->contents.list);
    if (understood)
        sort_segments(p->map);
    return understood;
}

bool
sourcemap_read(struct sourcemap *m, struct lines *lines, char why[static SOURCEMAP_WHY])
{
    struct sourcemap_parser p;
    struct span line; /* servers put ")]}'" on one before the text, so that no script can load it */
    if (span_starts(lines_ahead(lines, 3), SPAN(")]}")))
        lines_next(lines, &line);
    start(&p, m, lines, why);
    return finish(&p, read_whole(&p));
}

bool
sourcemap_read_entry(struct sourcemap *m, struct lines *lines, struct span *code,
                     char why[static SOURCEMAP_WHY])
{
    struct sourcemap_parser p;
    *code = SPAN("");
    start(&p, m, lines, why);
    return finish(&p, read_entry(&p, code));
}

/* Return how many segments begin at the position or before. */
static size_t
count_to(const struct sourcemap *m, uint32_t line, uint32_t column)
{
    struct segment at = {.line = line, .column = column};
    size_t low = 0, high = m->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_positions(&m->segments[middle], &at) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct segment *
sourcemap_find(const struct sourcemap *m, uint32_t line, uint32_t column)
{
    size_t n = count_to(m, line, column);
    const struct segment *s = n > 0 ? &m->segments[n - 1] : NULL;
    return s != NULL && s->line == line && s->source != SOURCEMAP_NONE ? s : NULL;
}

struct span
sourcemap_original(struct sourcemap *m, const struct segment *s)
{
    struct mapsource *source = &m->sources[s->source];
    size_t offset;
    if (source->content.len == 0)
        return SPAN("");
    if (source->text.count == 0)
        jstext_init(&source->text, source->content);
    if (!jstext_offset(&source->text, s->original_line, s->original_column, &offset))
        return SPAN("");
    return span_from(source->text.text, offset);
}

const struct segment *
sourcemap_line(const struct sourcemap *m, uint32_t line)
{
    enum { MOST = 1000 }; /* longer lines are a bundler's, and come from many lines */
    const struct segment *first = NULL;
    size_t at = line > 0 ? count_to(m, line - 1, UINT32_MAX) : 0;
    for (size_t n = 0; at < m->count && m->segments[at].line == line; n++, at++) {
        const struct segment *s = &m->segments[at];
        if (s->source == SOURCEMAP_NONE)
            continue;
        first = first != NULL ? first : s;
        if (n == MOST || s->source != first->source || s->original_line != first->original_line)
            return NULL;
    }
    return first;
}

size_t
sourcemap_size(const struct sourcemap *m)
{
    return m->cap * sizeof *m->segments + m->sources_cap * sizeof *m->sources +
           m->names.cap * sizeof *m->names.list + arena_size(&m->arena);
}

void
sourcemap_free(struct sourcemap *m)
{
    for (size_t i = 0; i < m->nsources; i++)
        jstext_free(&m->sources[i].text);
    free(m->segments);
    free(m->sources);
    free(m->names.list);
    arena_free(&m->arena);
    *m = (struct sourcemap){0};
}
