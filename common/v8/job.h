/* A job: find the function of frames that are in the same code, or run the same bytecode. */
#ifndef V8_JOB_H
#define V8_JOB_H

#include "common/v8/frame.h"
#include "common/v8/reported.h"

/* A collected frame. */
struct seen {
    struct v8frame f;
    uint64_t key;     /* the same for all frames of a job */
    bool bytecode;    /* interpreted: the key is the BytecodeArray, tagged */
    bool proven;      /* it is certainly in the function that the place has now */
    uint64_t closure; /* the SharedFunctionInfo of its JSFunction; 0: unknown */
};

struct job {
    struct seen *frames; /* sorted by time; borrowed */
    size_t n;
    uint32_t place; /* PLACE_NONE: unknown, or it has changed */
    bool has_sites; /* inlined calls or lines were read for the first time */
    bool is_new;    /* its function was seen for the first time */

    /* private */
    enum { CHECK, FIND, IDENTIFY, CLOSURES, SITES, CHECKED_AGAIN, DONE, FAILED } state;
    bool replaced; /* something else was found at the place */
    size_t tried;  /* number of frames whose JSFunctions do not lead to the function */
    size_t next;   /* index of the next frame whose JSFunction is followed */
    struct code_search search;
};

/* Return a new job for n frames, which are borrowed. The place may be PLACE_NONE. */
struct job job_of(struct seen *frames, size_t n, uint32_t place);

/* Return an address inside the instruction that ran: pc in a leaf, pc - 1 in a caller. */
uint64_t job_address(const struct v8frame *f);

/* Set *addr to the address whose inlined calls and lines are those of the frame: that of its
 * instruction or bytecode. Return false if it is not certain: the words of an interpreted leaf, or
 * of its caller, may be older (OWN_TRAMPOLINE). */
bool job_site(const struct seen *s, uint64_t *addr);

/* Return true if the frame's words are known, and the frame is that of a JavaScript function. */
bool job_has_words(const struct v8frame *f);

/* Note for snapshot_fetch the memory that the job reads first. */
void job_want(struct job *j, struct reported *t);

/* Work as far as possible with the memory that was read. Return true if more must be read. */
bool job_work(struct job *j, struct reported *t);

/* Return true if the job read memory that must not have changed since. */
bool job_must_check_again(const struct job *j);

/* Prepare job_work to check the place once more, with memory that is read again. */
void job_check_again(struct job *j, struct reported *t);

/* End an unfinished job. If its place was still to be checked, it counts as gone. */
void job_give_up(struct job *j, struct reported *t);

/* Return true if the job ended and its place is certain; the place need not have a function. */
bool job_is_done(const struct job *j);

/* Return true if all memory that the job had to search was searched, and no code was found. */
bool job_found_nothing(const struct job *j, const struct reported *t);

#endif
