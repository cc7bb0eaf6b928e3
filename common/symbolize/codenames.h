/* Names of JIT-compiled code and of bytecode, by address, from OWN_CODE records (ownrecord.h); and
 * the calls inlined in such code, from OWN_INLINED records. A name is valid until its range gets
 * another name, a file is mapped there, the process executes another program, or another process
 * gets its pid. A forked process shares the names of its parent, which may still change, until it
 * gets a record of its own. */
#ifndef SYMBOLIZE_CODENAMES_H
#define SYMBOLIZE_CODENAMES_H

#include "common/event/record.h"
#include "common/stage/trampolines.h"
#include "common/sym/codemap.h"

struct codenames_process;

struct codename {
    struct span label; /* valid until the next record */
    uint32_t number; /* of the label: equal labels have equal numbers until `renumbered` changes */
    int32_t pid;     /* process whose record had the name: the one looked up, or its parent */
    uint64_t start;  /* start address of the code */
    uint64_t serial; /* unique to this name of this code */
};

/* {0} has no names; see codenames_init(). */
struct codenames {
    /* Maximum bytes of all names, set by the caller; 0: no limit. Processes with few names may take
     * an eighth more, so that one process with ever new names leaves room for others. */
    size_t limit;
    /* Number of names not kept because of the limit, and the process of the first one. */
    uint64_t refused;
    int32_t refused_pid;
    uint64_t renumbered; /* number of times that labels got other numbers */

    /* private from here */
    struct threadtable processes; /* struct codenames_process, by pid */
    struct trampolines trampolines;
    struct intern labels;
    struct codenames_entry {
        uint64_t start, serial;
        uint64_t since; /* time of the record */
        uint32_t label; /* a number of `labels` */
    } * entries;        /* by number, which is codepiece.line in the codemaps */
    size_t count, cap;
    uint64_t serials;
    size_t maps_size; /* bytes of all codemaps */
    bool full;        /* making room again would free little */
};

/* Begin without names. */
void codenames_init(struct codenames *c);

/* Process a record of any type: those with names, and fork, exec, exit and mmap records, have an
 * effect. Records must come in the order of their times. */
void codenames_see(struct codenames *c, const struct record *r);

/* Return the process whose names this one uses: itself, or its parent. Return NULL if the recording
 * has no names for it. Valid until the next record. */
const struct codenames_process *codenames_of(const struct codenames *c, int64_t pid);

/* Find the name that the code or bytecode at an address had at that time. Return false if it has no
 * name now, or had none or another one then. */
bool codenames_find(const struct codenames *c, const struct codenames_process *p, uint64_t addr,
                    uint64_t time, struct codename *found);

/* Find the calls that were inlined at an address that has a name: set *labels to their functions'
 * labels, innermost first, with newlines between them. Return false if there are none. Valid until
 * the next record. */
bool codenames_find_inlined(const struct codenames *c, const struct codenames_process *p,
                            uint64_t addr, uint64_t time, struct span *labels);

/* Return an address in the code that runs the process's bytecode: the return address of its calls,
 * less 1. 0: none is known. */
uint64_t codenames_interpreter(const struct codenames *c, int64_t pid);

void codenames_free(struct codenames *c);

#endif
