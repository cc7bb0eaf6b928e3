#ifndef V8_FRAME_H
#define V8_FRAME_H

#include <stdbool.h>
#include <stdint.h>

/* A frame of a sample's stack. */
struct v8frame {
    uint64_t time; /* of the sample */
    uint64_t pc;   /* the address; of a caller the return address */

    /* The words at fp-8, fp-16, fp-32, fp-40. */
    uint64_t context, function, bytecode, offset;

    uint32_t tid;   /* of the sample: scripts are numbered by thread */
    bool has_words; /* false: the frame lies beyond the copy; pc alone */
    bool leaf;      /* pc was sampled, is no return address; the words may be the caller's */

    /* pc lies in mapped code of a file (node's builtins); else in anonymous executable memory. */
    bool in_file;

    /* pc is the word at the stack pointer, which may be no return address; the words are of the
     * leaf's frame. */
    bool guessed;
};

#endif
