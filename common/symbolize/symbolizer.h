/* Turns the addresses of samples into frames, as perf prints them:
 *
 *     7f3c5e8f9a12 in process 4242  ->  "9a12 uv_run+0x12 (/usr/lib/libuv.so)"
 *
 * It knows which file lay where in each process (procmaps), and reads the names of a file's code
 * when the first address in it is looked up. JIT-compiled code gets its name from whoever knows it
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
    bool as_perf; /* what perf 6.1 prints, also where it is wrong */
    enum demangle_style demangle;
    bool lines;   /* source lines are wanted */
    bool inlined; /* inlined calls are wanted: symbolizer_calls() */
    struct dsofile_search files;
    const char *kallsyms, *vmlinux; /* NULL: none was given */
    struct objects *objects; /* of processes that run; NULL: they have ended, perhaps long ago */
    struct jitnames *names;  /* of JIT-compiled code; NULL: there are none */
    size_t codes_limit;      /* bytes for names that the recording has: see codenames.h; the same */
    size_t maps_limit;  /* bytes for the mappings of processes: see procmaps.h; 0: all they need */
    size_t debug_limit; /* bytes for debug information: see debuginfo.h; 0: all it needs */
    struct debuginfo_pace debug_pace;
};

enum { SYMBOLIZER_FILES = 512 };

struct symbolizer {
    struct procmaps maps;     /* the caller passes on the records */
    struct kernel kernel;     /* the caller sets the release */
    uint64_t files_forgotten; /* how often the files that were read were closed */

    /* private from here */
    const struct symbol_options *options;
    struct jitnames *jitnames; /* NULL: there are none */
    struct diag *diag;
    struct frametab *frames;
    bool nameless_kernel; /* a function of the kernel has no name */
    struct codenames codenames;
    const struct codenames_process *named; /* whose names those of `pid` are; NULL: it has none */
    uint64_t renumbered;                   /* that of the codenames for which places are cached */
    struct jitcode jit;
    struct debuginfo debuginfo;
    struct elffiles elfs;
    struct code **code;        /* by the DSO's number in `maps`; NULL: not loaded */
    struct intern pairs;       /* of files with symbols and with the code */
    struct code_names **names; /* by number of `pairs` */
    size_t names_cap;
    struct code_names *read[SYMBOLIZER_FILES]; /* that are in memory; NULL: a free slot */
    size_t nread;
    struct code *memory; /* the DSO looked up last of those that have no names here */
    size_t code_cap;
    uint32_t generation;  /* of the frames */
    int64_t pid;          /* whose addresses are looked up; -1: unknown */
    uint64_t seen;        /* since when the stack was there */
    size_t nowhere;       /* places in no known mapping */
    struct intern places; /* DSO's number, address, and number of the name */
    uint32_t *frame_of;   /* by the place's number */
    size_t frame_of_cap;
    struct intern call_places; /* DSO's number, address, and how far before it the call is */
    struct symbolizer_calls {
        size_t first, count; /* in call_frames */
    } * calls_of;            /* by the place's number */
    size_t calls_of_cap;
    uint32_t *call_frames;
    size_t ncall_frames, call_frames_cap;
    VEC(uint32_t) named_calls;      /* frames of one address */
    struct symbolizer_slot *recent; /* a cache by space and address, see symbolizer.c */
    struct arena arena, scratch;
    struct text name, line;
};

/* Begin without a recording; borrow all three. Call symbolizer_restart before any address is looked
 * up. */
void symbolizer_init(struct symbolizer *s, const struct symbol_options *options, struct diag *diag,
                     struct frametab *frames);

/* Begin with a recording: what is known of processes is forgotten, the frames stay. mono: its
 * times are of CLOCK_MONOTONIC, as those of jitdumps. */
void symbolizer_restart(struct symbolizer *s, bool mono);

/* Return how much memory frames take here, in bytes: it is freed once the frametab is emptied. */
size_t symbolizer_frames_size(const struct symbolizer *s);

/* Called before the addresses of a sample of that time, in nanoseconds, and that process are looked
 * up; pid -1: it is not known. `seen`: since when the stack was there, which is earlier than `time` if
 * it is the sum of several samples. */
void symbolizer_advance(struct symbolizer *s, uint64_t time, uint64_t seen, int64_t pid);

/* Return the number in the frametab of the frame for an address of a space, which is NULL where no
 * map of the process is known. The address is printed as perf does: as the offset in the file, and
 * where there is none as it is. */
uint32_t symbolizer_frame(struct symbolizer *s, const struct procspace *space, uint64_t addr);

/* Return the address whose frame stands for that of a caller in a stack that was unwound: mostly
 * its own. Where no code lies it is that of bytecode, and if that has no name the interpreter's. */
uint64_t symbolizer_caller(const struct symbolizer *s, const struct procspace *space,
                           uint64_t addr);

/* Find the frames of the calls at an address of a space, innermost first: those inlined, whose DSO
 * is "inlined", and the function that they are in. `caller`: it is a return address, and the call
 * is before it. Return their number, and the frames, which are good until the next call; 0 where no
 * call was inlined: then symbolizer_frame() gives the frame. */
size_t symbolizer_calls(struct symbolizer *s, const struct procspace *space, uint64_t addr,
                        bool caller, const uint32_t **frames);

/* As symbolizer_frame, with the address printed as it is, also in a file. */
uint32_t symbolizer_raw_frame(struct symbolizer *s, const struct procspace *space, uint64_t addr);

/* Take in what a record of any type but a sample says about names of code. Those of mappings have
 * to be given to symbolizer_map() too. */
void symbolizer_see(struct symbolizer *s, const struct record *r);

/* Add the map of an MMAP or MMAP2 record; *m is that of the record, with the build-id of the file
 * if that is known from elsewhere. */
void symbolizer_map(struct symbolizer *s, const struct record *r, const struct record_mmap *m);

/* Add the code of a KSYMBOL record, unless it says that the code is gone. */
void symbolizer_made(struct symbolizer *s, const struct record_ksymbol *k);

/* Return the files of a DSO of s->maps; NULL if it is none, or is code that a jitdump has. Valid
 * until s->files_forgotten changes. */
const struct dsofile *symbolizer_file(struct symbolizer *s, uint32_t dso);

/* Print for which files no names, or not the right ones, were found, and where they were looked
 * for. Call it before symbolizer_restart and at the end. */
void symbolizer_explain(const struct symbolizer *s);

void symbolizer_free(struct symbolizer *s);

#endif
