/* A perf map (perfmap.h) or a jitdump (jitdump.h) of a process that runs, which is read as it
 * grows.
 *
 * A perf map has no times. A record at addresses that no earlier one has names them for all times.
 * One that replaces another counts from the last time when the file was read without it, since the
 * code that was there before did not run any more: it was garbage, or its memory had not been given
 * away. (Measured on node, a program that makes and drops functions, and reads every 250 ms: 0.16 %
 * of frames got a wrong name; 8.0 % if a record counts from when it was read, and 9.2 % if the last
 * one counts always, as without times.) A jitdump has times: there a record that replaces another
 * counts from its own time on, and no name is wrong.
 *
 * Names stay in the file, and are read there when they are looked up: a record takes 16 to 32 bytes
 * of memory, and as many again and 32 while it waits for its time. The file is read a block at a
 * time, so that whoever reads it can do other things in between. */
#ifndef STACKRECORD_LIVEMAP_H
#define STACKRECORD_LIVEMAP_H

#include "common/base/budget.h"
#include "common/base/regular.h"
#include "common/base/text.h"
#include "common/sym/codemap.h"

/* {.file = ...} is one of which nothing was read. */
struct livemap {
    struct regular_file file; /* its descriptor is -1: there is none */
    bool is_dump;             /* a jitdump */
    uint64_t since;           /* of a jitdump: its records count at once up to that time */
    const char *problem;      /* why the jitdump is not read further; NULL: nothing is wrong */
    /* If it is set, it gets the lines of the file, whole, some at a time. `begins`: they are the file's
     * first. With `only_keeps` names are not looked up here. */
    void (*keep)(void *keeper, const struct livemap *m, bool begins, struct span lines);
    void *keeper;
    bool only_keeps;
    struct budget *share; /* of memory, which all maps have together; NULL: as much as is needed */
    size_t records;       /* that were read */
    size_t reused;        /* of them, at addresses that others had */
    size_t given_up;      /* of them, not kept for want of memory */
    bool behind;          /* the file has more than was read */
    bool too_long;        /* it has more than PERFMAP_MAX, which is not read */
    bool truncated; /* the process began the file again: what it had is forgotten, and numbers of
                       names mean others; the caller sets it to false */

    /* private from here */
    uint64_t offset; /* of the line that is read next */
    uint64_t read;   /* when it was read to its end last; 0: not yet */
    bool skips;      /* that line is too long, and its rest to be skipped */
    bool cpu_time;   /* the times of the jitdump are of no clock that samples have */
    /* Which code was at an address at the time of livemap_advance(), and the same of the records
     * that wait. */
    struct codemap now, late;
    struct livemap_record {
        uint64_t time, start, end;
        uint32_t line; /* as of struct codepiece; of a jitdump the offset of the record */
    } * waiting;       /* for their time, in the order of the file: waiting[next .. count - 1] */
    size_t next, count, cap;
    struct livemap_move {
        uint32_t move, load; /* offsets of a move's record in a jitdump, and of its code's load */
    } * moves;               /* by the first */
    size_t nmoves, moves_cap;
    size_t told; /* to the budget */
    struct text line;
};

/* A name in the map. */
struct livemap_name {
    struct span text; /* valid until the next call of any function of this file */
    uint64_t start;   /* of the code */
    uint64_t index;   /* of a jitdump: as of struct jitload */
    int32_t pid;      /* likewise */
};

/* Read a block of what was added to the file, at most 64 KB; m->behind says whether there is more.
 * True if names may have changed, for any time. `now` is the time of the call. */
bool livemap_read(struct livemap *m, uint64_t now);

/* Return true if the file was not yet read to its end for the first time. */
bool livemap_is_new(const struct livemap *m);

/* Return when the next record replaces another; UINT64_MAX: none is known to. */
uint64_t livemap_due(const struct livemap *m);

/* Let the records count that replace others at that time or before. */
void livemap_advance(struct livemap *m, uint64_t time);

/* Find the number of the record whose code was at the address at the time of livemap_advance().
 * False if none has the address. */
bool livemap_find(const struct livemap *m, uint64_t addr, uint32_t *number);

/* Find the name that the record of that number gives to the address. False if the file does not
 * have it any more. */
bool livemap_name(struct livemap *m, uint32_t number, uint64_t addr, struct livemap_name *found);

/* Close the file, too. */
void livemap_free(struct livemap *m);

#endif
