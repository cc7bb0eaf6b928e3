/* Names of JIT-compiled code and of bytecode, by address, from OWN_CODE records (ownrecord.h); and
 * the calls inlined in such code, and its source lines, from OWN_INLINED and OWN_SRCLINES records.
 * A record names a range of addresses with a label, such as "JS:*f file:///x.js:1:2". The name is
 * valid until another record covers the range, a file is mapped there, the process executes another
 * program, or another process gets its pid. A forked process uses the current names of its parent,
 * until it gets a record of its own. */
#ifndef SYMBOLIZE_CODENAMES_H
#define SYMBOLIZE_CODENAMES_H

#include "common/event/record.h"
#include "common/stage/trampolines.h"
#include "common/sym/codemap.h"

struct codenames_process;

struct codename {
    struct span label; /* valid until the next record */
    /* Number of the label. Equal labels have equal numbers, until codenames.renumbered changes. */
    uint32_t number;
    int32_t pid;     /* process of the record with the name: the one looked up, or its parent */
    uint64_t start;  /* start address of the code */
    uint64_t serial; /* identifies the record with the name */
};

/* {0} has no names; see codenames_init(). */
struct codenames {
    /* Maximum bytes of all names, set by the caller; 0: no limit. When the limit is reached,
     * processes with few names may exceed it by an eighth: so a process that generates code without
     * end leaves room for others. */
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
        uint32_t label; /* number in `labels` */
    } * entries;        /* indexed by codepiece.line of the codemaps */
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

/* Find the name of the code or bytecode at an address. Return false if it has no name now, or got
 * its current name only after `time`. */
bool codenames_find(const struct codenames *c, const struct codenames_process *p, uint64_t addr,
                    uint64_t time, struct codename *found);

/* Find the calls that were inlined at an address that has a name: set *labels to their functions'
 * labels, innermost first, with newlines between them. Return false if there are none. Valid until
 * the next record. */
bool codenames_find_inlined(const struct codenames *c, const struct codenames_process *p,
                            uint64_t addr, uint64_t time, struct span *labels);

/* Find the source lines at an address that has a name, and set *found to them: its label is the
 * text of the OWN_SRCLINES record. Return false if there are none. */
bool codenames_find_lines(const struct codenames *c, const struct codenames_process *p,
                          uint64_t addr, uint64_t time, struct codename *found);

/* Return an address in V8's interpreter, which runs the process's bytecode: the return address that
 * was recorded last (trampolines.h), less 1. Return 0 if none is known. */
uint64_t codenames_interpreter(const struct codenames *c, int64_t pid);

void codenames_free(struct codenames *c);

#endif
