/* The constants of a V8, from its metadata and by its version. */
#include "tests/unit/makeheap.h"

/* The metadata, one symbol of which has another value, or none. */
struct change {
    const char *symbol;
    bool missing;
    int64_t value;
};

static bool
changed_symbol(void *ctx, const char *symbol, int64_t *value)
{
    const struct change *c = ctx;
    if (strcmp(c->symbol, symbol) != 0)
        return makeheap_symbol(NULL, symbol, value);
    *value = c->value;
    return !c->missing;
}

static const struct change none = {"", false, 0};

static const char *
init(struct v8layout *l, unsigned major, unsigned minor, struct change c)
{
    return v8layout_init(l, (const unsigned[]){major, minor}, changed_symbol, &c);
}

TEST("Node 24's metadata give its layout")
{
    struct v8layout l;
    CHECK(init(&l, 13, 6, none) == NULL);
    CHECK(l.type_function == 2065 && l.type_function_last == 2081 && l.type_deopt == 193);
    CHECK(l.stream_header == 32 && l.code_size == 56 && l.shared_uncompiled == 16);
    CHECK(l.frame_wasm == 4 && l.frame_wasm_to_js == 5 && l.kind_js_to_wasm == 7);
    CHECK(v8layout_knows(10) && v8layout_knows(14) && !v8layout_knows(9));
}

TEST("a V8 without WebAssembly has no frames of it, and its names are read all the same")
{
    struct v8layout l;
    CHECK(init(&l, 13, 6, (struct change){"v8dbg_frametype_WasmFrame", true, 0}) == NULL);
    CHECK(l.frame_wasm == 0 && l.frame_wasm_to_js == 5);
}

TEST("what is not known is refused, with the reason")
{
    struct v8layout l;
    CHECK_TEXT(span_cstr(init(&l, 12, 9, none)), "its V8 12.9 is not known");
    CHECK_TEXT(span_cstr(init(&l, 13, 6, (struct change){"v8dbg_TaggedSize", false, 4})),
               "its pointers are compressed");
    CHECK_TEXT(span_cstr(init(&l, 13, 6, (struct change){"v8dbg_TaggedSize", true, 0})),
               "v8dbg_TaggedSize is missing");
    CHECK_TEXT(span_cstr(init(&l, 13, 6, (struct change){"v8dbg_type_Code__CODE_TYPE", true, 0})),
               "v8dbg_type_Code__CODE_TYPE is missing");
    CHECK_TEXT(span_cstr(init(&l, 13, 6, (struct change){"v8dbg_SmiShiftSize", false, 0})),
               "v8dbg_SmiShiftSize has an unknown value");
    CHECK_TEXT(
        span_cstr(
            init(&l, 13, 6, (struct change){"v8dbg_class_FixedArray__data__uintptr_t", false, 24})),
        "v8dbg_class_FixedArray__data__uintptr_t has an unknown value");
    CHECK_TEXT(
        span_cstr(init(&l, 13, 6,
                       (struct change){"v8dbg_class_Code__instruction_size__int", false, 60000})),
        "v8dbg_class_Code__instruction_size__int has an unknown value");
    CHECK_TEXT(
        span_cstr(init(&l, 13, 6, (struct change){"v8dbg_scopeinfo_idx_ncontextlocals", false, 5})),
        "ScopeInfo has a field at an unknown offset");
    /* the metadata of another version than it says */
    CHECK_TEXT(
        span_cstr(init(&l, 12, 4, none)),
        "v8dbg_class_SharedFunctionInfo__name_or_scope_info__Tagged_NameOrScopeInfoT_ has an "
        "unknown value");
    CHECK_TEXT(span_cstr(init(&l, 14, 6, none)), "v8dbg_CodeKindBaseline has an unknown value");
}
