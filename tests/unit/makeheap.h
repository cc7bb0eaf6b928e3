/* A heap of V8 13.6 (Node 24) made in memory, object by object, for tests of common/v8. */
#ifndef UNIT_MAKEHEAP_H
#define UNIT_MAKEHEAP_H

#include "common/v8/names.h"
#include "tests/unit/test.h"

/* Values of the metadata of Node 24. */
static const struct {
    const char *symbol;
    int64_t value;
} makeheap_symbols[] = {
    {"v8dbg_CodeKindBaseline", 10},
    {"v8dbg_CodeKindFieldMask", 15},
    {"v8dbg_CodeKindFieldShift", 0},
    {"v8dbg_ConsStringTag", 1},
    {"v8dbg_DeoptimizationDataInlinedFunctionCountIndex", 1},
    {"v8dbg_DeoptimizationDataInliningPositionsIndex", 8},
    {"v8dbg_DeoptimizationDataLiteralArrayIndex", 3},
    {"v8dbg_DeoptimizationDataWrappedSharedFunctionInfoIndex", 7},
    {"v8dbg_ExternalStringTag", 2},
    {"v8dbg_FirstJSFunctionType", 2065},
    {"v8dbg_FirstNonstringType", 128},
    {"v8dbg_HeapObjectTag", 1},
    {"v8dbg_HeapObjectTagMask", 3},
    {"v8dbg_LastJSFunctionType", 2081},
    {"v8dbg_OneByteStringTag", 8},
    {"v8dbg_SeqStringTag", 0},
    {"v8dbg_SlicedStringTag", 3},
    {"v8dbg_SmiShiftSize", 31},
    {"v8dbg_SmiTag", 0},
    {"v8dbg_SmiTagMask", 1},
    {"v8dbg_StringRepresentationMask", 7},
    {"v8dbg_SystemPointerSize", 8},
    {"v8dbg_TaggedSize", 8},
    {"v8dbg_ThinStringTag", 5},
    {"v8dbg_class_BytecodeArray__data__uintptr_t", 64},
    {"v8dbg_class_BytecodeArray__length__SMI", 8},
    {"v8dbg_class_Code__flags__uint32_t", 52},
    {"v8dbg_class_Code__instruction_size__int", 56},
    {"v8dbg_class_Code__instruction_start__Address", 40},
    {"v8dbg_class_ConsString__first__String", 16},
    {"v8dbg_class_ConsString__second__String", 24},
    {"v8dbg_class_FixedArrayBase__length__SMI", 8},
    {"v8dbg_class_FixedArray__data__uintptr_t", 16},
    {"v8dbg_class_HeapObject__map__Map", 0},
    {"v8dbg_class_InstructionStream__instruction_start__uintptr_t", 32},
    {"v8dbg_class_JSFunction__shared__SharedFunctionInfo", 32},
    {"v8dbg_class_Map__instance_type__uint16_t", 12},
    {"v8dbg_class_Script__line_ends__Object", 56},
    {"v8dbg_class_Script__name__Object", 16},
    {"v8dbg_class_Script__source__Object", 8},
    {"v8dbg_class_SeqOneByteString__chars__char", 16},
    {"v8dbg_class_SeqTwoByteString__chars__char", 16},
    {"v8dbg_class_SharedFunctionInfoWrapper__shared_info__Tagged_SharedFunctionInfo_", 8},
    {"v8dbg_class_SharedFunctionInfo__name_or_scope_info__Tagged_NameOrScopeInfoT_", 24},
    {"v8dbg_class_SharedFunctionInfo__script__Tagged_HeapObject_", 40},
    {"v8dbg_class_SlicedString__offset__SMI", 24},
    {"v8dbg_class_SlicedString__parent__String", 16},
    {"v8dbg_class_String__length__int32_t", 12},
    {"v8dbg_class_ThinString__actual__String", 16},
    {"v8dbg_class_UncompiledData__inferred_name__String", 8},
    {"v8dbg_class_UncompiledData__start_position__int32_t", 16},
    {"v8dbg_frametype_WasmFrame", 4},
    {"v8dbg_frametype_WasmToJsFrame", 5},
    {"v8dbg_off_fp_bytecode_array", -32},
    {"v8dbg_off_fp_bytecode_offset", -40},
    {"v8dbg_off_fp_context", -8},
    {"v8dbg_off_fp_function", -16},
    {"v8dbg_scopeinfo_idx_first_vars", 5},
    {"v8dbg_scopeinfo_idx_ncontextlocals", 2},
    {"v8dbg_type_ByteArray__BYTE_ARRAY_TYPE", 217},
    {"v8dbg_type_BytecodeArray__BYTECODE_ARRAY_TYPE", 186},
    {"v8dbg_type_Code__CODE_TYPE", 187},
    {"v8dbg_type_FixedArray__FIXED_ARRAY_TYPE", 205},
    {"v8dbg_type_InstructionStream__INSTRUCTION_STREAM_TYPE", 192},
    {"v8dbg_type_InterpreterData__INTERPRETER_DATA_TYPE", 188},
    {"v8dbg_type_JSFunction__JS_FUNCTION_TYPE", 2065},
    {"v8dbg_type_Map__MAP_TYPE", 272},
    {"v8dbg_type_ProtectedFixedArray__PROTECTED_FIXED_ARRAY_TYPE", 193},
    {"v8dbg_type_ScopeInfo__SCOPE_INFO_TYPE", 280},
    {"v8dbg_type_Script__SCRIPT_TYPE", 167},
    {"v8dbg_type_SharedFunctionInfoWrapper__SHARED_FUNCTION_INFO_WRAPPER_TYPE", 195},
    {"v8dbg_type_SharedFunctionInfo__SHARED_FUNCTION_INFO_TYPE", 282},
    {"v8dbg_type_TrustedByteArray__TRUSTED_BYTE_ARRAY_TYPE", 196},
    {"v8dbg_type_TrustedFixedArray__TRUSTED_FIXED_ARRAY_TYPE", 197},
    {"v8dbg_type_TrustedWeakFixedArray__TRUSTED_WEAK_FIXED_ARRAY_TYPE", 199},
    {"v8dbg_type_UncompiledDataWithPreparseData__UNCOMPILED_DATA_WITH_PREPARSE_DATA_TYPE", 175},
    {"v8dbg_type_UncompiledDataWithoutPreparseDataWithJob__UNCOMPILED_DATA_WITHOUT_PREPARSE_DATA_"
     "WITH_JOB_TYPE",
     178},
};

enum { MAKEHEAP_SIZE = 1 << 20, MAKEHEAP_TYPES = 64 };
#define MAKEHEAP_BASE 0x10000000u

struct makeheap {
    char bytes[MAKEHEAP_SIZE]; /* at MAKEHEAP_BASE */
    size_t len;
    struct {
        uint16_t type;
        uint64_t map;
    } maps[MAKEHEAP_TYPES];
    size_t nmaps;
    uint64_t meta; /* map of maps */
    uint64_t now;  /* the clock */
    size_t nrequests, nblocks;
    bool gone;                         /* the process does not answer */
    uint64_t hole;                     /* address of a page that cannot be read, or 0 */
    void (*after)(struct makeheap *h); /* called after each request */
    struct v8layout layout;
    struct v8memory memory;
};

static inline bool
makeheap_symbol(void *ctx, const char *symbol, int64_t *value)
{
    (void)ctx;
    for (size_t i = 0; i < sizeof makeheap_symbols / sizeof *makeheap_symbols; i++)
        if (strcmp(makeheap_symbols[i].symbol, symbol) == 0) {
            *value = makeheap_symbols[i].value;
            return true;
        }
    return false;
}

static inline bool
makeheap_read(void *ctx, struct v8block *blocks, size_t n)
{
    struct makeheap *h = ctx;
    h->nrequests++;
    h->nblocks += n;
    for (size_t i = 0; i < n && !h->gone; i++) {
        uint64_t at = blocks[i].addr - MAKEHEAP_BASE, hole = h->hole - MAKEHEAP_BASE;
        blocks[i].ok = at < MAKEHEAP_SIZE && blocks[i].len <= MAKEHEAP_SIZE - at &&
                       (h->hole == 0 || at + blocks[i].len <= hole || at >= hole + 4096);
        if (blocks[i].ok)
            memcpy(blocks[i].to, h->bytes + at, blocks[i].len);
    }
    if (h->after != NULL)
        h->after(h);
    return !h->gone;
}

static inline uint64_t
makeheap_now(void *ctx)
{
    return ((struct makeheap *)ctx)->now;
}

/* Set a word of an object; `at` is the offset in it. */
static inline void
makeheap_set(struct makeheap *h, uint64_t object, size_t at, uint64_t word)
{
    memcpy(h->bytes + (object - 1 - MAKEHEAP_BASE) + at, &word, sizeof word);
}

static inline void
makeheap_set32(struct makeheap *h, uint64_t object, size_t at, uint32_t word)
{
    memcpy(h->bytes + (object - 1 - MAKEHEAP_BASE) + at, &word, sizeof word);
}

static inline uint64_t
makeheap_smi(int32_t n)
{
    return (uint64_t)(uint32_t)n << 32;
}

/* Make room for an object at a multiple of `align`, a power of two. */
static inline uint64_t
makeheap_room(struct makeheap *h, size_t size, size_t align)
{
    h->len = (h->len + align - 1) & ~(align - 1);
    uint64_t object = MAKEHEAP_BASE + h->len + 1;
    h->len += size;
    return object;
}

/* Return the map of a type. */
static inline uint64_t
makeheap_map(struct makeheap *h, uint16_t type)
{
    for (size_t i = 0; i < h->nmaps; i++)
        if (h->maps[i].type == type)
            return h->maps[i].map;
    uint64_t map = makeheap_room(h, 80, 8);
    makeheap_set(h, map, 0, h->meta != 0 ? h->meta : map);
    makeheap_set32(h, map, h->layout.map_type, type);
    h->maps[h->nmaps].type = type;
    h->maps[h->nmaps++].map = map;
    return map;
}

static inline uint64_t
makeheap_object(struct makeheap *h, uint16_t type, size_t size)
{
    uint64_t map = makeheap_map(h, type), object = makeheap_room(h, size, 8);
    makeheap_set(h, object, 0, map);
    return object;
}

static inline void
makeheap_init(struct makeheap *h)
{
    *h = (struct makeheap){.now = 1000, .memory = {makeheap_read, makeheap_now, h}};
    const char *why = v8layout_init(&h->layout, (const unsigned[]){13, 6}, makeheap_symbol, NULL);
    CHECK(why == NULL);
    h->meta = makeheap_map(h, h->layout.type_map);
}

enum makeheap_string { MAKE_SEQ = 0x20, MAKE_CONS, MAKE_EXTERNAL, MAKE_SLICED, MAKE_THIN = 0x25 };
enum { MAKE_ONE_BYTE = 8, MAKE_UNCACHED = 0x10 };

/* Make a sequential string with one byte a character. */
static inline uint64_t
makeheap_string(struct makeheap *h, const char *text)
{
    size_t n = strlen(text);
    uint64_t s = makeheap_object(h, MAKE_SEQ | MAKE_ONE_BYTE, 16 + n + 8);
    makeheap_set32(h, s, 12, (uint32_t)n);
    memcpy(h->bytes + (s - 1 - MAKEHEAP_BASE) + 16, text, n);
    return s;
}

/* Make a sequential string with two bytes a character. */
static inline uint64_t
makeheap_wide(struct makeheap *h, const uint16_t *units, size_t n)
{
    uint64_t s = makeheap_object(h, MAKE_SEQ, 16 + n * 2 + 8);
    makeheap_set32(h, s, 12, (uint32_t)n);
    memcpy(h->bytes + (s - 1 - MAKEHEAP_BASE) + 16, units, n * 2);
    return s;
}

/* Make a string of any other kind, with its length and two words. */
static inline uint64_t
makeheap_other(struct makeheap *h, unsigned kind, uint32_t len, uint64_t first, uint64_t second)
{
    uint64_t s = makeheap_object(h, (uint16_t)kind, 32);
    makeheap_set32(h, s, 12, len);
    makeheap_set(h, s, 16, first);
    makeheap_set(h, s, 24, second);
    return s;
}

static inline uint64_t
makeheap_script(struct makeheap *h, const char *name, const char *source, int32_t id)
{
    uint64_t s = makeheap_object(h, h->layout.type_script, 128);
    makeheap_set(h, s, h->layout.script_source, makeheap_string(h, source));
    makeheap_set(h, s, h->layout.script_name, makeheap_string(h, name));
    makeheap_set(h, s, h->layout.script_id, makeheap_smi(id));
    return s;
}

/* Make the ScopeInfo of a function that begins at this offset. `type` is 4 for a function, 3 for
 * eval, 0 for a script. */
static inline uint64_t
makeheap_scope(struct makeheap *h, const char *name, uint32_t type, int32_t start)
{
    uint64_t s = makeheap_object(h, h->layout.type_scope, 8 * 16);
    makeheap_set(h, s, 8, type | (name != NULL ? 1u << 12 : 0));
    makeheap_set(h, s, 8 + 8 * 3, makeheap_smi(start));
    makeheap_set(h, s, 8 + 8 * 4, makeheap_smi(start + 10));
    if (name != NULL)
        makeheap_set(h, s, 8 + 8 * 5, makeheap_string(h, name));
    return s;
}

static inline uint64_t
makeheap_bytecode(struct makeheap *h, int32_t length)
{
    uint64_t b = makeheap_object(h, h->layout.type_bytecode, 64 + (size_t)length + 8);
    makeheap_set(h, b, 8, makeheap_smi(length));
    return b;
}

static inline uint64_t
makeheap_shared(struct makeheap *h, uint64_t name, uint64_t script, uint64_t data)
{
    uint64_t s = makeheap_object(h, h->layout.type_shared, 72);
    makeheap_set(h, s, h->layout.shared_name, name);
    makeheap_set(h, s, h->layout.shared_script, script);
    makeheap_set(h, s, h->layout.shared_data, data);
    return s;
}

static inline uint64_t
makeheap_function(struct makeheap *h, uint64_t shared)
{
    uint64_t f = makeheap_object(h, h->layout.type_function, 64);
    makeheap_set(h, f, h->layout.function_shared, shared);
    return f;
}

/* Make code of this kind: 10 is baseline, 3 regular expressions, 7 calls of WebAssembly. Return the
 * address of its first instruction. */
static inline uint64_t
makeheap_code(struct makeheap *h, uint32_t kind, uint64_t deopt, uint32_t size)
{
    const struct v8layout *l = &h->layout;
    uint64_t code = makeheap_object(h, l->type_code, 96);
    uint64_t stream_map = makeheap_map(h, l->type_stream);
    uint64_t stream = makeheap_room(h, l->stream_header + size, 64);
    uint64_t start = stream - 1 + l->stream_header;
    makeheap_set(h, stream, 0, stream_map);
    makeheap_set(h, stream, l->stream_code, code);
    makeheap_set(h, code, l->code_start, start);
    makeheap_set(h, code, l->code_deopt, deopt);
    makeheap_set32(h, code, l->code_flags, kind);
    makeheap_set32(h, code, l->code_size, size);
    return start;
}

/* Make the deoptimization data of optimized code. */
static inline uint64_t
makeheap_deopt(struct makeheap *h, uint64_t shared)
{
    const struct v8layout *l = &h->layout;
    uint64_t wrapper = makeheap_object(h, l->type_wrapper, 16);
    uint64_t data = makeheap_object(h, l->type_deopt, 16 + 8 * 9);
    makeheap_set(h, wrapper, l->wrapper_shared, shared);
    makeheap_set(h, data, l->array_length, makeheap_smi(9));
    makeheap_set(h, data, l->array_data + 8u * l->deopt_shared, wrapper);
    return data;
}

static inline uint64_t
makeheap_bytes(struct makeheap *h, const void *bytes, size_t n)
{
    uint64_t b = makeheap_object(h, h->layout.type_trusted_bytes, 16 + n + 8);
    makeheap_set(h, b, h->layout.array_length, makeheap_smi((int32_t)n));
    memcpy(h->bytes + (b - 1 - MAKEHEAP_BASE) + h->layout.array_data, bytes, n);
    return b;
}

/* Set the table of source positions of code, as encoded by V8. */
static inline void
makeheap_positions(struct makeheap *h, uint64_t start, const void *table, size_t n)
{
    uint64_t code;
    memcpy(&code,
           h->bytes + (start - h->layout.stream_header - MAKEHEAP_BASE) + h->layout.stream_code,
           sizeof code);
    makeheap_set(h, code, h->layout.code_positions, makeheap_bytes(h, table, n));
}

/* An inlined call: the inlining id of its caller, the index of the inlined function, and the call's
 * offset in the source, plus 1. */
struct makeheap_call {
    uint64_t caller;
    int32_t function;
    uint64_t at;
};

/* Set the inlined functions and calls of deoptimization data. The references to the functions are
 * weak. */
static inline void
makeheap_inline(struct makeheap *h, uint64_t deopt, const uint64_t *functions, int32_t nfunctions,
                const struct makeheap_call *calls, size_t ncalls)
{
    const struct v8layout *l = &h->layout;
    char positions[16 * 64] = {0};
    for (size_t i = 0; i < ncalls && i < 64; i++) {
        memcpy(positions + 16 * i, &(uint64_t){calls[i].caller << 31 | calls[i].at << 1}, 8);
        memcpy(positions + 16 * i + 8, &calls[i].function, 4);
    }
    uint64_t literals = makeheap_object(h, l->type_literals, 16 + 8 * (size_t)nfunctions);
    makeheap_set(h, literals, l->array_length, makeheap_smi(nfunctions));
    for (int32_t i = 0; i < nfunctions; i++)
        makeheap_set(h, literals, l->array_data + 8 * (size_t)i, functions[i] | 3);
    makeheap_set(h, deopt, l->array_data + 8u * l->deopt_count, makeheap_smi(nfunctions));
    makeheap_set(h, deopt, l->array_data + 8u * l->deopt_literals, literals);
    makeheap_set(h, deopt, l->array_data + 8u * l->deopt_positions,
                 makeheap_bytes(h, positions, 16 * ncalls));
}

#endif
