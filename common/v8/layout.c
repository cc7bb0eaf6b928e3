#include "common/v8/layout.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Numbers that are missing in the metadata: measured, and compared with V8's sources, branch by
 * branch. If the metadata of a later version have a number, too, both must be equal. Sources: S =
 * src/objects/shared-function-info.tq, C = src/objects/code.h (struct layout of Code), B =
 * bytecode-array.tq, P = script.tq, D = deoptimization-data.h, K = scope-info.tq and ScopeType in
 * src/common/globals.h, L = src/logging/log.cc (NameBuffer::kUtf8BufferSize, ComputeMarker), T =
 * string.tq. */
#define EVERYWHERE                                                                                 \
    .interpreter_data_bytecode = 8, .interpreter_data_entry = 16,  /* interpreter-data.tq */       \
        .stream_code = 8,                                          /* C: InstructionStream */      \
        .bytecode_length = 8,                                      /* B */                         \
        .script_line = 24,                                         /* P */                         \
        .script_column = 32, .script_id = 64, .external_data = 24, /* T: resource_data */          \
        .string_uncached = 0x10,                                   /* T */                         \
        .array_length = 8, .array_data = 16                        /* fixed-array.tq */

static const struct v8layout versions[] = {
    /* Node 18; Debian 12's libnode */
    {
        .major = 10,
        .minor = 2,
        EVERYWHERE,
        .shared_data = 8, /* S */
        .shared_uncompiled = 8,
        .code_deopt = 16, /* C */
        .code_positions = 24,
        .code_body = 128,
        .stream_header = 128, /* instructions follow the header */
        .bytecode_positions = 32,
        .bytecode_header = 52, /* B: followed by osr state and age, which change */
        .deopt_shared = 6,     /* D */
        .deopt_count = 1,
        .deopt_literals = 2,
        .deopt_positions = 7,
        .scope_function = 2, /* K */
        .scope_eval = 1,
        .scope_module = 3,
        .old_tags = true, /* L */
        .label_limit = 512,
        /* These are in the metadata, too. They must be equal. */
        .function_shared = 24,
        .shared_name = 16,
        .shared_script = 32,
        .code_size = 40,
        .code_flags = 48,
        .bytecode_data = 56,
        .kind_regexp = 3, /* C: in code-kind.h */
        .kind_js_to_wasm = 7,
        .kind_baseline = 11,
        .scope_first = 3,
    },
    /* Node 20 */
    {
        .major = 11,
        .minor = 3,
        EVERYWHERE,
        .shared_data = 8, /* S */
        .shared_uncompiled = 8,
        .code_deopt = 16, /* C */
        .code_positions = 24,
        .code_start = 40,
        .code_flags = 48,
        .code_size = 56,
        .bytecode_positions = 32,
        .bytecode_header = 52, /* B: followed by the age, which changes */
        .scope_function = 2,   /* K */
        .scope_eval = 1,
        .scope_module = 3,
        .has_columns = true, /* L */
        .label_limit = 4096,
        /* These are in the metadata, too. They must be equal. */
        .function_shared = 24,
        .shared_name = 16,
        .shared_script = 32,
        .stream_header = 16,
        .bytecode_data = 54,
        .kind_regexp = 3, /* C: in code-kind.h */
        .kind_js_to_wasm = 7,
        .kind_baseline = 11,
        .scope_first = 3,
        .deopt_shared = 6,
    },
    /* Node 22 */
    {
        .major = 12,
        .minor = 4,
        EVERYWHERE,
        .shared_data = 8, /* S: trusted_function_data */
        .shared_uncompiled = 8,
        .code_deopt = 8, /* C */
        .code_positions = 16,
        .bytecode_positions = 24,
        .bytecode_header = 64, /* B */
        .scope_function = 2,   /* K */
        .scope_eval = 1,
        .scope_module = 3,
        .has_columns = true, /* L */
        .label_limit = 4096,
        /* These are in the metadata, too. They must be equal. */
        .function_shared = 32,
        .shared_name = 16,
        .shared_script = 32,
        .stream_header = 32,
        .code_start = 40,
        .code_size = 52,
        .code_flags = 48,
        .bytecode_data = 64,
        .kind_regexp = 3, /* C: in code-kind.h */
        .kind_js_to_wasm = 7,
        .kind_baseline = 10,
        .scope_first = 3,
        .deopt_shared = 6,
    },
    /* Node 24 */
    {
        .major = 13,
        .minor = 6,
        EVERYWHERE,
        .shared_data = 8,        /* S: trusted_function_data */
        .shared_uncompiled = 16, /* S: untrusted_function_data */
        .code_deopt = 8,         /* C */
        .code_positions = 16,
        .code_specialized = 1 << 5, /* C: is_context_specialized */
        .bytecode_positions = 24,
        .bytecode_header = 64,   /* B */
        .scope_raw_flags = true, /* K */
        .scope_position = 3,
        .scope_function = 4,
        .scope_eval = 3,
        .scope_module = 5,
        .has_columns = true, /* L */
        .label_limit = 4096,
        /* These are in the metadata, too. They must be equal. */
        .function_shared = 32,
        .shared_name = 24,
        .shared_script = 40,
        .stream_header = 32,
        .code_start = 40,
        .code_size = 56,
        .code_flags = 52,
        .bytecode_data = 64,
        .kind_regexp = 3, /* C: in code-kind.h */
        .kind_js_to_wasm = 7,
        .kind_baseline = 10,
        .scope_first = 5,
        .deopt_shared = 7,
    },
    /* Node 26 */
    {
        .major = 14,
        .minor = 6,
        EVERYWHERE,
        .shared_data = 8,        /* S: trusted_function_data */
        .shared_uncompiled = 16, /* S: untrusted_function_data */
        .code_deopt = 8,         /* C */
        .code_positions = 16,
        .code_osr = 68,
        .code_specialized = 1 << 6, /* C: is_context_specialized */
        .bytecode_positions = 24,
        .bytecode_header = 64,   /* B */
        .scope_raw_flags = true, /* K */
        .scope_position = 3,
        .scope_function = 4,
        .scope_eval = 3,
        .scope_module = 5,
        .positions_have_flags = true, /* src/codegen/source-position-table.cc */
        .has_columns = true,          /* L */
        .label_limit = 4096,
        /* These are in the metadata, too. They must be equal. */
        .function_shared = 32,
        .shared_name = 24,
        .shared_script = 40,
        .stream_header = 32,
        .code_start = 40,
        .code_size = 56,
        .code_flags = 52,
        .bytecode_data = 64,
        .kind_regexp = 4, /* C: in code-kind.h */
        .kind_js_to_wasm = 8,
        .kind_baseline = 11,
        .scope_first = 5,
        .deopt_shared = 7,
    },
};

enum need { MUST, MAY };

/* The metadata. A field has the value of the first symbol that exists. If `versions` has a value,
 * too, both must be equal. MAY: the symbol may be missing. */
static const struct {
    size_t field;
    enum need need;
    const char *symbols[3];
} metadata[] = {
#define FIELD(name) offsetof(struct v8layout, name)
    {FIELD(type_function),
     MUST,
     {"v8dbg_FirstJSFunctionType", "v8dbg_type_JSFunction__JS_FUNCTION_TYPE"}},
    {FIELD(type_function_last), MAY, {"v8dbg_LastJSFunctionType"}},
    {FIELD(type_shared), MUST, {"v8dbg_type_SharedFunctionInfo__SHARED_FUNCTION_INFO_TYPE"}},
    {FIELD(type_wrapper),
     MAY,
     {"v8dbg_type_SharedFunctionInfoWrapper__SHARED_FUNCTION_INFO_WRAPPER_TYPE"}},
    {FIELD(type_interpreter_data), MUST, {"v8dbg_type_InterpreterData__INTERPRETER_DATA_TYPE"}},
    {FIELD(type_bytecode), MUST, {"v8dbg_type_BytecodeArray__BYTECODE_ARRAY_TYPE"}},
    {FIELD(type_code), MUST, {"v8dbg_type_Code__CODE_TYPE"}},
    {FIELD(type_stream), MAY, {"v8dbg_type_InstructionStream__INSTRUCTION_STREAM_TYPE"}},
    {FIELD(type_script), MUST, {"v8dbg_type_Script__SCRIPT_TYPE"}},
    {FIELD(type_scope), MUST, {"v8dbg_type_ScopeInfo__SCOPE_INFO_TYPE"}},
    {FIELD(type_map), MUST, {"v8dbg_type_Map__MAP_TYPE"}},
    {FIELD(type_fixed_array), MUST, {"v8dbg_type_FixedArray__FIXED_ARRAY_TYPE"}},
    {FIELD(type_deopt),
     MUST,
     {"v8dbg_type_TrustedFixedArray__TRUSTED_FIXED_ARRAY_TYPE",
      "v8dbg_type_FixedArray__FIXED_ARRAY_TYPE"}},
    {FIELD(type_protected), MAY, {"v8dbg_type_ProtectedFixedArray__PROTECTED_FIXED_ARRAY_TYPE"}},
    {FIELD(type_uncompiled),
     MUST,
     {"v8dbg_type_UncompiledDataWithPreparseData__UNCOMPILED_DATA_WITH_PREPARSE_DATA_TYPE"}},
    {FIELD(type_uncompiled_last),
     MUST,
     {"v8dbg_type_UncompiledDataWithoutPreparseDataWithJob__"
      "UNCOMPILED_DATA_WITHOUT_PREPARSE_DATA_WITH_JOB_TYPE"}},
    {FIELD(map_type), MUST, {"v8dbg_class_Map__instance_type__uint16_t"}},
    {FIELD(function_shared), MUST, {"v8dbg_class_JSFunction__shared__SharedFunctionInfo"}},
    {FIELD(shared_name),
     MUST,
     {"v8dbg_class_SharedFunctionInfo__name_or_scope_info__Object",
      "v8dbg_class_SharedFunctionInfo__name_or_scope_info__Tagged_Object_",
      "v8dbg_class_SharedFunctionInfo__name_or_scope_info__Tagged_NameOrScopeInfoT_"}},
    {FIELD(shared_script),
     MUST,
     {"v8dbg_class_SharedFunctionInfo__script_or_debug_info__HeapObject",
      "v8dbg_class_SharedFunctionInfo__script__Tagged_HeapObject_"}},
    {FIELD(wrapper_shared),
     MAY,
     {"v8dbg_class_SharedFunctionInfoWrapper__shared_info__Tagged_SharedFunctionInfo_"}},
    {FIELD(uncompiled_name), MUST, {"v8dbg_class_UncompiledData__inferred_name__String"}},
    {FIELD(uncompiled_start), MUST, {"v8dbg_class_UncompiledData__start_position__int32_t"}},
    {FIELD(bytecode_length), MAY, {"v8dbg_class_BytecodeArray__length__SMI"}},
    {FIELD(bytecode_data), MUST, {"v8dbg_class_BytecodeArray__data__uintptr_t"}},
    {FIELD(stream_header), MAY, {"v8dbg_class_InstructionStream__instruction_start__uintptr_t"}},
    {FIELD(code_size), MAY, {"v8dbg_class_Code__instruction_size__int"}},
    {FIELD(code_flags), MAY, {"v8dbg_class_Code__flags__uint32_t"}},
    {FIELD(code_start), MAY, {"v8dbg_class_Code__instruction_start__Address"}},
    {FIELD(code_body), MAY, {"v8dbg_class_Code__instruction_start__uintptr_t"}},
    {FIELD(kind_mask), MUST, {"v8dbg_CodeKindFieldMask"}},
    {FIELD(kind_baseline), MUST, {"v8dbg_CodeKindBaseline"}},
    {FIELD(deopt_shared),
     MAY,
     {"v8dbg_DeoptimizationDataSharedFunctionInfoIndex",
      "v8dbg_DeoptimizationDataWrappedSharedFunctionInfoIndex"}},
    {FIELD(deopt_count), MAY, {"v8dbg_DeoptimizationDataInlinedFunctionCountIndex"}},
    {FIELD(deopt_literals), MAY, {"v8dbg_DeoptimizationDataLiteralArrayIndex"}},
    {FIELD(deopt_positions), MAY, {"v8dbg_DeoptimizationDataInliningPositionsIndex"}},
    {FIELD(type_bytes), MAY, {"v8dbg_type_ByteArray__BYTE_ARRAY_TYPE"}},
    {FIELD(type_trusted_bytes), MAY, {"v8dbg_type_TrustedByteArray__TRUSTED_BYTE_ARRAY_TYPE"}},
    {FIELD(type_literals),
     MAY,
     {"v8dbg_type_TrustedWeakFixedArray__TRUSTED_WEAK_FIXED_ARRAY_TYPE",
      "v8dbg_type_WeakFixedArray__WEAK_FIXED_ARRAY_TYPE"}},
    {FIELD(script_source), MUST, {"v8dbg_class_Script__source__Object"}},
    {FIELD(script_name), MUST, {"v8dbg_class_Script__name__Object"}},
    {FIELD(script_line_ends), MUST, {"v8dbg_class_Script__line_ends__Object"}},
    {FIELD(scope_first), MUST, {"v8dbg_scopeinfo_idx_first_vars"}},
    {FIELD(scope_locals), MUST, {"v8dbg_scopeinfo_idx_ncontextlocals"}},
    {FIELD(string_length), MUST, {"v8dbg_class_String__length__int32_t"}},
    {FIELD(string_chars), MUST, {"v8dbg_class_SeqOneByteString__chars__char"}},
    {FIELD(string_chars), MUST, {"v8dbg_class_SeqTwoByteString__chars__char"}},
    {FIELD(cons_first), MUST, {"v8dbg_class_ConsString__first__String"}},
    {FIELD(cons_second), MUST, {"v8dbg_class_ConsString__second__String"}},
    {FIELD(thin_actual), MUST, {"v8dbg_class_ThinString__actual__String"}},
    {FIELD(sliced_parent), MUST, {"v8dbg_class_SlicedString__parent__String"}},
    {FIELD(sliced_offset), MUST, {"v8dbg_class_SlicedString__offset__SMI"}},
    {FIELD(string_mask), MUST, {"v8dbg_StringRepresentationMask"}},
    {FIELD(string_cons), MUST, {"v8dbg_ConsStringTag"}},
    {FIELD(string_external), MUST, {"v8dbg_ExternalStringTag"}},
    {FIELD(string_sliced), MUST, {"v8dbg_SlicedStringTag"}},
    {FIELD(string_thin), MUST, {"v8dbg_ThinStringTag"}},
    {FIELD(string_one_byte), MUST, {"v8dbg_OneByteStringTag"}},
    {FIELD(string_types), MUST, {"v8dbg_FirstNonstringType"}},
    {FIELD(array_length), MUST, {"v8dbg_class_FixedArrayBase__length__SMI"}},
    {FIELD(array_data), MUST, {"v8dbg_class_FixedArray__data__uintptr_t"}},
    {FIELD(frame_wasm), MAY, {"v8dbg_frametype_WasmFrame"}},
    {FIELD(frame_wasm_to_js), MAY, {"v8dbg_frametype_WasmToJsFrame"}},
#undef FIELD
};

/* The largest offset, or index, at which a field may begin. The functions that read objects have
 * buffers of limited size, and the offsets come from the program, which could lie. */
static const struct {
    size_t field;
    uint16_t most;
    const char *what;
} bounds[] = {
#define FIELD(name) offsetof(struct v8layout, name)
    {FIELD(function_shared), 56, "JSFunction"},
    {FIELD(shared_name), 40, "SharedFunctionInfo"},
    {FIELD(shared_script), 40, "SharedFunctionInfo"},
    {FIELD(wrapper_shared), 8, "SharedFunctionInfoWrapper"},
    {FIELD(uncompiled_name), 16, "UncompiledData"},
    {FIELD(uncompiled_start), 16, "UncompiledData"},
    {FIELD(code_start), 64, "Code"},
    {FIELD(code_size), 68, "Code"},
    {FIELD(code_flags), 68, "Code"},
    {FIELD(script_source), 64, "Script"},
    {FIELD(script_name), 64, "Script"},
    {FIELD(scope_locals), 4, "ScopeInfo"},
    {FIELD(string_length), 12, "String"},
    {FIELD(cons_first), 24, "ConsString"},
    {FIELD(cons_second), 24, "ConsString"},
    {FIELD(thin_actual), 24, "ThinString"},
    {FIELD(sliced_parent), 24, "SlicedString"},
    {FIELD(sliced_offset), 24, "SlicedString"},
#undef FIELD
};

/* Values that must be the same in all versions, since the code relies on them. */
static const struct {
    const char *symbol;
    int64_t value;
} fixed[] = {
    {"v8dbg_SystemPointerSize", 8},
    {"v8dbg_HeapObjectTag", 1},
    {"v8dbg_HeapObjectTagMask", 3},
    {"v8dbg_SmiTag", 0},
    {"v8dbg_SmiTagMask", 1},
    {"v8dbg_SmiShiftSize", 31},
    {"v8dbg_SeqStringTag", 0},
    {"v8dbg_CodeKindFieldShift", 0},
    {"v8dbg_off_fp_context", -8},
    {"v8dbg_off_fp_function", -16},
    {"v8dbg_off_fp_bytecode_array", -32},
    {"v8dbg_off_fp_bytecode_offset", -40},
    {"v8dbg_class_HeapObject__map__Map", 0},
};

/* The number of types of JavaScript functions, from JS_FUNCTION_TYPE on, before V8 12, whose
 * metadata do not state it: plain functions, constructors of typed arrays (11), arrays, promises,
 * regular expressions, and classes. */
enum { OLD_FUNCTION_TYPES = 16 };

static const char *
refuse(struct v8layout *l, const char *symbol, const char *what)
{
    snprintf(l->why, sizeof l->why, "%s %s", symbol, what);
    return l->why;
}

/* Set a field of *l to the value of the first of its symbols that exists. */
static const char *
take_field(struct v8layout *l, size_t row, bool (*value)(void *, const char *, int64_t *),
           void *ctx)
{
    uint16_t *field = (uint16_t *)(void *)((char *)l + metadata[row].field);
    int64_t v = 0;
    for (size_t i = 0; i < 3 && metadata[row].symbols[i] != NULL; i++) {
        if (!value(ctx, metadata[row].symbols[i], &v))
            continue;
        if (v < 0 || v > UINT16_MAX || (*field != 0 && *field != v))
            return refuse(l, metadata[row].symbols[i], "has an unknown value");
        *field = (uint16_t)v;
        return NULL;
    }
    return metadata[row].need == MAY ? NULL : refuse(l, metadata[row].symbols[0], "is missing");
}

static const char *
check_bounds(struct v8layout *l)
{
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        const uint16_t *field = (const void *)((const char *)l + bounds[i].field);
        if (*field > bounds[i].most)
            return refuse(l, bounds[i].what, "has a field at an unknown offset");
    }
    return NULL;
}

static const struct v8layout *
version_of(const unsigned version[2])
{
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        if (versions[i].major == version[0] && versions[i].minor == version[1])
            return &versions[i];
    return NULL;
}

bool
v8layout_knows(unsigned major)
{
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        if (versions[i].major == major)
            return true;
    return false;
}

/* Check the fields that each version must have, from the metadata or from `versions`. */
static const char *
check_whole(const struct v8layout *l)
{
    bool whole = l->code_size > 0 && l->code_flags > 0 && l->deopt_shared > 0 &&
                 l->type_deopt > 0 && l->stream_header >= 16 &&
                 (l->code_start > 0 || l->code_body > 0) &&
                 (l->type_stream > 0) == (l->code_start > 0) &&
                 (l->type_wrapper > 0) == (l->wrapper_shared > 0);
    return whole ? NULL : "the description of its Code objects is not complete";
}

const char *
v8layout_init(struct v8layout *l, const unsigned version[2],
              bool (*value)(void *ctx, const char *symbol, int64_t *value), void *ctx)
{
    int64_t v;
    const char *wrong = NULL;
    const struct v8layout *row = version_of(version);
    *l = (struct v8layout){0};
    if (row == NULL) {
        snprintf(l->why, sizeof l->why, "its V8 %u.%u is not known", version[0], version[1]);
        return l->why;
    }
    if (!value(ctx, "v8dbg_TaggedSize", &v))
        return "v8dbg_TaggedSize is missing";
    if (v != 8)
        return "its pointers are compressed";
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (value(ctx, fixed[i].symbol, &v) && v != fixed[i].value)
            return refuse(l, fixed[i].symbol, "has an unknown value");
    *l = *row;
    for (size_t i = 0; i < sizeof metadata / sizeof *metadata && wrong == NULL; i++)
        wrong = take_field(l, i, value, ctx);
    if (wrong == NULL && l->type_function_last == 0)
        l->type_function_last = (uint16_t)(l->type_function + OLD_FUNCTION_TYPES - 1);
    if (l->type_wrapper > 0) /* since then, all objects in the deoptimization data are trusted */
        l->type_deopt = l->type_protected;
    wrong = wrong != NULL ? wrong : check_bounds(l);
    return wrong != NULL ? wrong : check_whole(l);
}
