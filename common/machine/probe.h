/* Probes: functions and source lines of programs and of the kernel, with the values to fetch there.
 *
 *     parse(len, name:string)     each call of the function, also where it was inlined
 *     parse%return($retval)       each return
 *     main.c:42(i)                the source line, also where its function was inlined
 */
#ifndef MACHINE_PROBE_H
#define MACHINE_PROBE_H

#include <stdint.h>

#include "common/base/mem.h"
#include "common/base/out.h"

/* Instructions that have the same arguments. */
struct probe_event {
    uint64_t *offsets; /* in the file, or from `symbol` on; all different */
    size_t count;
    /* The kernel's fetch arguments, each after a blank: " len=%si:s32". The places may differ from
     * instruction to instruction, the names and types do not. */
    const char **fetch; /* of each offset */
    struct span types;  /* "len:s32 name:string" */

    /* private */
    size_t cap, fetch_cap;
};

struct probe {
    const char *file;   /* an absolute path; NULL: there is no such file, or it is the kernel */
    const char *symbol; /* of the kernel; NULL: it is not the kernel */
    struct span name;   /* without arguments: "parse", "parse%return", "main.c:42" */
    bool returns;
    struct probe_event *events;
    size_t count;
    const char **notes; /* about what is not sampled */
    size_t nnotes;

    /* private */
    size_t cap, notes_cap;
};

/* Find the instructions of a probe of a file, which is found as by function_find(); PROBE_KERNEL is
 * the kernel, whose variables are in the debug information of its vmlinux. Return NULL, or
 * what is wrong. The message and the texts are in the arena. Call probe_free() in both cases. */
#define PROBE_KERNEL SPAN("kernel")
const char *probe_find(struct probe *p, struct span file, struct span text, struct arena *a);

void probe_free(struct probe *p);

/* Print the variables that a probe can fetch, as perf probe -V does. `spec` is "FILE:FUNCTION" or
 * "FILE:SOURCE:LINE". Return NULL, or what is wrong. Set *note to what is not printed, and why;
 * NULL: nothing. Both are in the arena. */
const char *probe_print_variables(struct span spec, struct out *out, const char **note,
                                  struct arena *a);

/* Print the source of a function, with numbers at the lines where a probe can be, as perf probe -L
 * does; these numbers alone, if the source cannot be read. Otherwise as above. */
const char *probe_print_lines(struct span spec, struct out *out, const char **note,
                              struct arena *a);

#endif
