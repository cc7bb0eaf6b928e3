#ifndef V8_FRAME_H
#define V8_FRAME_H

#include <stdbool.h>
#include <stdint.h>

/* A frame of a sample's stack. */
struct v8frame {
    uint64_t time; /* of the sample */
    uint64_t pc;   /* the address that was sampled; in a caller the return address */

    /* The words at fp-8, fp-16, fp-32, fp-40. V8 keeps these four there in the frame of an
     * interpreted function, and the first two in the frame of a compiled one. */
    uint64_t context, function, bytecode, offset;

    uint32_t tid; /* of the sample; each thread numbers its scripts by itself */

    /* The four words are known. If none is, the frame lies beyond the copied stack. */
    bool has_words;
    /* The first one is known: perhaps it alone, if a small frame is the innermost one. Where the
     * frame is not a JavaScript function's, it is the type of the frame (wasm.h). */
    bool has_context;

    bool leaf; /* pc was sampled and is no return address; the words may be the caller's */

    /* True: pc lies in a mapped file (node's builtins). False: in anonymous executable memory. */
    bool in_file;

    /* pc is a word of the stack that looks like a return address, but may be none. If it lies near
     * the stack pointer, the four words may be those of the leaf's frame. */
    bool guessed;
};

#endif
