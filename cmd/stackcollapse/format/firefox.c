/* Profiles of the Firefox Profiler, which samply and others write too: JSON tables stored by
 * column. Numbers may refer to rows of another table (docs-developer/processed-profile-format.md of
 * github.com/firefox-devtools/profiler):
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
 * stringArray for all threads, since 60 with one table of each kind. Since 58 a function has a row
 * number of the table "sources" in place of its file's name. Since 66 a stack has a "prefixOffset":
 * its caller's stack stands that many rows before it; 0 means that it has no caller.
 *
 * The files that Firefox writes with MOZ_PROFILER_SHUTDOWN have rows instead of columns, the text
 * of a frame instead of its function, and the other processes inside the first one
 * (docs-developer/gecko-profile-format.md):
 *
 *     {"meta": {"interval": 1, "version": 30, "stackwalk": 1}, "threads": [
 *         {"name": "GeckoMain", "pid": 12, "tid": 12,
 *          "samples": {"schema": {"stack": 0, "time": 1}, "data": [[1, 0.5], [1, 1.5]]},
 *          "stackTable": {"schema": {"prefix": 0, "frame": 1}, "data": [[null, 0], [0, 1]]},
 *          "frameTable": {"schema": {"location": 0}, "data": [[0], [1]]},
 *          "stringTable": ["(root)", "work (file:///srv/app.js:3:9)"]}],
 *      "processes": [{"meta": {}, "threads": [], "processes": []}]}
 *
 * Recordings that the panel "Performance" of Firefox's developer tools saved, up to version 79,
 * contain such a profile:
 *
 *     {"label": "", "duration": 2, "profile": {"meta": {}, "threads": []},
 *      "fileType": "Recorded Performance Data", "version": 2}
 *
 * Profiles of the earlier profiler Cleopatra have the names of frames apart, and are refused:
 *
 *     {"format": "profileJSONWithSymbolicationTable,1", "meta": {"stackwalk": 1, "version": 2},
 *      "profileJSON": [{"frames": [7, 0]}], "symbolicationTable": {"0": "main (in app)"}} */
#include <stdlib.h>

#include "cmd/stackcollapse/shared/jsname.h"
#include "common/base/num.h"

/* The columns to read: constant, table, column. */
#define COLUMNS_OF(X)                                                                              \
    X(STACK_FRAME, "stackTable", "frame")                                                          \
    X(STACK_PREFIX, "stackTable", "prefix")                                                        \
    X(STACK_PREFIX_OFFSET, "stackTable", "prefixOffset")                                           \
    X(FRAME_FUNC, "frameTable", "func")                                                            \
    X(FRAME_LOCATION, "frameTable", "location")                                                    \
    X(FRAME_INLINE_DEPTH, "frameTable", "inlineDepth")                                             \
    X(FUNC_NAME, "funcTable", "name")                                                              \
    X(FUNC_IS_JS, "funcTable", "isJS")                                                             \
    X(FUNC_FILE, "funcTable", "fileName")                                                          \
    X(FUNC_SOURCE, "funcTable", "source")                                                          \
    X(FUNC_LINE, "funcTable", "lineNumber")                                                        \
    X(FUNC_COLUMN, "funcTable", "columnNumber")                                                    \
    X(FUNC_RESOURCE, "funcTable", "resource")                                                      \
    X(RESOURCE_NAME, "resourceTable", "name")                                                      \
    X(SOURCE_FILE, "sources", "filename")                                                          \
    X(SAMPLE_STACK, "samples", "stack")

#define NUMBER(id, table, column) id,
enum column {
    COLUMNS_OF(NUMBER) COLUMNS,
    STRINGS = COLUMNS, /* of stringArray: numbers in `text` */
    FRAME_NAMES,       /* for each frame: number of its name in the profile */
    ARRAYS,
};

#define NAMES(id, table, column) {SPAN(table), SPAN(column)},
static const struct {
    struct span table, column;
} names[COLUMNS] = {COLUMNS_OF(NAMES)};

/* An index that is null, or not a number from 0 on. */
#define NO_INDEX JSONFILE_NONE

/* A thread, or the tables that all threads share. */
struct firefox_thread {
    struct u32vec arrays[ARRAYS]; /* indexed by enum column */
    struct intern text;           /* the distinct strings */
    struct text name;
    VEC(struct decimal) weights; /* of the samples; empty: each counts 1 */
    bool milliseconds;           /* the weights are times */
};

struct firefox {
    struct stacker base;
    bool cleopatra;       /* the file is a profile of Cleopatra */
    bool is_exported;     /* written by stackexport, from stacks that were already folded */
    struct intern looked; /* stacks looked up: tables, thread's node and stack, as bytes */
    struct u32vec nodes;  /* of these in the profile's tree; NO_INDEX: a caller is not listed,
                             or the stack is called by itself */
    struct firefox_thread shared;
    VEC(struct firefox_thread) threads;
    struct firefox_thread *at; /* the one being read */
    struct u32vec path;        /* stacks being looked up, each after its callee */
    uint64_t lost;             /* number of samples whose stack is not listed */
    size_t listed;             /* number of stacks and samples listed */
    bool too_many;             /* too many stacks of threads: see STACKS_MAX */
};

/* Limit of the number of pairs of a thread and its stack, as a multiple of the stacks and samples
 * that the file lists. Stacks that threads share count for each thread. A real thread has few of
 * all stacks: a file with more was made to exhaust memory. */
enum { STACKS_MAX = 16 };

static uint32_t
get(const struct firefox_thread *t, enum column column, uint32_t row)
{
    const struct u32vec *numbers = &t->arrays[column];
    return row < numbers->n ? numbers->at[row] : NO_INDEX;
}

/* Return the value read last: an index, or 1 for true. */
static uint32_t
value(const struct json *j)
{
    return j->item == JSON_TRUE ? 1 : jsonfile_index(j);
}

static void
read_index(void *ctx, struct json *j)
{
    struct u32vec *numbers = ctx;
    VEC_ADD(*numbers, value(j));
}

/* Return the column that the last key names, or COLUMNS. */
static enum column
column_of(const struct json *j, struct span table)
{
    enum column i = 0;
    while (i < COLUMNS && !(span_eq(names[i].table, table) && json_is(j, names[i].column)))
        i++;
    return i;
}

enum { MOST_PLACES = 16 }; /* in a row; the samples of Firefox have 5 */

/* A table stored by rows. It is kept until its end, since its schema may come after the rows. */
struct firefox_rows {
    enum column columns[MOST_PLACES]; /* column at each place of a row; COLUMNS: not read */
    struct u32vec values;             /* of all rows, row by row */
    VEC(unsigned char) lengths;       /* length of each row */
};

static void
read_schema(struct json *j, struct span table, struct firefox_rows *rows)
{
    if (!json_enter(j, JSON_OBJECT))
        return;
    while (json_member(j)) {
        enum column column = column_of(j, table);
        json_scalar(j);
        if (value(j) < MOST_PLACES)
            rows->columns[value(j)] = column;
    }
}

static void
read_rows(struct json *j, struct firefox_rows *rows)
{
    if (!json_enter(j, JSON_ARRAY))
        return;
    while (json_element(j)) {
        if (j->item != JSON_ARRAY) {
            json_skip(j);
            continue;
        }
        unsigned char n = 0;
        for (; json_element(j); json_skip(j))
            if (n < MOST_PLACES) {
                VEC_ADD(rows->values, value(j));
                n++;
            }
        VEC_ADD(rows->lengths, n);
    }
}

/* Append the rows to the thread's columns, and free them. Missing places at the end of a row are
 * null. */
static void
take_rows(struct firefox_thread *t, struct firefox_rows *rows)
{
    size_t n, at = 0;
    for (size_t row = 0; row < rows->lengths.n; row++, at += n) {
        n = rows->lengths.at[row];
        for (size_t i = 0; i < MOST_PLACES; i++)
            if (rows->columns[i] < COLUMNS)
                VEC_ADD(t->arrays[rows->columns[i]], i < n ? rows->values.at[at + i] : NO_INDEX);
    }
    free(rows->values.at);
    free(rows->lengths.at);
}

static void
read_weight(void *ctx, struct json *j)
{
    struct firefox *f = ctx;
    VEC_ADD(f->at->weights, jsonfile_weight(&f->base, j));
}

/* Read the table of this name. */
static void
read_table(struct firefox *f, struct json *j, struct span table)
{
    bool samples = span_eq(table, SPAN("samples"));
    struct firefox_rows rows = {.values = {0}};
    enum column column;
    for (size_t i = 0; i < MOST_PLACES; i++)
        rows.columns[i] = COLUMNS;
    if (!json_enter(j, JSON_OBJECT))
        return;
    while (json_member(j))
        if ((column = column_of(j, table)) < COLUMNS)
            jsonfile_elements(j, read_index, &f->at->arrays[column], false);
        else if (json_is(j, SPAN("schema")))
            read_schema(j, table, &rows);
        else if (json_is(j, SPAN("data")))
            read_rows(j, &rows);
        else if (samples && json_is(j, SPAN("weight")))
            jsonfile_elements(j, read_weight, f, false);
        else if (samples && json_is(j, SPAN("weightType")))
            f->at->milliseconds =
                json_scalar(j) == JSON_STRING && span_eq(j->text, SPAN("tracing-ms"));
        else
            json_scalar(j);
    take_rows(f->at, &rows);
}

static void
read_string(void *ctx, struct json *j)
{
    struct firefox_thread *t = ctx;
    struct span string = j->item == JSON_STRING ? j->text : SPAN("");
    VEC_ADD(t->arrays[STRINGS], intern_add(&t->text, string));
}

/* Read the members of a thread, or of "shared", into *f->at, after the "{". */
static void
read_tables(struct firefox *f, struct json *j)
{
    static const struct jsonfield fields[] = {
        FIELD_TEXT("name", struct firefox_thread, name),
        FIELD_ELEMENTS("stringArray", read_string),
        FIELD_ELEMENTS("stringTable", read_string),
        FIELD_END,
    };
    while (json_member(j)) {
        enum column i = 0;
        while (i < COLUMNS && !json_is(j, names[i].table))
            i++;
        if (i < COLUMNS)
            read_table(f, j, names[i].table);
        else
            jsonfile_member(j, fields, f->at);
    }
}

static void
read_thread(void *ctx, struct json *j)
{
    struct firefox *f = ctx;
    VEC_ADD(f->threads, (struct firefox_thread){0});
    f->at = &f->threads.at[f->threads.n - 1];
    read_tables(f, j);
}

static void
read_shared(void *ctx, struct json *j)
{
    struct firefox *f = ctx;
    f->at = &f->shared;
    read_tables(f, j);
}

/* Return the string with this index; empty if there is none. */
static struct span
string(const struct firefox_thread *t, uint32_t i)
{
    return i < t->arrays[STRINGS].n ? intern_text(&t->text, t->arrays[STRINGS].at[i]) : SPAN("");
}

/* Compose the name of a function in the stacker's buffer. A function without a symbol is named by
 * its library. */
static void
name_function(struct firefox *f, const struct firefox_thread *t,
              const struct firefox_thread *strings, uint32_t func)
{
    struct span name = string(strings, get(t, FUNC_NAME, func));
    uint32_t source = get(t, FUNC_SOURCE, func), line = get(t, FUNC_LINE, func),
             column = get(t, FUNC_COLUMN, func);
    const struct firefox_thread *sources = t->arrays[SOURCE_FILE].n > 0 ? t : &f->shared;
    struct text *text = &f->base.name;
    struct span file = string(strings, get(t, FUNC_FILE, func)),
                library = string(strings, get(t, RESOURCE_NAME, get(t, FUNC_RESOURCE, func)));
    if (file.len == 0)
        file = string(strings, get(sources, SOURCE_FILE, source));
    if (get(t, FUNC_IS_JS, func) == 1 && file.len > 0) {
        jsname_compose(text, name, file, line != NO_INDEX ? line : UINT64_MAX,
                       column != NO_INDEX ? column : UINT64_MAX, 1);
    } else if (span_starts(name, SPAN("0x")) && library.len > 0) {
        stacker_bracket(&f->base, library);
    } else {
        text_set(text, name.len > 0 ? name : SPAN("[unknown]"));
    }
}

/* Return the number of a frame's name in the profile. */
static uint32_t
name_frame(struct firefox *f, const struct firefox_thread *t, const struct firefox_thread *strings,
           uint32_t frame)
{
    struct text *text = &f->base.name;
    if (frame < t->arrays[FRAME_LOCATION].n) {
        struct span location = string(strings, get(t, FRAME_LOCATION, frame));
        text_set(text, span_starts(location, SPAN("0x")) ? SPAN("[unknown]") : location);
    } else {
        uint32_t inlined = get(t, FRAME_INLINE_DEPTH, frame);
        name_function(f, t, strings, get(t, FRAME_FUNC, frame));
        if (inlined > 0 && inlined != NO_INDEX)
            text_add(text, SPAN("_[i]"));
    }
    return stacker_name(&f->base, text_span(text));
}

/* Return the stack of a stack's caller, or NO_INDEX. */
static uint32_t
caller(const struct firefox_thread *t, uint32_t stack)
{
    uint32_t offset = get(t, STACK_PREFIX_OFFSET, stack);
    if (offset != NO_INDEX)
        return offset > 0 && offset <= stack ? stack - offset : NO_INDEX;
    return get(t, STACK_PREFIX, stack);
}

/* Return the node of a thread's stack in the profile's tree, below the node `root`. Return NO_INDEX
 * if the stack or one of its callers is not listed, or if it calls itself. */
static uint32_t
node_of(struct firefox *f, const struct firefox_thread *t, uint32_t root, uint32_t leaf)
{
    const struct u32vec *named = &t->arrays[FRAME_NAMES];
    uint32_t node = root, number;
    f->path.n = 0;
    for (uint32_t stack = leaf; stack != NO_INDEX; stack = caller(t, stack)) {
        const struct {
            const struct firefox_thread *tables;
            uint32_t root, stack;
        } key = {t, root, stack};
        if (f->looked.count / STACKS_MAX > f->listed)
            f->too_many = true;
        if (stack >= t->arrays[STACK_FRAME].n || f->too_many)
            return NO_INDEX;
        if (!intern_put(&f->looked, SPAN_BYTES(key), &number)) {
            node = f->nodes.at[number];
            break;
        }
        VEC_ADD(f->nodes, NO_INDEX);
        VEC_ADD(f->path, number);
        VEC_ADD(f->path, stack);
    }
    for (; f->path.n > 0 && node != NO_INDEX; f->path.n -= 2) {
        uint32_t frame = get(t, STACK_FRAME, f->path.at[f->path.n - 1]);
        frame = frame < named->n ? frame : (uint32_t)named->n - 1;
        node = stacktree_child(&f->base.c->profile.tree, node, named->at[frame]);
        f->nodes.at[f->path.at[f->path.n - 2]] = node;
    }
    return node;
}

static void
fold_thread(struct firefox *f, struct firefox_thread *thread)
{
    const struct u32vec *stacks = &thread->arrays[SAMPLE_STACK];
    struct firefox_thread *t = thread->arrays[STACK_FRAME].n > 0 ? thread : &f->shared;
    const struct firefox_thread *strings = thread->arrays[STRINGS].n > 0 ? thread : &f->shared;
    bool once = f->base.c->options->weight == WEIGHT_SAMPLES;
    uint32_t root = f->is_exported
                        ? STACKTREE_ROOT
                        : stacktree_child(&f->base.c->profile.tree, STACKTREE_ROOT,
                                          stacker_name(&f->base, text_span(&thread->name)));
    struct u32vec *named = &t->arrays[FRAME_NAMES];
    size_t nframes = t->arrays[FRAME_FUNC].n + t->arrays[FRAME_LOCATION].n;
    while (named->n <= nframes) /* one more, for frames that are not listed */
        VEC_ADD(*named, name_frame(f, t, strings, (uint32_t)named->n));
    for (size_t i = 0; i < stacks->n; i++) {
        struct decimal count = {1, 0};
        f->base.c->samples++;
        if (stacks->at[i] == NO_INDEX) {
            f->base.c->without_frames++;
            continue;
        }
        uint32_t node = node_of(f, t, root, stacks->at[i]);
        if (i < thread->weights.n && !once)
            count = decimal_shift(thread->weights.at[i], thread->milliseconds ? 3 : 0);
        if (node == NO_INDEX)
            f->lost++;
        else if (!decimal_is_zero(count))
            stacktree_count(&f->base.c->profile.tree, node, count);
    }
}

static void
free_thread(struct firefox_thread *t)
{
    for (size_t i = 0; i < ARRAYS; i++)
        free(t->arrays[i].at);
    intern_free(&t->text);
    free(t->name.ptr);
    free(t->weights.at);
}

static void
end(struct stacker *r)
{
    struct firefox *f = (struct firefox *)r;
    free_thread(&f->shared);
    for (size_t i = 0; i < f->threads.n; i++)
        free_thread(&f->threads.at[i]);
}

static void
finish(struct stacker *r)
{
    struct firefox *f = (struct firefox *)r;
    f->listed = f->shared.arrays[STACK_FRAME].n;
    for (size_t i = 0; i < f->threads.n; i++) {
        const struct firefox_thread *t = &f->threads.at[i];
        f->listed += t->arrays[STACK_FRAME].n + t->arrays[SAMPLE_STACK].n;
    }
    for (size_t i = 0; i < f->threads.n; i++)
        fold_thread(f, &f->threads.at[i]);
    if (f->cleopatra && f->threads.n == 0)
        diag_error(r->c->diag, stacker_file(r),
                   "a profile of Cleopatra, Firefox's former profiler: open it at "
                   "https://profiler.firefox.com, and fold what is saved there");
    else if (f->too_many)
        diag_error(r->c->diag, stacker_file(r),
                   "its threads share more stacks than fit in memory: %s samples are left out",
                   NUM_TEXT(f->lost));
    else
        stacker_warn_left_out(r, f->lost, "samples of stacks that are not listed");
}

/* The head of a recording of the developer tools may end within its markers. */
static bool
is_ours(struct span head)
{
    bool meta = jsonfile_has(head, SPAN("meta")) &&
                (jsonfile_has(head, SPAN("preprocessedProfileVersion")) ||
                 jsonfile_has(head, SPAN("stackwalk")) || jsonfile_has(head, SPAN("stackTable")));
    bool panel = jsonfile_has(head, SPAN("label")) && jsonfile_has(head, SPAN("duration")) &&
                 jsonfile_has(head, SPAN("markers"));
    return meta || panel || span_holds(head, SPAN("\"Recorded Performance Data\"")) ||
           (jsonfile_has(head, SPAN("stackTable")) && jsonfile_has(head, SPAN("frameTable")));
}

/* Remember whether stackexport wrote the file: its stacks were already folded, so they do not begin
 * with names of threads. */
static void
read_importer(void *ctx, struct json *j)
{
    json_scalar(j);
    ((struct firefox *)ctx)->is_exported =
        j->item == JSON_STRING && span_eq(j->text, SPAN("flamepipe"));
}

static void
read_meta(void *ctx, struct json *j)
{
    static const struct jsonfield fields[] = {
        FIELD_VALUE("importedFrom", read_importer),
        FIELD_END,
    };
    jsonfile_object(j, fields, ctx);
}

/* Read profiles of other processes, which are inside the first one, as if they were beside it. Do
 * the same with the profile inside a recording of the developer tools, whose first versions put it
 * into another member. */
static const struct jsonfield members[] = {
    FIELD_INSIDE("profile", JSON_OBJECT),
    FIELD_INSIDE("profilerData", JSON_OBJECT),
    FIELD_OBJECT("meta", read_meta),
    FIELD_OBJECTS("threads", read_thread),
    FIELD_OBJECT("shared", read_shared),
    FIELD_INSIDE("processes", JSON_ARRAY),
    FIELD_SEEN("profileJSON", struct firefox, cleopatra),
    FIELD_END,
};

const struct format format_firefox = {.is_json = is_ours,
                                      .members = members,
                                      .state_size = sizeof(struct firefox),
                                      .finish = finish,
                                      .end = end,
                                      .interns = MEMBERS(struct firefox, looked),
                                      .buffers = MEMBERS(struct firefox, threads, path, nodes)};
