/* JIT-compiled code, with the time of each piece, from the dump that the compiler writes: node
 * --perf-prof, Java agents, LLVM, .NET.
 *
 * The caller puts each load into the process's address space at its time: a map of `size` bytes at
 * `addr`, whose DSO is jitdump_dso's and whose one symbol begins at JITDUMP_TEXT. That gives the
 * text of perf inject --jit, which writes an ELF file for each load, and perf script. */
#ifndef SYM_JITDUMP_H
#define SYM_JITDUMP_H

#include <stdint.h>

#include "common/base/mem.h"
#include "common/base/regular.h"
#include "common/base/text.h"

/* Where the code begins in perf inject's ELF files, and in ours: the map's pgoff. */
enum { JITDUMP_TEXT = 0x80 };

/* V8 adds it to each address of a line, for a perf whose ELF files had their code at 64. */
enum { JITDUMP_V8_LINES = 64 };

/* Which source line the code from an address on belongs to. {0} is an empty table. */
struct jitlines {
    struct span entries; /* whole ones only */
    uint64_t addr, size; /* of the code that they were written for */
};

/* A place in the source. */
struct jitline {
    struct span file; /* inside the table; in node's dumps any bytes */
    uint32_t line, column;
};

/* Code that appears at an address. */
struct jitload {
    uint64_t time; /* nanoseconds; see jitdump.cpu_time */
    uint64_t addr, size;
    uint64_t index;   /* the maker's number of the code */
    struct span name; /* perf demangles it as a symbol of an ELF file */
    struct jitlines lines;
    int32_t pid; /* of the process, in its own pid namespace */
    bool moved;  /* from elsewhere, with its name; perf prints [unknown] there */
};

/* {0} is an empty one. */
struct jitdump {
    struct jitload *loads; /* in the order of time */
    size_t count;
    bool cpu_time;       /* times are counts of the processor's clock, not of CLOCK_MONOTONIC */
    uint64_t damaged;    /* offset of a record that is cut or makes no sense, which ends the loads;
                            0: none. A maker that still runs may just be writing it. */
    uint64_t line_shift; /* what the maker adds to the addresses of lines: V8 64, others nothing.
                            Set to 0, it gives the lines that perf prints */

    /* private */
    size_t cap;
    struct arena arena;
};

/* Find the last number in a file name of the form ".../jit-NUMBER.dump" or, as JavaScriptCore names
 * it, ".../jit-NUMBER-NUMBER.dump": the pid of the process that writes it, which maps the file to
 * show that. False for any other name. */
bool jitdump_names_pid(struct span path, int32_t *pid);

/* Read the dump in the open file, with line numbers or without, and close the file. Return NULL,
 * or what is wrong with the file as a whole, and then the dump is empty. */
const char *jitdump_load(struct jitdump *j, struct regular_file *f, bool with_lines);

/* A record of a dump that grows. */
struct jitrecord {
    enum { JITRECORD_OTHER, JITRECORD_LOAD, JITRECORD_MOVE } type;
    uint64_t size; /* in the file, in bytes; 0: the record makes no sense, nor does what follows */
    uint64_t time;
    uint64_t addr, len; /* of the code */
    uint64_t old;       /* of a move: the address where the code was */
    uint64_t index;     /* as of struct jitload */
    int32_t pid;        /* likewise */
    struct span name;   /* of a load, borrowed */
};

/* At most this many bytes of a record are parsed; a longer name is cut. */
enum { JITDUMP_RECORD = 1 << 16 };

/* Parse the start of a dump: set the size of its header, which the records follow, and whether
 * their times are counts of the processor's clock. Return NULL, or what is wrong. *size 0: more
 * bytes are needed. */
const char *jitdump_parse_head(struct span start, uint64_t *size, bool *cpu_time);

/* Parse the record that the bytes begin with. Return false if more bytes are needed; its code and
 * its lines are not. */
bool jitdump_parse(struct span bytes, struct jitrecord *r);

/* Read the record at that offset of an open file. Its name points into *buffer. Return false if
 * there is none. */
bool jitdump_read(struct regular_file *f, uint64_t offset, struct text *buffer,
                  struct jitrecord *r);

/* Set the text to the DSO's name, "DIR/jitted-PID-INDEX.so", where DIR is the dump's folder, and return
 * it. */
struct span jitdump_dso(struct text *name, struct span path, int32_t pid, uint64_t index);

/* Find the source line of an address inside the load, valid until jitdump_free. False if the
 * dump has none for it, or was read without. */
bool jitdump_line(const struct jitdump *j, const struct jitload *load, uint64_t addr,
                  struct jitline *found);

void jitdump_free(struct jitdump *j);

#endif
