/* Frames of WebAssembly. Their functions are not read: modules and their names are C++ objects
 * without described layout. But V8 stores the type of each frame that is not JavaScript's in the
 * frame itself, so that a frame tells what its own code was at the time of the sample.
 *
 * A return address is in the function whose frame it returns to. At the sampled address, the frame
 * may be the caller's: code at its first or last instruction has none. WebAssembly calls only
 * WebAssembly and wrappers in the same memory, besides V8's builtins, so that a WebAssembly frame
 * is right for such code, too; but the wrappers call JavaScript.
 *
 * Measured with perf maps as the truth, Node 18 to 26, both compilers of WebAssembly: all frames in
 * its functions have the one type, all frames in wrappers the other, and none of JavaScript has
 * either, except JavaScript at its first and last instructions. */
#ifndef V8_WASM_H
#define V8_WASM_H

#include "common/base/span.h"
#include "common/v8/frame.h"
#include "common/v8/layout.h"

enum wasm {
    WASM_NONE,     /* not WebAssembly, as far as known */
    WASM_FUNCTION, /* a function of WebAssembly, of either compiler */
    WASM_TO_JS,    /* a wrapper through which WebAssembly calls JavaScript */
};

/* Return the kind of code at the frame's address, as stored in the frame. */
enum wasm wasm_of_frame(const struct v8frame *f, const struct v8layout *l);

/* Return true if the frame may be WebAssembly's although wasm_of_frame does not say so: its type is
 * unknown, or may be the caller's. */
bool wasm_may_be(const struct v8frame *f);

/* Return the name of all such code. `wasm` is not WASM_NONE. */
struct span wasm_label(enum wasm wasm);

#endif
