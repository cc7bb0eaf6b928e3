#include "cmd/stackrecord/capture/header.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <time.h>

#include "common/base/num.h"
#include "common/base/utf8.h"
#include "common/machine/procfs.h"

enum { PROCESSES_MAX = 16, SHOWN = 200 };

/* Append a line with a command line, in which a NUL follows each word. */
static void
add_line(struct text *to, struct span before, struct span words)
{
    struct text line = {0};
    text_add(&line, words);
    for (size_t i = 0; i < line.len; i++)
        if (line.ptr[i] == '\0')
            line.ptr[i] = ' ';
    utf8_mask(line.ptr, line.len);
    struct span shown = span_trim(text_span(&line));
    size_t most = utf8_offset(shown, SHOWN);
    TEXT_ADD(to, SPAN("# "), before, SPAN(" : "), span_head(shown, most),
             most < shown.len ? SPAN("...") : SPAN(""), SPAN("\n"));
    free(line.ptr);
}

static void
add_process(int32_t pid, struct text *to)
{
    struct text words = {0}, before = {0};
    char digits[NUM_DIGITS];
    TEXT_ADD(&before, SPAN("process : "), num_decimal(digits, (uint64_t)pid));
    if (procfs_ask(&words, pid, "cmdline") && words.len > 0)
        add_line(to, text_span(&before), text_span(&words));
    free(words.ptr);
    free(before.ptr);
}

static void
add_command(char *const *command, struct text *to)
{
    struct text words = {0};
    for (; *command != NULL; command++)
        TEXT_ADD(&words, span_cstr(*command), SPAN(" "));
    add_line(to, SPAN("command"), text_span(&words));
    free(words.ptr);
}

/* Append the current time, by the clock of the samples' times and as the time of day in UTC. */
static void
add_clock(struct text *to)
{
    struct timespec real, monotonic;
    struct tm utc;
    char date[32], line[128];
    clock_gettime(CLOCK_REALTIME, &real);
    clock_gettime(CLOCK_MONOTONIC, &monotonic);
    if (gmtime_r(&real.tv_sec, &utc) == NULL ||
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &utc) == 0)
        return;
    int len =
        snprintf(line, sizeof line, "# monotonic clock : %lld.%06ld at %s.%06ldZ\n",
                 (long long)monotonic.tv_sec, monotonic.tv_nsec / 1000, date, real.tv_nsec / 1000);
    text_add(to, span_of(line, (size_t)len));
}

void
header_add(const struct target *t, size_t turns, struct text *to)
{
    char digits[NUM_DIGITS];
    struct utsname names;
    char time_text[32];
    time_t now = time(NULL);
    struct tm utc;
    if (uname(&names) == 0)
        TEXT_ADD(to, SPAN("# hostname : "), span_cstr(names.nodename), SPAN("\n"));
    if (gmtime_r(&now, &utc) != NULL &&
        strftime(time_text, sizeof time_text, "%Y-%m-%dT%H:%M:%SZ", &utc) > 0)
        TEXT_ADD(to, SPAN("# captured on : "), span_cstr(time_text), SPAN("\n"));
    for (size_t i = 0; t->kind == TARGET_PROCESSES && i < t->ids.count && i < PROCESSES_MAX; i++)
        add_process(t->ids.at[i], to);
    if (t->kind == TARGET_COMMAND)
        add_command(t->command, to);
    if (turns > 0)
        TEXT_ADD(to, SPAN("# turns : "), num_decimal(digits, turns), SPAN(" ms\n"));
    add_clock(to);
}
