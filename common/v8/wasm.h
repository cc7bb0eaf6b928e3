/* Frames of WebAssembly. Their functions are not read: modules and their names are objects of C++,
 * whose layout nothing describes. But V8 keeps the type of each frame that is not JavaScript's in
 * the frame itself, so that a frame tells of its own code, at the time of the sample, what it is.
 *
 * A return address is in the function whose frame it returns to. At the address that was sampled, the
 * frame may be the caller's: code that is at its first or last instruction has none. WebAssembly
 * calls only WebAssembly and wrappers in the same memory, besides V8's builtins, so that a frame
 * of WebAssembly is right for such code, too; but the wrappers call JavaScript.
 *
 * Measured with perf maps as the truth, Node 18 to 26, both compilers of WebAssembly: all frames in
 * its functions have the one type, all frames in wrappers the other, and none of JavaScript has
 * either, but for JavaScript at its first and last instructions. */
#ifndef V8_WASM_H
#define V8_WASM_H

#include "common/base/span.h"
#include "common/v8/frame.h"
#include "common/v8/layout.h"

enum wasm {
    WASM_NONE,     /* no WebAssembly, as far as is known */
    WASM_FUNCTION, /* a function of WebAssembly, of either compiler */
    WASM_TO_JS,    /* a wrapper through which WebAssembly calls JavaScript */
};

/* Return what the frame says of the code at its address. */
enum wasm wasm_of_frame(const struct v8frame *f, const struct v8layout *l);

/* Return true if the frame would not say that it is WebAssembly's even if it were: its type is not
 * known, or may be the caller's. */
bool wasm_may_be(const struct v8frame *f);

/* Return the name of all such code. It is not that of WASM_NONE. */
struct span wasm_label(enum wasm wasm);

#endif
