/* A perf map (perfmap.h) or a jitdump (jitdump.h) of a running process, read while it grows.
 *
 * The records of a perf map have no times. If no earlier record has the addresses of a record, it
 * names them for all times. If it replaces an earlier record, it takes effect at the time of the
 * previous read of the file, which did not find it yet. The new code was made somewhat later, but
 * in between the old code seldom ran: most code is garbage for a while before its memory is reused.
 * (Measured on node, with a program that makes and drops functions, reading every 250 ms: 0.16 % of
 * frames got a wrong name. 8.0 % would, if a record took effect when it is read, and 9.2 % if the
 * last record always won, as without times.) The records of a jitdump have times: a record that
 * replaces another takes effect at its own time, and no name is wrong.
 *
 * Names stay in the file, and are read from it when they are looked up. A record takes 16 to 32
 * bytes of memory; one that waits for its time takes as much again, and 32 bytes. The file is read
 * a block at a time, so that the caller can do other things in between. */
#ifndef STACKRECORD_LIVEMAP_H
#define STACKRECORD_LIVEMAP_H

#include "common/base/budget.h"
#include "common/base/regular.h"
#include "common/base/text.h"
#include "common/sym/codemap.h"

/* {.file = ...} is a map that was not read yet. */
struct livemap {
    struct regular_file file; /* if its descriptor is -1, there is no file */
    bool is_dump;             /* jitdump rather than perf map */
    uint64_t since;           /* records of a jitdump up to this time take effect at once */
    const char *problem;      /* why the jitdump is not read further; NULL: no problem */
    /* If not NULL, called with all lines of a perf map, several whole lines at a time. `begins`:
     * these are the first lines of the file. With `only_keeps` the lines are not parsed, and no
     * name can be looked up here. */
    void (*keep)(void *keeper, const struct livemap *m, bool begins, struct span lines);
    void *keeper;
    bool only_keeps;
    struct budget *share; /* memory budget shared by all maps; NULL: unlimited */
    size_t records;       /* number of records read */
    size_t reused;        /* number of those whose addresses an earlier record has */
    size_t given_up;      /* number of those that were dropped for want of memory */
    bool behind;          /* the file has more to read */
    bool too_long;        /* the file has more than PERFMAP_MAX bytes; the rest is not read */
    /* The process has begun the file again: all records were dropped, and record numbers have a new
     * meaning. The caller sets this to false. */
    bool truncated;

    /* private from here */
    uint64_t offset; /* of the next line */
    uint64_t read;   /* time when the file was last read to its end; 0: never */
    bool skips;      /* the next line is too long: skip the rest of it */
    bool cpu_time;   /* the jitdump's times are from a clock that samples do not have */
    /* `now`: the code at each address at the time of the last livemap_advance(); `late`: the code
     * of the waiting records. */
    struct codemap now, late;
    struct livemap_record {
        uint64_t time, start, end;
        uint32_t line; /* as in struct codepiece; for a jitdump the record's offset */
    } * waiting;       /* waiting[next .. count - 1] wait for their time, in the file's order */
    size_t next, count, cap;
    struct livemap_move {
        uint32_t move, load; /* offsets: of a move record, and of its code's load record */
    } * moves;               /* sorted by `move` */
    size_t nmoves, moves_cap;
    size_t charged; /* bytes charged to the budget */
    struct text line;
};

/* The name of a piece of code. */
struct livemap_name {
    struct span text; /* valid until the next call of any livemap function */
    uint64_t start;   /* address of the code's start */
    uint64_t index;   /* in a jitdump: as in struct jitload */
    int32_t pid;      /* in a jitdump: as in struct jitload */
};

/* Read the next block of what was added to the file, at most 64 KB, and set m->behind if there is
 * more. Return true if names may have changed, as of any time. `now` is the current time. */
bool livemap_read(struct livemap *m, uint64_t now);

/* Return true until the file was read to its end for the first time. */
bool livemap_is_new(const struct livemap *m);

/* Return the time when the next waiting record takes effect; UINT64_MAX if none waits. */
uint64_t livemap_due(const struct livemap *m);

/* Apply the waiting records up to `time`, inclusive. */
void livemap_advance(struct livemap *m, uint64_t time);

/* Find the number of the record whose code was at the address at the time of livemap_advance().
 * Return false if there is none. */
bool livemap_find(const struct livemap *m, uint64_t addr, uint32_t *number);

/* Find the name that record `number` gives to the address. Return false if the file does not have
 * that record any more. */
bool livemap_name(struct livemap *m, uint32_t number, uint64_t addr, struct livemap_name *found);

/* Close the file and free the map. */
void livemap_free(struct livemap *m);

#endif
