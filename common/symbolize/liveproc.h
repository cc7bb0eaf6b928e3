/* A running process that has JIT-compiled code; private to liveprocs.c. */
#ifndef SYMBOLIZE_LIVEPROC_H
#define SYMBOLIZE_LIVEPROC_H

#include "common/base/diag.h"
#include "common/symbolize/findmap.h"
#include "common/symbolize/livemap.h"
#include "common/symbolize/runtime.h"

/* Nanoseconds. */
#define LIVEPROC_SECOND ((uint64_t)1000000000)

struct liveproc {
    int32_t pid;
    char comm[32];
    enum runtime runtime;
    uint64_t since;    /* when it was seen first */
    uint64_t searched; /* when its map was looked for last; 0: not since it began or did an exec */
    uint64_t gone;     /* when it was found to have ended; 0: it may run */
    bool given;        /* its map is that of --perf-map */
    bool refused;      /* its map was not opened, because MAPS_MOST were open */
    bool has_dump;     /* it writes a jitdump, which has the names of its code */
    bool reported;     /* that it has no map */
    bool given_up;     /* that some names of its map are not known was reported */
    bool changed;      /* it has other names, and its address space the old version */
    uint64_t missing;  /* addresses without a name that were looked up */
    uint32_t serial;   /* of its map: each has another; 0: it has none */
    struct livemap map;
    struct regular_owners owners; /* who may own its map */
    struct findmap found;         /* by the last search */
};

/* Sets what the process is called, whose it is and which runtime it has, if it runs. */
void liveproc_identify(struct liveproc *p);

/* How long it has been known, in nanoseconds. */
uint64_t liveproc_age(const struct liveproc *p, uint64_t now);

/* True if its map is to be looked for: compilers open it when they begin, or when somebody asks
 * them to. */
bool liveproc_is_search_due(const struct liveproc *p, uint64_t now);

/* True if it has no map, that was not reported, and a map would have given names. `later`: nobody
 * looks names up now, but somebody will. */
bool liveproc_lacks_map(const struct liveproc *p, bool later);

/* Prints that it has no map, and what to do about it. */
void liveproc_report(struct liveproc *p, struct diag *diag);

/* Prints which names of its map were given up, once. `ends`: the map is read no more. */
void liveproc_report_given_up(struct liveproc *p, bool ends, struct diag *diag);

#endif
