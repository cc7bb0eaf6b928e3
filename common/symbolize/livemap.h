/* A perf map (perfmap.h) of a process that runs, which is read as it grows.
 *
 * The file has no times. A record at addresses that no earlier one has names them for all times.
 * One that replaces another counts from the last time when the file was read without it, since the
 * code that was there before did not run any more: it was garbage, or its memory had not been given
 * away. (Measured on node, a program that makes and drops functions, and reads every 250 ms: 0.16 %
 * of frames got a wrong name; 8.0 % if a record counts from when it was read, and 9.2 % if the last
 * one counts always, as without times.) */
#ifndef SYMBOLIZE_LIVEMAP_H
#define SYMBOLIZE_LIVEMAP_H

#include "common/base/intern.h"
#include "common/base/text.h"
#include "common/sym/maptree.h"

/* {.fd = ...} is one of which nothing was read. */
struct livemap {
    int fd;          /* of the file; -1: it was closed, and what was read of it stays */
    size_t records;  /* that were read */
    size_t reused;   /* of them, at addresses that others had */
    bool truncated;  /* the process began the file again */
    bool renumbered; /* names have other numbers now; the caller sets it to false */

    /* private from here */
    uint64_t offset;   /* of what is read next */
    uint64_t read;     /* when it was read last; 0: not yet */
    struct text begun; /* the line that was not complete then */
    bool skips;        /* that line is too long, and its rest to be skipped */
    /* Which code was at an address at the time of livemap_advance(). map.dso is the number of its
     * name, map.offset how far from the code's start the map begins. */
    struct mapnode *tree;
    struct mapnode *late; /* the same of the records that wait */
    struct mapnodes nodes;
    struct intern names;
    struct livemap_record {
        uint64_t time;
        struct map map;
    } * waiting; /* for their time, in the order of the file: waiting[next .. count - 1] */
    size_t next, count, cap;
};

/* A name in the map. */
struct livemap_name {
    struct span text;
    uint64_t start;  /* of the code */
    uint32_t number; /* of the name: two maps have different names of one number */
};

/* Reads what was added to the file. True if names may have changed, for any time. */
bool livemap_read(struct livemap *m, uint64_t now);

/* When the next record replaces another; UINT64_MAX: none is known to. */
uint64_t livemap_due(const struct livemap *m);

/* Lets the records count that replace others at that time or before. */
void livemap_advance(struct livemap *m, uint64_t time);

/* The name of the code that was at the address at the time of livemap_advance(). False if no record
 * has the address. The name is valid until livemap_free(). */
bool livemap_find(const struct livemap *m, uint64_t addr, struct livemap_name *found);

/* Closes the file, too. */
void livemap_free(struct livemap *m);

#endif
