/* How one version of V8 lays out the objects that make up a function's name: offsets of fields,
 * types of objects.
 *
 * Most numbers are in the program itself, as values of symbols v8dbg_... in its .dynsym, written by
 * V8's tools/gen-postmortem-metadata.py; their names vary by version. What is not there is in the
 * table in layout.c, one row for each version.
 *
 * For a new version of V8:
 *   - Compare the metadata with those of the version before. Which symbols have new names?
 *         nm -D node | sed -n 's/.* v8dbg_//p' | sort
 *     v8layout_init says which are missing, and which have other values than the row.
 *   - Find the offsets that are not in the metadata in V8's sources of that version: the .tq files
 *     of src/objects for SharedFunctionInfo, Script, ScopeInfo, InterpreterData; src/objects/code.h
 *     and code-kind.h for Code; DeoptimizationData in src/objects/deoptimization-data.h; the
 *     enumeration ScopeType in src/common/globals.h; ComputeMarker in src/logging/log.cc for the
 *     forms of names.
 *   - Add a row to `versions` in layout.c.
 *   - Compare with the perf map of the same process. No name may differ:
 *         node --perf-basic-prof app.js
 *     tests/record/v8image.sh makes this comparison, too, and records the image for
 *     tests/data/v8. */
#ifndef V8_LAYOUT_H
#define V8_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

/* Numbers are offsets in bytes from the start of the object, whose address has the tag 1, unless
 * stated otherwise. */
/* The sizes of bytecodes, by opcode: first without prefix, then with operands of two and of four
 * times the size (Bytecodes::kBytecodeSizes). */
struct v8bytecodes {
    unsigned char sizes[3 * 256];
    unsigned count; /* number of opcodes; 0: the sizes are unknown */
};

struct v8layout {
    uint16_t major, minor; /* of V8 */

    /* Types of objects, in their maps. */
    uint16_t type_function, type_function_last; /* JSFunction: from, to */
    uint16_t type_shared;                       /* SharedFunctionInfo */
    uint16_t type_wrapper;                      /* SharedFunctionInfoWrapper; 0: does not exist */
    uint16_t type_interpreter_data, type_bytecode, type_code;
    uint16_t type_stream; /* InstructionStream; 0: instructions are in the Code object */
    uint16_t type_script, type_scope, type_map, type_fixed_array;
    uint16_t type_protected;                        /* ProtectedFixedArray */
    uint16_t type_deopt;                            /* of Code's deoptimization data */
    uint16_t type_uncompiled, type_uncompiled_last; /* UncompiledData: from, to */
    uint16_t type_bytes, type_trusted_bytes; /* ByteArray; TrustedByteArray: 0: there are none */
    uint16_t type_literals;                  /* DeoptimizationLiteralArray */

    uint16_t map_type; /* Map's instance type, 16 bits */
    uint16_t function_shared;
    uint16_t shared_data, shared_uncompiled, shared_name, shared_script;
    uint16_t wrapper_shared;
    uint16_t interpreter_data_bytecode, interpreter_data_entry;
    uint16_t uncompiled_name, uncompiled_start; /* inferred name; start position, 32 bits */

    uint16_t bytecode_length, bytecode_data; /* a Smi; the first bytecode */
    uint16_t bytecode_header; /* bytes that do not change as long as the array lives */

    uint16_t stream_code, stream_header; /* the Code object; size of the header */
    uint16_t code_deopt, code_positions, code_size, code_flags;
    uint16_t code_start; /* 0: instructions are in the Code object, at code_body */
    uint16_t code_body;
    /* Offset of the field with the bytecode offset of on-stack replacement (-1 if there was none).
     * 0: this V8 does not mark it in names. */
    uint16_t code_osr;
    /* Bit in the flags: specialized for a context. 0: this V8 does not mark it in names. */
    uint32_t code_specialized;
    uint16_t kind_mask;     /* mask of the kind in the flags */
    uint16_t kind_baseline; /* this kind; Maglev's and TurboFan's are the next two */
    uint16_t kind_regexp, kind_js_to_wasm;
    uint16_t deopt_shared; /* index of the SharedFunctionInfo in the deoptimization data */
    /* Other indexes in it: number of inlined functions, literals, InliningPositions. */
    uint16_t deopt_count, deopt_literals, deopt_positions;
    bool positions_have_flags;    /* in tables of source positions: see positions.c */
    uint16_t bytecode_positions;  /* offset of the table of source positions in BytecodeArray */
    struct v8bytecodes bytecodes; /* set by the owner */

    uint16_t script_source, script_name, script_line, script_column, script_line_ends, script_id;

    uint16_t scope_first;    /* index of the first variable word after the map */
    uint16_t scope_locals;   /* index of the number of context locals */
    bool scope_raw_flags;    /* flags are 32 bits, no Smi; positions have a fixed index */
    uint16_t scope_position; /* index of the start position, if it is fixed */
    uint16_t scope_function, scope_eval, scope_module; /* values of the enumeration ScopeType */

    uint16_t string_length, string_chars; /* 32 bits; of sequential strings */
    uint16_t cons_first, cons_second, thin_actual, sliced_parent, sliced_offset, external_data;
    uint16_t string_mask, string_cons, string_external, string_sliced, string_thin, string_one_byte;
    uint16_t string_types;    /* types of strings are smaller */
    uint16_t string_uncached; /* flag of an external string whose characters cannot be found */

    uint16_t array_length, array_data; /* of FixedArray */

    /* Frame types (StackFrame::Type) of WebAssembly functions, and of the wrappers through which
     * they call JavaScript. 0: this V8 has no WebAssembly. */
    uint16_t frame_wasm, frame_wasm_to_js;

    bool old_tags;        /* "LazyCompile:" and "Function:" instead of "JS:" */
    bool has_columns;     /* names end with line:column, not only with the line */
    uint16_t label_limit; /* bytes; longer names are cut */

    char why[128]; /* private: v8layout_init's message */
};

/* Set *l from the values of v8dbg_ symbols and the version. `value` is called with names of
 * symbols, such as "v8dbg_TaggedSize", and returns false if there is no such symbol. Return NULL,
 * or the reason why names of this V8 cannot be read, such as "its V8 12.9 is not known". The reason
 * may point into *l. */
const char *v8layout_init(struct v8layout *l, const unsigned version[2] /* major, minor */,
                          bool (*value)(void *ctx, const char *symbol, int64_t *value), void *ctx);

/* Return true if a version with this major number is known. */
bool v8layout_knows(unsigned major);

#endif
