/* JIT-compiled code, with the time of each piece, from the dump that the compiler writes: node
 * --perf-prof, Java agents, LLVM, .NET.
 *
 * A load is a record that says that new code is at an address. For each load the caller adds, at
 * the load's time, a map of `size` bytes at `addr` to the process's address space. The map has the
 * DSO name of jitdump_dso and one symbol, which begins at JITDUMP_TEXT. The output is then the same
 * as that of perf inject --jit (which writes an ELF file for each load) and perf script after
 * it. */
#ifndef SYM_JITDUMP_H
#define SYM_JITDUMP_H

#include <stdint.h>

#include "common/base/mem.h"
#include "common/base/regular.h"
#include "common/base/text.h"

/* Offset of the code in the ELF files of perf inject, and the pgoff of our maps. */
enum { JITDUMP_TEXT = 0x80 };

/* V8 adds this to each address of a line, for an older perf whose ELF files had their code at
 * 64. */
enum { JITDUMP_V8_LINES = 64 };

/* Line table of a piece of code, by address. {0} is empty. */
struct jitlines {
    struct span entries; /* whole entries only */
    uint64_t addr, size; /* the code that the entries were written for */
};

/* A source position. */
struct jitline {
    struct span file; /* points into the dump; node writes arbitrary bytes */
    uint32_t line, column;
};

/* Code that appears at an address. */
struct jitload {
    uint64_t time; /* nanoseconds; see jitdump.cpu_time */
    uint64_t addr, size;
    uint64_t index;   /* the compiler's number of the code */
    struct span name; /* perf demangles it like a symbol of an ELF file */
    struct jitlines lines;
    int32_t pid; /* of the process, in its own pid namespace */
    bool moved;  /* moved here with its name; perf prints [unknown] here */
};

/* {0} is empty. */
struct jitdump {
    struct jitload *loads; /* sorted by time */
    size_t count;
    bool cpu_time; /* times are the CPU's timestamps (JITDUMP_FLAGS_ARCH_TIMESTAMP) */
    /* Offset of a truncated or invalid record, which ends the loads; 0: none. A compiler that still
     * runs may be writing it. */
    uint64_t damaged;
    /* What the compiler adds to the addresses of lines: V8 64, others 0. Set it to 0 for the lines
     * that perf prints. */
    uint64_t line_shift;

    /* private */
    size_t cap;
    struct arena arena;
};

/* Find the last number in a file name ".../jit-NUMBER.dump", or as JavaScriptCore names it,
 * ".../jit-NUMBER-NUMBER.dump". It is the pid of the process that writes the file, and that maps it
 * to announce it. Return false for other names. */
bool jitdump_names_pid(struct span path, int32_t *pid);

/* Read the dump in the open file, with or without line numbers, and close the file. Return NULL, or
 * what is wrong with the file as a whole: then the dump is empty. */
const char *jitdump_load(struct jitdump *j, struct regular_file *f, bool with_lines);

/* A record of a dump that grows. */
struct jitrecord {
    enum { JITRECORD_OTHER, JITRECORD_LOAD, JITRECORD_MOVE } type;
    uint64_t size; /* bytes in the file; 0: the record is invalid, and so is the rest of the file */
    uint64_t time;
    uint64_t addr, len; /* of the code */
    uint64_t old;       /* of a move: the code's former address */
    uint64_t index;     /* as in struct jitload */
    int32_t pid;        /* as in struct jitload */
    struct span name;   /* of a load; borrowed */
};

/* At most this many bytes of a record are parsed; a longer name is cut. */
enum { JITDUMP_RECORD = 1 << 16 };

/* Parse the start of a dump: set *size to the size of its header, after which the records begin,
 * and whether times are CPU timestamps. Return NULL, or what is wrong. *size is 0 if more bytes are
 * needed. */
const char *jitdump_parse_head(struct span start, uint64_t *size, bool *cpu_time);

/* Parse the record at the start of the bytes. Return false if more bytes are needed; the record's
 * code and lines need not be there. */
bool jitdump_parse(struct span bytes, struct jitrecord *r);

/* Read the record at that offset of an open file. Its name points into *buffer. Return false if
 * there is none. */
bool jitdump_read(struct regular_file *f, uint64_t offset, struct text *buffer,
                  struct jitrecord *r);

/* Set `name` to the DSO's name, "DIR/jitted-PID-INDEX.so", where DIR is the dump's folder, and
 * return it. */
struct span jitdump_dso(struct text *name, struct span path, int32_t pid, uint64_t index);

/* Find the source line of an address inside the load, valid until jitdump_free. Return false if the
 * dump has none for it, or was read without lines. */
bool jitdump_line(const struct jitdump *j, const struct jitload *load, uint64_t addr,
                  struct jitline *found);

void jitdump_free(struct jitdump *j);

#endif
