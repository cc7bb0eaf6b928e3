/* The work for frames that lie in the same code, or in functions of the same bytecode: from the
 * address to the function. */
#ifndef V8_JOB_H
#define V8_JOB_H

#include "common/v8/frame.h"
#include "common/v8/told.h"

/* A collected frame. */
struct seen {
    struct v8frame f;
    uint64_t key;     /* the same for all frames of a job */
    bool bytecode;    /* of an interpreted function: the key is its BytecodeArray, tagged */
    bool proven;      /* it is in the function that the place has now */
    uint64_t closure; /* the SharedFunctionInfo that its JSFunction leads to; 0: not known */
};

struct job {
    struct seen *frames; /* by time; borrowed */
    size_t n;
    uint32_t place; /* PLACE_NONE: not known, or no more what it was */
    bool is_new;    /* its function was not known before */

    /* private */
    enum { CHECK, FIND, IDENTIFY, CLOSURES, CHECKED_AGAIN, DONE, FAILED } state;
    bool replaced; /* something else was found in the place */
    size_t tried;  /* frames whose JSFunctions do not lead to the function */
    size_t next;   /* frame whose JSFunction is to be followed */
    size_t near;   /* frame of which it is to be checked that no other code is nearer */
    struct code_search search;
};

/* Begin; the place may be PLACE_NONE. */
struct job job_of(struct seen *frames, size_t n, uint32_t place);

/* Return the address in the code that made the call, or in that which was running. */
uint64_t job_address(const struct v8frame *f);

/* Return true if the words of the frame are those of a JavaScript function's. */
bool job_has_words(const struct v8frame *f);

/* Note for snapshot_fetch what the work begins with. */
void job_want(struct job *j, struct told *t);

/* Do what can be done with the memory that has been read. Return true if more has to be. */
bool job_work(struct job *j, struct told *t);

/* Begin to check a new function once more, with memory that is read again; job_work does it. */
void job_check_again(struct job *j, struct told *t);

/* End work that is not done: what could not be checked counts as gone. */
void job_give_up(struct job *j, struct told *t);

/* Return true if the work came to its end, and the place, which may have a function, is what it
 * was. */
bool job_is_done(const struct job *j);

/* Return true if no code was found at the address. */
bool job_found_nothing(const struct job *j, const struct told *t);

#endif
