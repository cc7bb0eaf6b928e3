#include "common/v8/function.h"

#include <stdlib.h>

#include "common/base/num.h"
#include "common/base/utf8.h"
#include "common/v8/scope.h"

enum {
    HEADER = 48, /* bytes of a SharedFunctionInfo: map to script */
    OBJECT = 24, /* minimal size of the objects it refers to, such as a name or BytecodeArray */
};

enum v8status
functions_shared(struct heap *h, uint64_t function, uint64_t *shared)
{
    enum { MOVES = 3, LOWEST = 0x10000 };
    char bytes[64];
    size_t size = h->layout->function_shared + sizeof(uint64_t);
    uint16_t type;
    enum v8status status = V8_OK;
    if (size > sizeof bytes)
        return V8_BAD;
    for (unsigned moves = 0; heap_points(function); moves++) {
        status = snapshot_get(&h->memory, heap_address(function), size, bytes);
        if (status != V8_OK)
            return status;
        /* An object that was moved by garbage collection has its new address in the place of the
         * map. */
        uint64_t map = load_u64(bytes);
        if (heap_points(map) || moves == MOVES || map % 8 != 0 || map < LOWEST)
            break;
        function = map + 1;
    }
    status = heap_object(h, function, size, bytes, &type);
    if (status == V8_OK &&
        (type < h->layout->type_function || type > h->layout->type_function_last))
        return V8_BAD;
    *shared = load_u64(bytes + h->layout->function_shared);
    return status;
}

enum v8status
functions_bytecode(struct heap *h, uint64_t data, uint64_t *bytecode, uint64_t *entry)
{
    const struct v8layout *l = h->layout;
    enum { STEPS = 4 }; /* baseline code, InterpreterData, BytecodeArray, and one to spare */
    char bytes[24];
    uint16_t type;
    if (entry != NULL)
        *entry = 0;
    for (unsigned step = 0; step < STEPS; step++) {
        enum v8status status = heap_object(h, data, sizeof bytes, bytes, &type);
        if (status != V8_OK)
            return status;
        *bytecode = data;
        if (type == l->type_bytecode)
            return V8_OK;
        if (type == l->type_code)
            data = load_u64(bytes + l->code_deopt);
        else if (type != l->type_interpreter_data)
            return V8_BAD;
        else
            data = load_u64(bytes + l->interpreter_data_bytecode);
        if (type == l->type_interpreter_data && entry != NULL)
            *entry = load_u64(bytes + l->interpreter_data_entry);
    }
    return V8_BAD;
}

/* If the word is a string, append its text. It is no error if it is none. */
static enum v8status
add_name(struct heap *h, uint64_t word, struct text *to)
{
    char map[8];
    uint16_t type;
    if (!heap_points(word))
        return V8_OK;
    enum v8status status = heap_object(h, word, sizeof map, map, &type);
    return status == V8_OK && string_is(h, type) ? string_text(h, word, h->layout->label_limit, to)
                                                 : status;
}

/* Read the name; if it is empty, the inferred name. */
static enum v8status
read_text(struct functions *t, struct heap *h, uint64_t name, uint64_t inferred)
{
    t->text.len = 0;
    enum v8status status = add_name(h, name, &t->text);
    return status == V8_OK && t->text.len == 0 ? add_name(h, inferred, &t->text) : status;
}

static enum v8status
read_scope(struct functions *t, struct heap *h, struct function *f)
{
    struct scope scope;
    enum v8status status = scope_read(&scope, h, f->name);
    if (status != V8_OK)
        return status;
    f->kind = scope.type == h->layout->scope_function ? KIND_FUNCTION
              : scope.type == h->layout->scope_eval   ? KIND_EVAL
                                                      : KIND_SCRIPT;
    f->start = scope.start;
    return read_text(t, h, scope.name, scope.inferred);
}

/* Read a function that was compiled and whose bytecode was discarded. */
static enum v8status
read_uncompiled(struct functions *t, struct heap *h, struct function *f, uint64_t data)
{
    const struct v8layout *l = h->layout;
    char bytes[24];
    uint16_t type;
    enum v8status status = heap_object(h, data, sizeof bytes, bytes, &type);
    if (status == V8_OK && (type < l->type_uncompiled || type > l->type_uncompiled_last))
        return V8_BAD;
    if (status != V8_OK)
        return status;
    f->start = (int32_t)load_u32(bytes + l->uncompiled_start);
    return f->start < 0 ? (enum v8status)V8_BAD
                        : read_text(t, h, f->name, load_u64(bytes + l->uncompiled_name));
}

static size_t
text_size(const struct functions *t)
{
    return intern_size(&t->names) + intern_size(&t->scripts.urls) +
           t->scripts.of.cap * sizeof *t->scripts.of.at + t->of.cap * sizeof *t->of.at;
}

/* Read the name of the function with the words in *f, and its place in the source. */
static enum v8status
read_function(struct functions *t, struct heap *h, struct function *f, uint64_t uncompiled)
{
    char map[8];
    uint16_t type = 0;
    uint32_t script;
    size_t before = text_size(t);
    if (t->budget.room == 0) {
        t->budget.full = true;
        return V8_BAD;
    }
    heap_want(h, f->name, OBJECT);
    heap_want(h, f->script, OBJECT);
    heap_want(h, f->data, OBJECT);
    enum v8status status = scripts_at(&t->scripts, h, f->script, &script);
    if (status == V8_OK && heap_points(f->name))
        status = heap_object(h, f->name, sizeof map, map, &type);
    if (status == V8_OK)
        status = heap_points(f->name) && type == h->layout->type_scope
                     ? read_scope(t, h, f)
                     : read_uncompiled(t, h, f, uncompiled);
    if (status == V8_OK) {
        f->id = t->scripts.of.at[script].id;
        f->script_number = script;
        f->url = t->scripts.of.at[script].url;
        f->text = intern_text(&t->names, intern_add(&t->names, text_span(&t->text)));
        f->serial = ++t->serial;
    }
    size_t added = text_size(t) - before;
    t->budget.room -= added < t->budget.room ? added : t->budget.room;
    return status;
}

/* Read the words of a SharedFunctionInfo, and set *uncompiled to the one that may lead to
 * UncompiledData. */
static enum v8status
read_words(struct heap *h, uint64_t word, struct function *f, uint64_t *uncompiled)
{
    const struct v8layout *l = h->layout;
    char bytes[HEADER];
    enum v8status status = heap_typed(h, word, l->type_shared, sizeof bytes, bytes);
    if (status != V8_OK)
        return status;
    *f = (struct function){.word = word,
                           .name = load_u64(bytes + l->shared_name),
                           .script = load_u64(bytes + l->shared_script),
                           .data = load_u64(bytes + l->shared_data)};
    *uncompiled = load_u64(bytes + l->shared_uncompiled);
    return V8_OK;
}

enum v8status
functions_bytecode_of(struct heap *h, uint64_t shared, uint64_t *bytecode)
{
    struct function f;
    uint64_t uncompiled;
    enum v8status status = read_words(h, shared, &f, &uncompiled);
    return status == V8_OK ? functions_bytecode(h, f.data, bytecode, NULL) : status;
}

/* Set the bytecode to which the data lead, or 0 if there is none, as with builtins. */
static enum v8status
follow_data(struct heap *h, struct function *f)
{
    enum v8status status = functions_bytecode(h, f->data, &f->bytecode, &f->entry);
    f->bytecode = status == V8_OK ? f->bytecode : 0;
    return status == V8_BAD ? V8_OK : status;
}

/* Compare the function with the words read now. Take over the data, which may change. */
static enum v8status
compare(struct functions *t, struct heap *h, struct function *f, const struct function *now)
{
    uint32_t script;
    if (f->serial == 0 || f->name != now->name || f->script != now->script)
        return V8_BAD;
    enum v8status status = scripts_at(&t->scripts, h, now->script, &script);
    if (status == V8_OK && t->scripts.of.at[script].id != f->id)
        return V8_BAD;
    if (status == V8_OK && f->data != now->data) {
        struct function changed = *f;
        changed.data = now->data;
        status = follow_data(h, &changed);
        if (status == V8_OK)
            *f = changed;
    }
    return status;
}

enum v8status
functions_check(struct functions *t, struct heap *h, uint32_t number)
{
    struct function now;
    uint64_t uncompiled;
    enum v8status status = read_words(h, t->of.at[number].word, &now, &uncompiled);
    return status == V8_OK ? compare(t, h, &t->of.at[number], &now) : status;
}

enum v8status
functions_at(struct functions *t, struct heap *h, uint64_t word, uint32_t *number)
{
    struct function now;
    uint64_t uncompiled;
    enum v8status status = read_words(h, word, &now, &uncompiled);
    if (status != V8_OK)
        return status;
    *number = addresses_find(&t->places, word);
    if (*number != ADDRESSES_NONE) {
        status = compare(t, h, &t->of.at[*number], &now);
        if (status != V8_BAD)
            return status;
    }
    status = read_function(t, h, &now, uncompiled);
    if (status == V8_OK)
        status = follow_data(h, &now);
    if (status != V8_OK)
        return status;
    if (addresses_put(&t->places, word, number))
        VEC_ADD(t->of, now);
    t->of.at[*number] = now;
    t->read++;
    return V8_OK;
}

void
functions_want(struct functions *t, struct heap *h, uint32_t number)
{
    const struct function *f = &t->of.at[number];
    snapshot_want(&h->memory, heap_address(f->word), HEADER);
    snapshot_want(&h->memory, heap_address(f->script), (size_t)h->layout->script_id + 8);
}

enum v8status
functions_position(struct functions *t, struct heap *h, uint32_t number)
{
    struct function *f = &t->of.at[number];
    if (f->line != 0)
        return V8_OK;
    if (t->scripts.of.at[f->script_number].id != f->id)
        return V8_BAD;
    return scripts_position(&t->scripts, h, f->script_number, (uint32_t)f->start, &t->budget,
                            &f->line, &f->column);
}

enum v8status
functions_line(struct functions *t, struct heap *h, uint32_t number, uint32_t offset, int32_t *line)
{
    const struct function *f = &t->of.at[number];
    int32_t column;
    if (t->scripts.of.at[f->script_number].id != f->id)
        return V8_BAD;
    return scripts_position(&t->scripts, h, f->script_number, offset, &t->budget, line, &column);
}

enum v8status
functions_is_loop(const struct functions *t, struct heap *h, uint32_t number, uint32_t offset,
                  bool *is)
{
    static const struct span words[] = {SPAN("for"), SPAN("while"), SPAN("do")};
    const struct script *script = &t->scripts.of.at[t->of.at[number].script_number];
    char text[8];
    size_t n;
    if (script->id != t->of.at[number].id)
        return V8_BAD;
    enum v8status status = string_characters(h, script->source, offset, text, sizeof text, &n);
    *is = false;
    for (size_t i = 0; i < sizeof words / sizeof *words && status == V8_OK; i++)
        *is |= span_starts(span_of(text, n), words[i]);
    return status;
}

/* Append the part of a label before the name. */
static void
add_tag(const struct v8layout *l, const struct function *f, enum function_tier tier, bool osr,
        bool specialized, struct text *to)
{
    static const char *const marks[TIERS] = {"~", "^", "+", "*"};
    const char *tag = !l->old_tags ? "JS:" : tier == TIER_BASELINE ? "Function:" : "LazyCompile:";
    if (tier == TIER_INTERPRETED && f->kind != KIND_FUNCTION)
        tag = f->kind == KIND_EVAL ? "Eval:" : "Script:";
    TEXT_ADD(to, span_cstr(tag), osr ? SPAN("o") : SPAN(""), span_cstr(marks[tier]),
             specialized ? SPAN("'") : SPAN(""));
}

static void
add_number(struct text *to, int32_t n)
{
    char digits[NUM_DIGITS];
    uint32_t magnitude = n < 0 ? 0u - (uint32_t)n : (uint32_t)n;
    TEXT_ADD(to, SPAN(":"), n < 0 ? SPAN("-") : SPAN(""), num_decimal(digits, magnitude));
}

void
functions_label(const struct functions *t, const struct v8layout *l, uint32_t number,
                enum function_tier tier, bool osr, bool specialized, struct text *to)
{
    const struct function *f = &t->of.at[number];
    size_t start = to->len;
    add_tag(l, f, tier, osr, specialized, to);
    TEXT_ADD(to, f->text, SPAN(" "), f->url);
    add_number(to, f->line);
    if (l->has_columns)
        add_number(to, f->column);
    if (to->len - start > l->label_limit)
        to->len = start + l->label_limit;
    utf8_mask(to->ptr + start, to->len - start);
}

size_t
functions_size(const struct functions *t)
{
    return t->of.cap * sizeof *t->of.at + addresses_size(&t->places) + intern_size(&t->names) +
           t->text.cap + scripts_size(&t->scripts);
}

void
functions_forget(struct functions *t)
{
    free(t->of.at);
    free(t->text.ptr);
    addresses_free(&t->places);
    intern_free(&t->names);
    scripts_free(&t->scripts);
    *t = (struct functions){.budget = t->budget, .serial = t->serial, .read = t->read};
}
