/* Names of code by its address, as OWN_CODE records give them (ownrecord.h), of JIT-compiled code
 * and of bytecode. A name holds until the range gets another one, or a file is mapped there, the
 * process begins another program, or another process has its number. A forked process has its
 * parent's names, as of now, until it gets a record of its own. */
#ifndef SYMBOLIZE_CODENAMES_H
#define SYMBOLIZE_CODENAMES_H

#include "common/event/record.h"
#include "common/stage/trampolines.h"
#include "common/sym/codemap.h"

struct codenames_process;

struct codename {
    struct span label; /* valid until the next record */
    uint32_t number; /* of the label: equal labels have equal numbers until `renumbered` changes */
    int32_t pid; /* of the process that got the name: the one that was asked for, or its parent */
    uint64_t start;  /* of the code */
    uint64_t serial; /* of this name of this code: no other name ever has the same */
};

/* {0} has no names; see codenames_init(). */
struct codenames {
    /* Bytes that names may take; 0: as many as they need. Set by the caller. An eighth more is for processes
     * that have few, so that one with ever new names leaves room for others. */
    size_t limit;
    /* Names that were not kept because of the limit, and the process of the first. */
    uint64_t refused;
    int32_t refused_pid;
    uint64_t renumbered; /* how often labels got other numbers */

    /* private from here */
    struct threadtable processes; /* struct codenames_process, by pid */
    struct trampolines trampolines;
    struct intern labels;
    struct codenames_entry {
        uint64_t start, serial;
        uint32_t label; /* a number of `labels` */
    } * entries;        /* by the line of a piece of a codemap */
    size_t count, cap;
    uint64_t serials;
    size_t maps_size; /* bytes of all codemaps */
    bool full;        /* to make room again frees little */
};

/* Begin without names. */
void codenames_init(struct codenames *c);

/* Take in a record of any type, in the order of times: names, and what becomes of processes and
 * their memory. */
void codenames_see(struct codenames *c, const struct record *r);

/* Return the process whose names are those of the given one: itself, or its parent. NULL: the
 * recording has none. Valid until the next record. */
const struct codenames_process *codenames_of(const struct codenames *c, int64_t pid);

/* Find the name of the code or bytecode at an address. Return false if it has none. */
bool codenames_find(const struct codenames *c, const struct codenames_process *p, uint64_t addr,
                    struct codename *found);

/* Return an address in the code that runs the process's bytecode: the one before that to which its
 * calls return. 0: none is known. */
uint64_t codenames_interpreter(const struct codenames *c, int64_t pid);

void codenames_free(struct codenames *c);

#endif
