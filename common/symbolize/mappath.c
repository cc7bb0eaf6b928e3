#include "common/symbolize/mappath.h"

#include <stdio.h>
#include <unistd.h>

#include "common/base/num.h"

enum { PATH = 96 };

/* The number of the process in the innermost of its pid namespaces, from a line of
 * /proc/PID/status (proc(5)):
 *
 *     NSpid:  4242    7
 *
 * False if there is no such process, or it has one number only. */
static bool
inner_pid(struct span pid, char inner[static NUM_DIGITS + 1])
{
    char path[PATH], line[256];
    int outer = 0, end = 0;
    snprintf(path, sizeof path, "/proc/%.*s/status", SPAN_ARG(pid));
    FILE *f = fopen(path, "re");
    if (f == NULL)
        return false;
    bool found = false;
    while (!found && fgets(line, sizeof line, f) != NULL)
        found = sscanf(line, "NSpid: %d%n", &outer, &end) == 1 && end > 0;
    fclose(f);
    if (!found)
        return false;
    struct span rest = span_trim(span_cstr(line + end));
    size_t last = span_rfind(rest, '\t');
    struct span number = last != SPAN_NONE ? span_from(rest, last + 1) : rest;
    if (number.len == 0 || number.len > NUM_DIGITS)
        return false;
    memcpy(inner, number.ptr, number.len);
    inner[number.len] = '\0';
    return true;
}

const char *
mappath(struct arena *a, struct span pid)
{
    char path[PATH], inner[NUM_DIGITS + 1];
    if (inner_pid(pid, inner)) {
        snprintf(path, sizeof path, "/proc/%.*s/root/tmp/perf-%s.map", SPAN_ARG(pid), inner);
        if (access(path, F_OK) == 0)
            return arena_cstr(a, span_cstr(path));
    }
    snprintf(path, sizeof path, "/tmp/perf-%.*s.map", SPAN_ARG(pid));
    return arena_cstr(a, span_cstr(path));
}
