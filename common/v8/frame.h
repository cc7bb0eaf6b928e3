#ifndef V8_FRAME_H
#define V8_FRAME_H

#include <stdbool.h>
#include <stdint.h>

/* A frame of a sample's stack. */
struct v8frame {
    uint64_t time; /* of the sample */
    uint64_t pc;   /* the sampled address; in a caller, the return address */

    /* The words at fp-8, fp-16, fp-32, fp-40: V8 stores these four there in the frame of an
     * interpreted function, and the first two in that of a compiled one. */
    uint64_t context, function, bytecode, offset;

    uint32_t tid; /* of the sample; each thread numbers its scripts separately */

    /* The four words are known. If none is, the frame is beyond the copied part of the stack. */
    bool has_words;
    /* `context` is known; perhaps only it, in a small innermost frame. If the frame is not that of
     * a JavaScript function, `context` is the type of the frame (wasm.h). */
    bool has_context;

    bool leaf; /* pc was sampled, and is not a return address; the words may be the caller's */

    /* pc is in a mapped file (node's builtins), not in anonymous executable memory. */
    bool in_file;

    /* pc is a word of the stack that looks like a return address, but may be none. Near the stack
     * pointer, the four words may be those of the leaf's frame. */
    bool guessed;
};

#endif
