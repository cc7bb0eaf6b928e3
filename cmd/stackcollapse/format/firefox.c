/* Profiles of the Firefox Profiler, which samply and others write too: JSON tables stored by
 * column. A number may be that of a row in another table
 * (docs-developer/processed-profile-format.md of github.com/firefox-devtools/profiler):
 *
 *     {"meta": {"interval": 1, "preprocessedProfileVersion": 49}, "libs": [], "threads": [
 *         {"name": "app", "pid": "12", "tid": 12,
 *          "samples": {"stack": [1, 1, null], "weight": null, "time": [0, 1, 2], "length": 3},
 *          "stackTable": {"frame": [0, 1], "prefix": [null, 0], "length": 2},
 *          "frameTable": {"func": [0, 1], "inlineDepth": [0, 0], "length": 2},
 *          "funcTable": {"name": [0, 1], "isJS": [false, true], "resource": [-1, -1],
 *                        "fileName": [null, 2], "lineNumber": [null, 3],
 *                        "columnNumber": [null, 9], "length": 2},
 *          "resourceTable": {"name": [], "length": 0},
 *          "stringArray": ["main", "work", "file:///srv/app.js"]}]}
 *
 * In later versions the outermost object has a member "shared": since version 56 with one
 * stringArray for all threads, since 60 with one of each table. Since 58 a function has a row number
 * of the table "sources" in place of its file's name. Since 66 "prefixOffset" says how many rows
 * before a stack its caller's stack is; 0 means that it has no caller.
 *
 * What Firefox writes with MOZ_PROFILER_SHUTDOWN has rows in place of columns, a frame's text in
 * place of its function, and the other processes within the first one
 * (docs-developer/gecko-profile-format.md):
 *
 *     {"meta": {"interval": 1, "version": 30, "stackwalk": 1}, "threads": [
 *         {"name": "GeckoMain", "pid": 12, "tid": 12,
 *          "samples": {"schema": {"stack": 0, "time": 1}, "data": [[1, 0.5], [1, 1.5]]},
 *          "stackTable": {"schema": {"prefix": 0, "frame": 1}, "data": [[null, 0], [0, 1]]},
 *          "frameTable": {"schema": {"location": 0}, "data": [[0], [1]]},
 *          "stringTable": ["(root)", "work (file:///srv/app.js:3:9)"]}],
 *      "processes": [{"meta": {}, "threads": [], "processes": []}]} */
#include <stdlib.h>

#include "cmd/stackcollapse/build/jsname.h"
#include "cmd/stackcollapse/build/jsonfile.h"
#include "cmd/stackcollapse/build/stackbuild.h"
#include "common/base/num.h"

enum column {
    STACK_FRAME,
    STACK_PREFIX,
    STACK_PREFIX_OFFSET,
    FRAME_FUNC,
    FRAME_LOCATION,
    FRAME_INLINE_DEPTH,
    FUNC_NAME,
    FUNC_IS_JS,
    FUNC_FILE,
    FUNC_SOURCE,
    FUNC_LINE,
    FUNC_COLUMN,
    FUNC_RESOURCE,
    RESOURCE_NAME,
    SOURCE_FILE,
    SAMPLE_STACK,
    COLUMNS,
};

static const struct {
    struct span table, column;
} names[COLUMNS] = {
    [STACK_FRAME] = {SPAN("stackTable"), SPAN("frame")},
    [STACK_PREFIX] = {SPAN("stackTable"), SPAN("prefix")},
    [STACK_PREFIX_OFFSET] = {SPAN("stackTable"), SPAN("prefixOffset")},
    [FRAME_FUNC] = {SPAN("frameTable"), SPAN("func")},
    [FRAME_LOCATION] = {SPAN("frameTable"), SPAN("location")},
    [FRAME_INLINE_DEPTH] = {SPAN("frameTable"), SPAN("inlineDepth")},
    [FUNC_NAME] = {SPAN("funcTable"), SPAN("name")},
    [FUNC_IS_JS] = {SPAN("funcTable"), SPAN("isJS")},
    [FUNC_FILE] = {SPAN("funcTable"), SPAN("fileName")},
    [FUNC_SOURCE] = {SPAN("funcTable"), SPAN("source")},
    [FUNC_LINE] = {SPAN("funcTable"), SPAN("lineNumber")},
    [FUNC_COLUMN] = {SPAN("funcTable"), SPAN("columnNumber")},
    [FUNC_RESOURCE] = {SPAN("funcTable"), SPAN("resource")},
    [RESOURCE_NAME] = {SPAN("resourceTable"), SPAN("name")},
    [SOURCE_FILE] = {SPAN("sources"), SPAN("filename")},
    [SAMPLE_STACK] = {SPAN("samples"), SPAN("stack")},
};

/* An index that is null, or no number from 0 on. */
#define NO_INDEX UINT32_MAX

struct numbers {
    uint32_t *at;
    size_t n, cap;
};

/* The tables of a thread, or those that all threads share. */
struct tables {
    struct numbers columns[COLUMNS];
    struct intern text;         /* the different strings */
    struct numbers strings;     /* of stringArray: numbers in `text` */
    struct numbers frame_names; /* by frame: the number of its name in the profile, or NO_INDEX */
};

struct thread {
    struct tables own;
    struct text name;
    struct decimal *weights; /* of the samples; none: each counts 1 */
    size_t nweights, weights_cap;
    bool milliseconds; /* the weights are times */
};

struct file {
    struct collapse *c;
    struct json json;
    struct stackbuild stack;
    struct tables shared;
    struct thread *threads;
    size_t nthreads, threads_cap;
    /* The stacks of threads that were looked up, and by their number the node in the profile's tree;
     * STACKTREE_ROOT: a caller is not listed, or the stack is called by itself. */
    struct intern seen; /* tables, thread's node and stack, as bytes */
    struct numbers nodes;
    struct numbers path; /* stacks that are looked up, each after its callee */
    struct jsname frame;
    struct text name;
    uint64_t lost; /* samples of stacks that are not listed */
    size_t listed; /* stacks, and samples */
    bool too_many; /* stacks of threads: see STACKS_MOST */
};

/* A stack that several threads share is a stack of each. Where these are more than this many times
 * what the file lists, they were made up to exhaust memory: a thread has few of all stacks. */
enum { STACKS_MOST = 16 };

static void
add(struct numbers *numbers, uint32_t n)
{
    numbers->at = mem_grow(numbers->at, &numbers->cap, numbers->n + 1, sizeof *numbers->at);
    numbers->at[numbers->n++] = n;
}

static uint32_t
get(const struct tables *t, enum column column, uint32_t row)
{
    const struct numbers *numbers = &t->columns[column];
    return row < numbers->n ? numbers->at[row] : NO_INDEX;
}

/* Return the value read last: a number, or 1 for true. */
static uint32_t
value(const struct json *j)
{
    uint64_t n;
    return j->item == JSON_TRUE ? 1 : json_u64(j, &n) && n < NO_INDEX ? (uint32_t)n : NO_INDEX;
}

static void
read_column(struct json *j, struct numbers *numbers)
{
    if (!json_enter(j, JSON_ARRAY))
        return;
    for (; json_element(j); json_skip(j))
        add(numbers, value(j));
}

/* Return the column of this name, which is the key read last, or COLUMNS. */
static enum column
column_of(const struct json *j, struct span table)
{
    enum column i = 0;
    while (i < COLUMNS && !(span_eq(names[i].table, table) && json_is(j, names[i].column)))
        i++;
    return i;
}

enum { MOST_PLACES = 16 }; /* in a row; the samples of Firefox have 5 */

/* Read a schema: at which place of a row a column is. */
static void
read_schema(struct json *j, struct span table, enum column places[MOST_PLACES])
{
    if (!json_enter(j, JSON_OBJECT))
        return;
    while (json_member(j)) {
        enum column column = column_of(j, table);
        json_scalar(j);
        if (value(j) < MOST_PLACES)
            places[value(j)] = column;
    }
}

/* Read rows. What a row lacks at its end is null. */
static void
read_rows(struct json *j, struct tables *t, const enum column places[MOST_PLACES])
{
    if (!json_enter(j, JSON_ARRAY))
        return;
    while (json_element(j)) {
        uint32_t row[MOST_PLACES];
        size_t n = 0;
        if (j->item != JSON_ARRAY) {
            json_skip(j);
            continue;
        }
        for (; json_element(j); json_skip(j))
            if (n < MOST_PLACES)
                row[n++] = value(j);
        for (size_t i = 0; i < MOST_PLACES; i++)
            if (places[i] < COLUMNS)
                add(&t->columns[places[i]], i < n ? row[i] : NO_INDEX);
    }
}

static void
read_weights(struct file *f, struct thread *thread)
{
    struct json *j = &f->json;
    if (!json_enter(j, JSON_ARRAY))
        return;
    for (; json_element(j); json_skip(j)) {
        struct decimal weight = {0, 0};
        if (!json_decimal(j, 0, &weight))
            input_skip(&f->c->input, "a weight is not a number from 0 on");
        thread->weights =
            mem_grow(thread->weights, &thread->weights_cap, thread->nweights + 1, sizeof weight);
        thread->weights[thread->nweights++] = weight;
    }
}

/* Read a table of this name. `thread` is NULL in "shared". */
static void
read_table(struct file *f, struct tables *t, struct thread *thread, struct span table)
{
    struct json *j = &f->json;
    enum column places[MOST_PLACES], column;
    for (size_t i = 0; i < MOST_PLACES; i++)
        places[i] = COLUMNS;
    if (!json_enter(j, JSON_OBJECT))
        return;
    while (json_member(j)) {
        bool samples = thread != NULL && span_eq(table, SPAN("samples"));
        if ((column = column_of(j, table)) < COLUMNS)
            read_column(j, &t->columns[column]);
        else if (json_is(j, SPAN("schema")))
            read_schema(j, table, places);
        else if (json_is(j, SPAN("data")))
            read_rows(j, t, places);
        else if (samples && json_is(j, SPAN("weight")))
            read_weights(f, thread);
        else if (samples && json_is(j, SPAN("weightType")))
            thread->milliseconds =
                json_scalar(j) == JSON_STRING && span_eq(j->text, SPAN("tracing-ms"));
        else
            json_scalar(j);
    }
}

static void
read_strings(struct json *j, struct tables *t)
{
    if (!json_enter(j, JSON_ARRAY))
        return;
    for (; json_element(j); json_skip(j))
        add(&t->strings, intern_add(&t->text, j->item == JSON_STRING ? j->text : SPAN("")));
}

/* Read the value of the key read last, if it is a table. False, with nothing read, if not. */
static bool
read_if_table(struct file *f, struct tables *t, struct thread *thread)
{
    if (json_is(&f->json, SPAN("stringArray")) || json_is(&f->json, SPAN("stringTable"))) {
        read_strings(&f->json, t);
        return true;
    }
    for (enum column i = 0; i < COLUMNS; i++)
        if (json_is(&f->json, names[i].table)) {
            read_table(f, t, thread, names[i].table);
            return true;
        }
    return false;
}

/* Read a thread, whose "{" was read. */
static void
read_thread(void *ctx)
{
    struct file *f = ctx;
    struct json *j = &f->json;
    f->threads = mem_grow(f->threads, &f->threads_cap, f->nthreads + 1, sizeof *f->threads);
    struct thread *thread = &f->threads[f->nthreads++];
    *thread = (struct thread){0};
    while (json_member(j)) {
        bool is_name = json_is(j, SPAN("name"));
        if (is_name)
            jsonfile_text(j, &thread->name);
        else if (!read_if_table(f, &thread->own, thread))
            json_scalar(j);
    }
}

/* Read the profile. Those of other processes are within it, and are read as if they were not. */
static void
read_profile(struct file *f)
{
    struct json *j = &f->json;
    while (json_next(j) != JSON_ERROR && j->item != JSON_END) {
        if (j->item != JSON_KEY)
            continue; /* where an object of a process begins or ends */
        if (json_is(j, SPAN("threads"))) {
            jsonfile_objects(j, read_thread, f);
        } else if (json_is(j, SPAN("processes"))) {
            json_enter(j, JSON_ARRAY);
        } else if (json_is(j, SPAN("shared"))) {
            if (json_enter(j, JSON_OBJECT))
                while (json_member(j))
                    if (!read_if_table(f, &f->shared, NULL))
                        json_scalar(j);
        } else {
            json_scalar(j);
        }
    }
}

/* Return the string of this index; empty if there is none. */
static struct span
string(const struct tables *t, uint32_t i)
{
    return i < t->strings.n ? intern_text(&t->text, t->strings.at[i]) : SPAN("");
}

/* Compose a function's name in f->name. One without a symbol is called by its library. */
static void
name_function(struct file *f, const struct tables *t, const struct tables *strings, uint32_t func)
{
    struct span name = string(strings, get(t, FUNC_NAME, func));
    uint32_t source = get(t, FUNC_SOURCE, func), line = get(t, FUNC_LINE, func),
             column = get(t, FUNC_COLUMN, func);
    const struct tables *sources = t->columns[SOURCE_FILE].n > 0 ? t : &f->shared;
    struct span file = string(strings, get(t, FUNC_FILE, func)),
                library = string(strings, get(t, RESOURCE_NAME, get(t, FUNC_RESOURCE, func)));
    if (file.len == 0)
        file = string(strings, get(sources, SOURCE_FILE, source));
    f->name.len = 0;
    if (get(t, FUNC_IS_JS, func) == 1 && file.len > 0) {
        f->frame.function.len = f->frame.url.len = 0;
        text_add(&f->frame.function, name);
        text_add(&f->frame.url, file);
        f->frame.line = line != NO_INDEX && line > 0 ? line - 1 : UINT64_MAX;
        f->frame.column = column != NO_INDEX && column > 0 ? column - 1 : UINT64_MAX;
        jsname_write(&f->frame, &f->name);
    } else if (span_starts(name, SPAN("0x")) && library.len > 0) {
        text_add(&f->name, SPAN("["));
        text_add(&f->name, library);
        text_add(&f->name, SPAN("]"));
    } else {
        text_add(&f->name, name.len > 0 ? name : SPAN("[unknown]"));
    }
}

/* Return the number in the profile of a frame's name. */
static uint32_t
name_frame(struct file *f, struct tables *t, const struct tables *strings, uint32_t frame)
{
    size_t frames = t->columns[FRAME_FUNC].n + t->columns[FRAME_LOCATION].n;
    while (t->frame_names.n < frames)
        add(&t->frame_names, NO_INDEX);
    if (frame < frames && t->frame_names.at[frame] != NO_INDEX)
        return t->frame_names.at[frame];
    if (frame < t->columns[FRAME_LOCATION].n) {
        struct span location = string(strings, get(t, FRAME_LOCATION, frame));
        f->name.len = 0;
        text_add(&f->name, span_starts(location, SPAN("0x")) ? SPAN("[unknown]") : location);
    } else {
        uint32_t inlined = get(t, FRAME_INLINE_DEPTH, frame);
        name_function(f, t, strings, get(t, FRAME_FUNC, frame));
        if (inlined > 0 && inlined != NO_INDEX)
            text_add(&f->name, SPAN("_[i]"));
    }
    uint32_t name = stackbuild_name(&f->stack, text_span(&f->name));
    if (frame < frames)
        t->frame_names.at[frame] = name;
    return name;
}

/* Return the caller's stack of a stack, or NO_INDEX. */
static uint32_t
caller(const struct tables *t, uint32_t stack)
{
    uint32_t offset = get(t, STACK_PREFIX_OFFSET, stack);
    if (offset != NO_INDEX)
        return offset > 0 && offset <= stack ? stack - offset : NO_INDEX;
    return get(t, STACK_PREFIX, stack);
}

/* Return the node in the profile's tree of a thread's stack, below the node `root`. STACKTREE_ROOT:
 * the stack, or a caller of it, is not listed, or it is called by itself. */
static uint32_t
node_of(struct file *f, struct tables *t, const struct tables *strings, uint32_t root,
        uint32_t leaf)
{
    uint32_t node = root, number;
    f->path.n = 0;
    for (uint32_t stack = leaf; stack != NO_INDEX; stack = caller(t, stack)) {
        const struct {
            const struct tables *tables;
            uint32_t root, stack;
        } key = {t, root, stack};
        if (f->seen.count / STACKS_MOST > f->listed)
            f->too_many = true;
        if (stack >= t->columns[STACK_FRAME].n || f->too_many)
            return STACKTREE_ROOT;
        if (!intern_put(&f->seen, span_of((const char *)&key, sizeof key), &number)) {
            node = f->nodes.at[number];
            break;
        }
        add(&f->nodes, STACKTREE_ROOT);
        add(&f->path, number);
        add(&f->path, stack);
    }
    for (; f->path.n > 0 && node != STACKTREE_ROOT; f->path.n -= 2) {
        uint32_t frame = get(t, STACK_FRAME, f->path.at[f->path.n - 1]);
        node = stacktree_child(&f->c->profile.tree, node, name_frame(f, t, strings, frame));
        f->nodes.at[f->path.at[f->path.n - 2]] = node;
    }
    return node;
}

static void
fold_thread(struct file *f, struct thread *thread)
{
    const struct numbers *stacks = &thread->own.columns[SAMPLE_STACK];
    struct tables *t = thread->own.columns[STACK_FRAME].n > 0 ? &thread->own : &f->shared;
    const struct tables *strings = thread->own.strings.n > 0 ? &thread->own : &f->shared;
    bool once = f->c->options->weight == WEIGHT_SAMPLES;
    uint32_t root = stacktree_child(&f->c->profile.tree, STACKTREE_ROOT,
                                    stackbuild_name(&f->stack, text_span(&thread->name)));
    for (size_t i = 0; i < stacks->n; i++) {
        struct decimal count = {1, 0};
        f->c->samples++;
        if (stacks->at[i] == NO_INDEX) {
            f->c->without_frames++;
            continue;
        }
        uint32_t node = node_of(f, t, strings, root, stacks->at[i]);
        if (i < thread->nweights && !once)
            count = decimal_shift(thread->weights[i], thread->milliseconds ? 3 : 0);
        if (node == STACKTREE_ROOT)
            f->lost++;
        else if (!decimal_is_zero(count))
            stacktree_count(&f->c->profile.tree, node, count);
    }
}

static void
free_tables(struct tables *t)
{
    for (size_t i = 0; i < COLUMNS; i++)
        free(t->columns[i].at);
    intern_free(&t->text);
    free(t->strings.at);
    free(t->frame_names.at);
}

static void
free_file(struct file *f)
{
    free_tables(&f->shared);
    for (size_t i = 0; i < f->nthreads; i++) {
        free_tables(&f->threads[i].own);
        free(f->threads[i].name.ptr);
        free(f->threads[i].weights);
    }
    free(f->threads);
    intern_free(&f->seen);
    free(f->nodes.at);
    free(f->path.at);
    stackbuild_free(&f->stack);
    free(f->frame.function.ptr);
    free(f->frame.url.ptr);
    free(f->name.ptr);
}

static void
fold(struct collapse *c, void **state)
{
    (void)state;
    char digits[NUM_COMMAS];
    struct file f = {.c = c, .stack = {.profile = &c->profile}};
    jsonfile_start(&f.json, c);
    read_profile(&f);
    jsonfile_end(&f.json, c);
    f.listed = f.shared.columns[STACK_FRAME].n;
    for (size_t i = 0; i < f.nthreads; i++)
        f.listed +=
            f.threads[i].own.columns[STACK_FRAME].n + f.threads[i].own.columns[SAMPLE_STACK].n;
    for (size_t i = 0; i < f.nthreads; i++)
        fold_thread(&f, &f.threads[i]);
    if (f.too_many)
        diag_error(c->diag, (struct place){c->input.name, 0},
                   "its threads share more stacks than fit in memory: %.*s samples are left out",
                   SPAN_ARG(num_commas(digits, f.lost)));
    else if (f.lost > 0)
        diag_warn(c->diag, NULL, (struct place){c->input.name, 0},
                  "samples of stacks that are not listed, left out: %.*s",
                  SPAN_ARG(num_commas(digits, f.lost)));
    free_file(&f);
}

static bool
is_ours(struct span head)
{
    return jsonfile_has(head, SPAN("meta")) &&
           (jsonfile_has(head, SPAN("preprocessedProfileVersion")) ||
            jsonfile_has(head, SPAN("stackwalk")) || jsonfile_has(head, SPAN("stackTable")));
}

const struct format format_firefox = {.is_json = is_ours, .fold = fold};
