/* A job: find the function of frames that lie in the same code, or run the same bytecode. */
#ifndef V8_JOB_H
#define V8_JOB_H

#include "common/v8/frame.h"
#include "common/v8/reported.h"

/* A collected frame. */
struct seen {
    struct v8frame f;
    uint64_t key;     /* the same for all frames of a job */
    bool bytecode;    /* interpreted: the key is the BytecodeArray, tagged */
    bool proven;      /* it certainly is in the function that the place has now */
    uint64_t closure; /* the SharedFunctionInfo that its JSFunction leads to; 0: not known */
};

struct job {
    struct seen *frames; /* by time; borrowed */
    size_t n;
    uint32_t place;   /* PLACE_NONE: not known, or it has changed */
    bool has_inlined; /* inlined calls were read that were not known before */
    bool is_new;      /* its function was not known before */

    /* private */
    enum { CHECK, FIND, IDENTIFY, CLOSURES, INLINED, CHECKED_AGAIN, DONE, FAILED } state;
    bool replaced; /* something else was found in the place */
    size_t tried;  /* number of frames whose JSFunctions do not lead to the function */
    size_t next;   /* the next frame whose JSFunction is to be followed */
    struct code_search search;
};

/* Return a new job for n frames, which are borrowed. The place may be PLACE_NONE. */
struct job job_of(struct seen *frames, size_t n, uint32_t place);

/* Return an address inside the instruction that ran: pc in a leaf, pc - 1 in a caller. */
uint64_t job_address(const struct v8frame *f);

/* Return true if the frame's words are known, and are those of a JavaScript function's frame. */
bool job_has_words(const struct v8frame *f);

/* Note for snapshot_fetch what the job reads first. */
void job_want(struct job *j, struct reported *t);

/* Do what can be done with the memory that has been read. Return true if more must be read. */
bool job_work(struct job *j, struct reported *t);

/* Return true if the job read what must not have changed since. */
bool job_must_check_again(const struct job *j);

/* Prepare job_work to check a place once more, with memory that is read again. */
void job_check_again(struct job *j, struct reported *t);

/* End a job that is not done. A place that was still to be checked counts as gone. */
void job_give_up(struct job *j, struct reported *t);

/* Return true if the job ended and its place is certain. The place need not have a function. */
bool job_is_done(const struct job *j);

/* Return true if all memory was searched that had to be, and no code was found at the address. */
bool job_found_nothing(const struct job *j, const struct reported *t);

#endif
