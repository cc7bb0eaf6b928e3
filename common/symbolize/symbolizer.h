/* Turns the addresses of samples into frames, as perf prints them:
 *
 *     7f3c5e8f9a12 in process 4242  ->  "9a12 uv_run+0x12 (/usr/lib/libuv.so)"
 *
 * It tracks which files each process has mapped (procmaps), and reads the symbols of a file when
 * the first address in it is looked up. Names of JIT-compiled code come from perf maps and jitdumps
 * (jitnames.h), from the recording itself (codenames.h), or from a recorded jitdump (jitcode.h). */
#ifndef SYMBOLIZE_SYMBOLIZER_H
#define SYMBOLIZE_SYMBOLIZER_H

#include "common/symbolize/codenames.h"
#include "common/symbolize/jitcode.h"
#include "common/symbolize/jitnames.h"
#include "common/symbolize/kernel.h"
#include "common/symbolize/objects.h"
#include "common/symbolize/debuginfo.h"
#include "common/base/diag.h"
#include "common/base/vec.h"
#include "common/event/perfdata.h"
#include "common/stack/model/frametab.h"
#include "common/demangle/demangle.h"
#include "common/sym/dsofile.h"
#include "common/sym/procmaps.h"

struct symbol_options {
    bool as_perf; /* print what perf 6.1 prints, even where it is wrong */
    enum demangle_style demangle;
    bool lines;   /* look up source lines */
    bool paths;   /* print source files with their folders, as perf --full-source-path */
    bool inlined; /* look up inlined calls: symbolizer_calls() */
    struct dsofile_search files;
    const char *kallsyms, *vmlinux; /* files named by the user, or NULL */
    struct objects *objects;        /* files of running processes; NULL: the processes have ended */
    struct jitnames *names;         /* names of JIT-compiled code, or NULL */
    size_t codes_limit; /* bytes for names from the recording, see codenames.h; 0: no limit */
    size_t maps_limit;  /* bytes for the mappings of processes, see procmaps.h; 0: no limit */
    size_t debug_limit; /* bytes for debug information; 0: the default of debuginfo.h */
    struct debuginfo_pace debug_pace;
    /* Called every few tens of microseconds while names or unwinding tables are read, so that a
     * recording can go on meanwhile. NULL: nothing waits. */
    void (*relieve)(void *ctx);
    void *relieve_ctx;
};

/* Maximum number of files whose symbols are in memory. */
enum { SYMBOLIZER_FILES = 512 };

struct symbolizer {
    struct procmaps maps;     /* the caller passes fork, comm and exit records to it */
    struct kernel kernel;     /* the caller sets `release` in it */
    struct patience patience; /* calls `relieve` of the options, and never ends the work */
    uint64_t files_forgotten; /* number of times that all files were closed */

    /* private from here */
    const struct symbol_options *options;
    struct jitnames *jitnames; /* or NULL */
    struct diag *diag;
    struct frametab *frames;
    bool nameless_kernel; /* a function of the kernel has no name */
    struct codenames codenames;
    const struct codenames_process *named; /* process whose names `pid` uses; NULL: none */
    uint64_t renumbered; /* codenames.renumbered at the time of the cached places */
    struct jitcode jit;
    struct debuginfo debuginfo;
    struct elffiles elfs;
    struct code **code;        /* indexed by DSO number in `maps`; NULL: not loaded */
    struct intern pairs;       /* pairs of a file with symbols and a file with the code */
    struct code_names **names; /* indexed by number in `pairs` */
    size_t names_cap;
    struct code_names *read[SYMBOLIZER_FILES]; /* symbols in memory; NULL: a free slot */
    size_t nread;
    struct code *memory; /* the last DSO looked up that is JIT-compiled code or anonymous memory */
    size_t code_cap;
    uint32_t generation;  /* of the frames */
    int64_t pid;          /* process of the current sample; -1: unknown */
    uint64_t seen;        /* `seen` of symbolizer_advance() */
    size_t nowhere;       /* number of `places` that are in no known mapping */
    struct intern places; /* DSO number, address, and number of the name */
    uint32_t *frame_of;   /* indexed by number in `places` */
    size_t frame_of_cap;
    struct intern call_places; /* DSO number, address, and whether it is a return address */
    struct symbolizer_calls {
        size_t first, count; /* in call_frames */
    } * calls_of;            /* indexed by number in `call_places` */
    size_t calls_of_cap;
    uint32_t *call_frames;
    size_t ncall_frames, call_frames_cap;
    VEC(uint32_t) named_calls;      /* frames of one address */
    struct symbolizer_slot *recent; /* cache by space and address, see symbolizer.c */
    struct arena arena, scratch;
    struct text name, line;
};

/* Set up a symbolizer without a recording. Borrow the options, the diag and the frametab. Call
 * symbolizer_restart before looking up addresses. */
void symbolizer_init(struct symbolizer *s, const struct symbol_options *options, struct diag *diag,
                     struct frametab *frames);

/* Begin a recording: forget all processes, but keep the frames. `mono`: the times of its samples
 * are those of CLOCK_MONOTONIC, so they can be compared with the times in jitdumps. */
void symbolizer_restart(struct symbolizer *s, bool mono);

/* Return the bytes of memory that the symbolizer uses for frames, in addition to the frametab. They
 * are freed when the frametab is emptied. */
size_t symbolizer_frames_size(const struct symbolizer *s);

/* Call this before looking up the addresses of a sample. `time`: time of the sample, in
 * nanoseconds. `pid`: its process; -1 if unknown. `seen`: the same as `time`, but if the sample is
 * the sum of several samples with the same stack (stacktime.h), the time of the earliest of them.
 * Code gets only names that it had at that time already. */
void symbolizer_advance(struct symbolizer *s, uint64_t time, uint64_t seen, int64_t pid);

/* The kind of an address, which decides the source line of JavaScript. */
enum symbolizer_kind {
    SYMBOLIZER_AT,    /* of the instruction that ran, or of the call */
    SYMBOLIZER_AFTER, /* a return address: the call is before it */
    /* As AT, but if V8 interprets the function, the innermost frame may be the code of one of its
     * bytecodes. The address is that of the last bytecode that has called: there is no line. */
    SYMBOLIZER_RUNS_BYTECODE,
};

/* Return the frame for an address, as its number in the frametab. `space` is the address space of
 * the process; NULL if no map of the process is known. The frame has the address as perf prints it:
 * as an offset in the file, or unchanged if there is no file. */
uint32_t symbolizer_frame(struct symbolizer *s, const struct procspace *space, uint64_t addr,
                          enum symbolizer_kind kind);

/* Return the address to look up for the address `addr` of a caller in an unwound stack. This is
 * addr itself, with one exception: an address outside of code is that of bytecode, and if the
 * bytecode has no name, return an address in the interpreter that runs it. */
uint64_t symbolizer_caller(const struct symbolizer *s, const struct procspace *space,
                           uint64_t addr);

/* Find the frames of the calls at an address, innermost first: the inlined calls, whose DSO is
 * "inlined", then the function that contains them. Return the number of frames, and set *frames to
 * them, which are valid until the next call. Return 0 if symbolizer_frame() gives the one frame: no
 * call was inlined. */
size_t symbolizer_calls(struct symbolizer *s, const struct procspace *space, uint64_t addr,
                        enum symbolizer_kind kind, const uint32_t **frames);

/* Do the same as symbolizer_frame, but leave the address unchanged even if there is a file. */
uint32_t symbolizer_raw_frame(struct symbolizer *s, const struct procspace *space, uint64_t addr);

/* Process what a record of any type but samples says about names of code. Records of mappings must
 * be passed to symbolizer_map() too. */
void symbolizer_see(struct symbolizer *s, const struct record *r);

/* Add the map of an MMAP or MMAP2 record; *m is the record's mapping, with the build-id of the file
 * if that is known from elsewhere. */
void symbolizer_map(struct symbolizer *s, const struct record *r, const struct record_mmap *m);

/* Add the code of a KSYMBOL record, unless the record says that the code was removed. */
void symbolizer_made(struct symbolizer *s, const struct record_ksymbol *k);

/* Return the files of a DSO of s->maps; NULL if the DSO is not a file, or is code of a jitdump.
 * Valid until s->files_forgotten changes. */
const struct dsofile *symbolizer_file(struct symbolizer *s, uint32_t dso);

/* Print for which files no names, or wrong ones, were found, and where they were searched. Call
 * this before symbolizer_restart and at the end. */
void symbolizer_explain(const struct symbolizer *s);

void symbolizer_free(struct symbolizer *s);

#endif
