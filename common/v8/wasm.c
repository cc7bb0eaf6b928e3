#include "common/v8/wasm.h"

/* V8 writes the type as a Smi with 31 bits: StackFrame::TypeToMarker in src/execution/frames.h. */
static bool
has_type(const struct v8frame *f, unsigned type)
{
    return type > 0 && f->context == (uint64_t)type << 1;
}

enum wasm
wasm_of_frame(const struct v8frame *f, const struct v8layout *l)
{
    if (f->in_file || f->guessed || !f->has_context)
        return WASM_NONE;
    if (has_type(f, l->frame_wasm))
        return WASM_FUNCTION;
    return !f->leaf && has_type(f, l->frame_wasm_to_js) ? WASM_TO_JS : WASM_NONE;
}

bool
wasm_may_be(const struct v8frame *f)
{
    return f->leaf || f->guessed || !f->has_context;
}

/* The first name is the one that stackfilter --node gives to code that is WebAssembly according to
 * its caller. V8 prints the second one, with the types of the parameters, for wrappers that are
 * objects. */
struct span
wasm_label(enum wasm wasm)
{
    return wasm == WASM_FUNCTION ? SPAN("(WebAssembly without names)") : SPAN("Stub:wasm-to-js");
}
