/* A name is a key and a position. Functions with equal keys may be the same function:
 *
 *     name                              key                       position
 *     get /ci/before/lib/a.js:13:5      get lib/a.js              13:5
 *     f /ci/dist/main.3f2a9c.js:1:90    f main.#.js               1:90
 *     core::fmt::write::h0123456789abcdef   core::fmt::write
 *     parse.part.0                      parse
 *     main.serve.func2                  main.serve.func#          2
 *
 * If exactly one function of each side has a key, the two are a pair. If several functions of a
 * script share a key, as anonymous ones do, pair those whose lines differ as much as those of the
 * nearest pair above or below. Pair the others in the order of their positions. */
#include "cmd/stackdiff/match.h"

#include <stdlib.h>

#include "common/base/text.h"
#include "common/stack/frames/framekind.h"
#include "common/stack/frames/v8name.h"
#include "common/stack/text/foldedtext.h"

enum { NO_NAME = INTERN_NONE };

static bool
is_clone_part(char c)
{
    return is_word(c) || c == '.';
}

/* Parts of a native function's name that differ between two builds: `begin`, a run of characters,
 * and `end`, after which the word ends. */
static const struct {
    struct span begin;
    bool (*is)(char);
    size_t least, most; /* limits of the length of the run */
    struct span end;
    bool numbered; /* the run is a number that identifies the function; else all of it is dropped */
} forms[] = {
    {SPAN("::h"), is_hex, 16, 16, SPAN(""), false},              /* Rust's hashes */
    {SPAN(" [clone ."), is_clone_part, 1, 64, SPAN("]"), false}, /* demangled clones of C++ */
    {SPAN(".isra."), is_digit, 1, 20, SPAN(""), false},          /* GCC's clones */
    {SPAN(".part."), is_digit, 1, 20, SPAN(""), false},
    {SPAN(".constprop."), is_digit, 1, 20, SPAN(""), false},
    {SPAN(".lto_priv."), is_digit, 1, 20, SPAN(""), false},
    {SPAN(".cold."), is_digit, 1, 20, SPAN(""), false},
    {SPAN(".cold"), is_digit, 0, 0, SPAN(""), false},
    {SPAN(".llvm."), is_digit, 1, 20, SPAN(""), false}, /* Clang's ThinLTO */
    {SPAN(".func"), is_digit, 1, 9, SPAN(""), true},    /* Go's closures: serve.func2.1 */
    {SPAN("."), is_digit, 1, 9, SPAN(""), true},
    {SPAN("#"), is_digit, 1, 9, SPAN("}"), true}, /* {lambda(int)#2}, Rust's {closure#0} */
    {SPAN("$_"), is_digit, 1, 9, SPAN(""), true}, /* Clang's lambdas */
};

/* A distinct name in the stacks. There may be as many as lines of input, so the parts of a
 * JavaScript function's name are not stored: file_of() parses the name again. */
struct symbol {
    bool has[SIDES];  /* whether each side has it */
    bool script;      /* it names a JavaScript function */
    uint32_t partner; /* for a name before: its name after; NO_NAME: none */
};

/* A function of one side. */
struct name_entry {
    uint64_t position;
    uint32_t key, file; /* numbers; the file is 0 for functions outside of scripts */
    uint32_t name;
    uint8_t side; /* an enum side */
    bool paired;
};

/* Two names that are certainly the same function of a script. */
struct anchor {
    uint32_t file;
    uint64_t line; /* its line before */
    int64_t shift; /* number of lines that it moved down */
};

struct pairing {
    struct intern names, keys, files[SIDES];
    struct symbol *symbols; /* for each number of a name */
    size_t symbols_cap;
    struct span root[SIDES]; /* common beginning of scripts' names, including the last slash */
    struct name_entry *entries;
    size_t nentries, entries_cap;
    struct anchor *anchors;
    size_t nanchors, anchors_cap;
    struct text key, file;
};

/* Return line and column in one number, with both limited. */
static uint64_t
parse_position(struct span s)
{
    uint64_t n[2] = {0, 0};
    size_t at = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == ':')
            at = 1;
        else if (n[at] < UINT32_MAX / 16)
            n[at] = n[at] * 10 + (uint64_t)(s.ptr[i] - '0');
    }
    return n[0] << 32 | n[1];
}

/* Remove "file://". */
static struct span
script_path(struct span file)
{
    span_skip(&file, SPAN("file://"));
    return file;
}

/* Return the part of a script's name below the side's root, or from node_modules on. */
static struct span
below_root(const struct pairing *m, struct span file, enum side side)
{
    struct span path = script_path(file);
    size_t modules = span_search(path, SPAN("/node_modules/"));
    if (modules != SPAN_NONE)
        return span_from(path, modules + 1);
    span_skip(&path, m->root[side]);
    return path;
}

static bool
is_hash_part(char c)
{
    return is_word(c) && c != '_';
}

/* Return true for a hash as bundlers put it into file names: six or more hexadecimal digits, or
 * eight letters and digits, some of them capitals; in both cases at least one is a digit. */
static bool
is_bundle_hash(struct span s)
{
    bool digit = false, capital = false, hex = true;
    for (size_t i = 0; i < s.len; i++) {
        digit |= is_digit(s.ptr[i]);
        capital |= s.ptr[i] >= 'A' && s.ptr[i] <= 'Z';
        hex &= is_hex(s.ptr[i]);
    }
    return digit && ((hex && s.len >= 6) || (capital && s.len == 8));
}

/* Set m->file to the file's name, with "#" in place of a hash: "main.3f2a9c.js",
 * "index-B7xK29aQ.js". */
static struct span
without_hash(struct pairing *m, struct span file)
{
    size_t slash = span_rfind(file, '/'), at = slash != SPAN_NONE ? slash + 1 : 0;
    text_set(&m->file, span_head(file, at));
    for (size_t run = 0; at < file.len; at += (run > 0 ? run : 1)) {
        run = span_run(file, at, is_hash_part);
        bool inside = at > 0 && (file.ptr[at - 1] == '.' || file.ptr[at - 1] == '-');
        struct span part = span_of(file.ptr + at, run > 0 ? run : 1);
        bool hash = inside && run > 0 && at + run < file.len && is_bundle_hash(part);
        text_add(&m->file, hash ? SPAN("#") : part);
    }
    return text_span(&m->file);
}

/* Set m->key to the name without the parts that `forms` match, and return the numbers in these. No
 * form begins with a character of a word, so whole words are copied. */
static uint64_t
native_key(struct pairing *m, struct span name)
{
    uint64_t position = 0;
    m->key.len = 0;
    for (size_t at = 0, next; at < name.len; at = next) {
        size_t word = span_run(name, at, is_word);
        if (word > 0) {
            text_add(&m->key, span_of(name.ptr + at, word));
            next = at + word;
            continue;
        }
        struct span rest = span_from(name, at), kept = span_head(rest, 1);
        next = at + 1;
        for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
            struct span tail = rest;
            if (!span_skip(&tail, forms[i].begin))
                continue;
            size_t run = forms[i].most > 0 ? span_run(tail, 0, forms[i].is) : 0;
            struct span digits = span_head(tail, run);
            tail = span_from(tail, run);
            bool fits = run >= forms[i].least && run <= forms[i].most;
            if (!fits || !span_skip(&tail, forms[i].end) || (tail.len > 0 && is_word(*tail.ptr)))
                continue;
            kept = forms[i].numbered ? forms[i].begin : SPAN("");
            if (forms[i].numbered)
                position = position << 20 | (parse_position(digits) >> 32 & 0xfffff);
            next = name.len - tail.len;
            break;
        }
        text_add(&m->key, kept);
    }
    return position;
}

/* Return true if the name is that of a function in a script. Set *js to its parts, which borrow
 * from it. */
static bool
is_script(struct span name, struct v8name *js)
{
    return (v8name_parse(name, js) || v8name_parse_clean(name, js)) && !js->wasm &&
           js->file.len > 0;
}

/* Return the script in the name of a script's function. */
static struct span
file_of(const struct pairing *m, uint32_t name)
{
    struct v8name js = {0};
    is_script(intern_text(&m->names, name), &js);
    return js.file;
}

/* Add the names of a stack that the side has. */
static void
add_names(struct pairing *m, struct span stack, enum side side)
{
    do {
        uint32_t id;
        bool is_new = intern_put(&m->names, folded_frame(&stack), &id);
        m->symbols = mem_grow(m->symbols, &m->symbols_cap, m->names.count, sizeof *m->symbols);
        struct symbol *s = &m->symbols[id];
        struct v8name js;
        if (is_new)
            *s = (struct symbol){.script = is_script(intern_text(&m->names, id), &js),
                                 .partner = NO_NAME};
        s->has[side] = true;
    } while (stack.ptr != NULL);
}

/* Return true if a run of the side has samples of the stack. */
static bool
side_has(const struct profiles *p, size_t stack, enum side side)
{
    for (size_t run = 0; run < p->nruns; run++)
        if (p->runs[run].side == side &&
            p->dialect->arithmetic->real(profiles_count(p, stack, run)) > 0)
            return true;
    return false;
}

/* Find the longest common folder of the application's scripts of a side. */
static void
find_root(struct pairing *m, enum side side)
{
    struct span root = SPAN("");
    bool first = true;
    for (uint32_t i = 0; i < m->names.count; i++) {
        const struct symbol *s = &m->symbols[i];
        if (!s->has[side] || !s->script ||
            frame_kind(intern_text(&m->names, i), SPAN("")) != KIND_APP)
            continue;
        struct span path = script_path(file_of(m, i));
        if (!span_starts(path, SPAN("/")))
            continue;
        root.len = first ? path.len : span_common(root, path);
        root.ptr = path.ptr;
        root.len = span_rfind(root, '/') + 1; /* both begin with a slash */
        first = false;
    }
    m->root[side] = root;
}

/* Return the number of the side's functions whose script the other side has, too. */
static size_t
count_common(const struct pairing *m, enum side side)
{
    size_t n = 0;
    for (uint32_t i = 0; i < m->names.count; i++)
        if (m->symbols[i].has[side] && m->symbols[i].script)
            n += intern_find(&m->files[!side], below_root(m, file_of(m, i), side)) != INTERN_NONE;
    return n;
}

static size_t
count_scripts(const struct pairing *m, enum side side)
{
    size_t n = 0;
    for (uint32_t i = 0; i < m->names.count; i++)
        n += m->symbols[i].has[side] && m->symbols[i].script;
    return n;
}

static void
list_files(struct pairing *m, enum side side)
{
    for (uint32_t i = 0; i < m->names.count; i++)
        if (m->symbols[i].has[side] && m->symbols[i].script)
            intern_add(&m->files[side], below_root(m, file_of(m, i), side));
}

/* Correct the root of a side whose samples are all from one subfolder of the program: it is too
 * deep. Choose the parent folder with which most names have a script of the other side. */
static void
raise_root(struct pairing *m, enum side side)
{
    enum { LEVELS = 16 };
    struct span best = m->root[side];
    size_t most = count_common(m, side);
    size_t all = count_scripts(m, side);
    for (int i = 0; i < LEVELS && most < all && m->root[side].len > 1; i++) {
        m->root[side].len = span_rfind(span_head(m->root[side], m->root[side].len - 1), '/') + 1;
        size_t n = count_common(m, side);
        if (n > most) {
            most = n;
            best = m->root[side];
        }
    }
    m->root[side] = best;
}

/* Find the roots, and list the scripts of each side below its root. */
static void
find_roots(struct pairing *m)
{
    for (enum side side = BEFORE; side < SIDES; side++) {
        find_root(m, side);
        list_files(m, side);
    }
    for (enum side side = BEFORE; side < SIDES; side++) {
        raise_root(m, side);
        intern_free(&m->files[side]);
        m->files[side] = (struct intern){0};
        list_files(m, side);
    }
}

static void
add_entry(struct pairing *m, uint32_t name, enum side side)
{
    struct span text = intern_text(&m->names, name);
    struct name_entry e = {.name = name, .side = (uint8_t)side};
    struct v8name js;
    if (is_script(text, &js)) {
        struct span file = below_root(m, js.file, side);
        if (intern_find(&m->files[!side], file) == INTERN_NONE)
            file = without_hash(m, file);
        e.file = intern_add(&m->keys, file) + 1;
        char tier = js.tier != 0 ? js.tier : ' ';
        TEXT_SET(&m->key, js.function, SPAN("\n"), file, SPAN("\n"), js.mark, span_of(&tier, 1));
        e.position = parse_position(js.position);
    } else {
        e.position = native_key(m, text);
    }
    e.key = intern_add(&m->keys, text_span(&m->key));
    MEM_ADD(m->entries, m->nentries, m->entries_cap, e);
}

/* List the functions to pair. Outside of scripts, a name that both sides have is the same
 * function. */
static void
list_entries(struct pairing *m)
{
    for (uint32_t i = 0; i < m->names.count; i++) {
        struct symbol *s = &m->symbols[i];
        if (!s->script && s->has[BEFORE] && s->has[AFTER]) {
            s->partner = i;
            continue;
        }
        for (enum side side = BEFORE; side < SIDES; side++)
            if (s->has[side])
                add_entry(m, i, side);
    }
}

static int
by_key(const void *a, const void *b)
{
    const struct name_entry *x = a, *y = b;
    if (x->key != y->key)
        return (x->key > y->key) - (x->key < y->key);
    if (x->side != y->side)
        return (x->side > y->side) - (x->side < y->side);
    if (x->position != y->position)
        return (x->position > y->position) - (x->position < y->position);
    return (x->name > y->name) - (x->name < y->name);
}

static int
by_line(const void *a, const void *b)
{
    const struct anchor *x = a, *y = b;
    if (x->file != y->file)
        return (x->file > y->file) - (x->file < y->file);
    if (x->line != y->line)
        return (x->line > y->line) - (x->line < y->line);
    return (x->shift > y->shift) - (x->shift < y->shift);
}

static void
pair(struct pairing *m, struct name_entry *before, struct name_entry *after)
{
    before->paired = after->paired = true;
    m->symbols[before->name].partner = after->name;
}

static void
add_anchor(struct pairing *m, const struct name_entry *before, const struct name_entry *after)
{
    MEM_ADD(m->anchors, m->nanchors, m->anchors_cap,
            (struct anchor){
                .file = before->file,
                .line = before->position >> 32,
                .shift = (int64_t)(after->position >> 32) - (int64_t)(before->position >> 32),
            });
}

/* The entries with one key: those before, then those after. */
struct group {
    struct name_entry *of[SIDES];
    size_t n[SIDES];
};

/* Return the group that begins at entry i, and move i to its end. */
static struct group
next_group(const struct pairing *m, size_t *i)
{
    struct group g = {.n = {0, 0}};
    uint32_t key = m->entries[*i].key;
    for (enum side side = BEFORE; side < SIDES; side++) {
        g.of[side] = m->entries + *i;
        for (; *i < m->nentries && m->entries[*i].key == key && m->entries[*i].side == side; ++*i)
            g.n[side]++;
    }
    return g;
}

/* Pair the function with the one that is `shift` lines below its position. Return false if there is
 * none. */
static bool
pair_at(struct pairing *m, struct name_entry *before, const struct group *g, int64_t shift)
{
    uint64_t position = before->position + ((uint64_t)shift << 32);
    size_t low = 0, high = g->n[AFTER];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (g->of[AFTER][middle].position < position)
            low = middle + 1;
        else
            high = middle;
    }
    struct name_entry *after = g->of[AFTER] + low;
    if (low == g->n[AFTER] || after->position != position || after->paired)
        return false;
    pair(m, before, after);
    return true;
}

/* Pair the functions of a script that moved as far as the nearest anchor above or below. In a
 * script without anchors, pair those that did not move, if the sides have different numbers of
 * them. */
static void
pair_moved(struct pairing *m, const struct group *g)
{
    for (size_t i = 0; i < g->n[BEFORE]; i++) {
        struct name_entry *e = &g->of[BEFORE][i];
        size_t low = 0, high = m->nanchors;
        const struct anchor at = {.file = e->file, .line = e->position >> 32, .shift = INT64_MAX};
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (by_line(&m->anchors[middle], &at) <= 0)
                low = middle + 1;
            else
                high = middle;
        }
        bool above = low > 0 && m->anchors[low - 1].file == e->file;
        bool below = low < m->nanchors && m->anchors[low].file == e->file;
        if (above && pair_at(m, e, g, m->anchors[low - 1].shift))
            continue;
        if (below && pair_at(m, e, g, m->anchors[low].shift))
            continue;
        if (!above && !below && g->n[BEFORE] != g->n[AFTER])
            pair_at(m, e, g, 0);
    }
}

/* Pair the remaining functions in the order of their positions. */
static void
pair_in_order(struct pairing *m, const struct group *g)
{
    for (size_t i = 0, k = 0; i < g->n[BEFORE]; i++) {
        while (k < g->n[AFTER] && g->of[AFTER][k].paired)
            k++;
        if (!g->of[BEFORE][i].paired && k < g->n[AFTER])
            pair(m, &g->of[BEFORE][i], &g->of[AFTER][k]);
    }
}

static void
pair_all(struct pairing *m)
{
    if (m->nentries == 0)
        return;
    qsort(m->entries, m->nentries, sizeof *m->entries, by_key);
    for (size_t i = 0; i < m->nentries;) {
        struct group g = next_group(m, &i);
        if (g.n[BEFORE] != 1 || g.n[AFTER] != 1)
            continue;
        pair(m, g.of[BEFORE], g.of[AFTER]);
        if (g.of[BEFORE]->file > 0)
            add_anchor(m, g.of[BEFORE], g.of[AFTER]);
    }
    if (m->nanchors > 0)
        qsort(m->anchors, m->nanchors, sizeof *m->anchors, by_line);
    for (size_t i = 0; i < m->nentries;) {
        struct group g = next_group(m, &i);
        if (g.of[BEFORE]->file > 0)
            pair_moved(m, &g);
        pair_in_order(m, &g);
    }
}

/* Append the name after that belongs to a name before. Mark the name of a function that is gone, if
 * another function has that name after. */
static void
add_new_name(const struct pairing *m, struct text *t, struct span name)
{
    const struct symbol *s = &m->symbols[intern_find(&m->names, name)];
    text_add(t, s->partner != NO_NAME ? intern_text(&m->names, s->partner) : name);
    if (s->partner == NO_NAME && s->has[AFTER])
        text_add(t, SPAN(" [before]"));
}

static struct span
rename_stack(const struct pairing *m, struct span stack, struct text *t)
{
    t->len = 0;
    do {
        add_new_name(m, t, folded_frame(&stack));
        text_add(t, stack.ptr != NULL ? SPAN(";") : SPAN(""));
    } while (stack.ptr != NULL);
    return text_span(t);
}

/* Rebuild the stacks and their counts, using the names after. */
static void
rename_stacks(struct profiles *p, struct pairing *m)
{
    struct profiles old = *p;
    struct text renamed = {0};
    intern_add(&m->names, intern_text(&m->names, 0)); /* builds the hash table again */
    p->stacks = (struct intern){0};
    p->counts = NULL;
    p->counts_cap = 0;
    for (uint32_t i = 0; i < old.stacks.count; i++) {
        struct span stack = intern_text(&old.stacks, i);
        bool before = side_has(&old, i, BEFORE);
        for (size_t run = 0; before && run < p->nruns; run++)
            if (p->runs[run].side == BEFORE)
                profiles_add(p, rename_stack(m, stack, &renamed), profiles_count(&old, i, run),
                             run);
        for (size_t run = 0; run < p->nruns; run++)
            if (p->runs[run].side == AFTER && (!before || side_has(&old, i, AFTER)))
                profiles_add(p, stack, profiles_count(&old, i, run), run);
    }
    intern_forget(&p->stacks);
    intern_free(&old.stacks);
    free(old.counts);
    free(renamed.ptr);
}

static bool
is_renamed(const struct pairing *m)
{
    for (uint32_t i = 0; i < m->names.count; i++) {
        const struct symbol *s = &m->symbols[i];
        if (s->has[BEFORE] && s->partner != i && (s->partner != NO_NAME || s->has[AFTER]))
            return true;
    }
    return false;
}

void
match_names(struct profiles *p)
{
    struct pairing m = {.nentries = 0};
    intern_forget(&p->stacks);
    for (uint32_t i = 0; i < p->stacks.count; i++)
        for (enum side side = BEFORE; side < SIDES; side++)
            if (side_has(p, i, side))
                add_names(&m, intern_text(&p->stacks, i), side);
    find_roots(&m);
    intern_forget(&m.names); /* what follows needs memory itself */
    list_entries(&m);
    intern_forget(&m.keys); /* sorting does, too */
    pair_all(&m);
    if (is_renamed(&m))
        rename_stacks(p, &m);
    intern_free(&m.names);
    intern_free(&m.keys);
    for (enum side side = BEFORE; side < SIDES; side++)
        intern_free(&m.files[side]);
    free(m.symbols);
    free(m.entries);
    free(m.anchors);
    free(m.key.ptr);
    free(m.file.ptr);
}
