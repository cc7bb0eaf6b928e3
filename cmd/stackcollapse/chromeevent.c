#include "cmd/stackcollapse/chromeevent.h"

#include <math.h>
#include <stdlib.h>

#include "cmd/stackcollapse/chromescan.h"
#include "common/base/num.h"

/* The time that is the value read last, written as a number or in quotes. */
static bool
time_of(const struct json *j, double *time)
{
    char text[64], *end;
    struct span s = span_trim(j->text);
    if (j->item == JSON_NUMBER)
        return json_double(j, time);
    if (j->item != JSON_STRING || s.len == 0 || s.len >= sizeof text)
        return false;
    memcpy(text, s.ptr, s.len);
    text[s.len] = '\0';
    *time = strtod(text, &end);
    return *end == '\0' && isfinite(*time);
}

/* The same for the id of a process or thread. */
static bool
id_of(const struct json *j, int64_t *id)
{
    static const double most = 9e18;
    double value;
    uint64_t whole;
    bool number = j->item == JSON_NUMBER || j->item == JSON_STRING;
    struct span s = number ? span_trim(j->text) : SPAN("");
    if (num_u64(s, &whole)) {
        *id = whole < INT64_MAX ? (int64_t)whole : INT64_MAX;
        return true;
    }
    if (!json_double(j, &value))
        return false;
    *id = (int64_t)(value > most ? most : value < -most ? -most : value);
    return true;
}

static bool
phase_of(const struct json *j, char *phase)
{
    *phase = j->item == JSON_STRING && j->text.len == 1 ? j->text.ptr[0] : 0;
    return true;
}

/* Where it is read from the buffer at once, it need not be copied. */
static bool
name_of(const struct json *j, struct chromeevent *e)
{
    e->copy.len = 0;
    if (j->item == JSON_STRING)
        text_add(&e->copy, j->text);
    e->name = text_span(&e->copy);
    return j->item == JSON_STRING;
}

static size_t
member_of(struct span key)
{
    static const struct span names[CHROME_MEMBERS] = {
        [CHROME_PHASE] = SPAN("ph"),  [CHROME_START] = SPAN("ts"), [CHROME_DURATION] = SPAN("dur"),
        [CHROME_NAME] = SPAN("name"), [CHROME_PID] = SPAN("pid"),  [CHROME_TID] = SPAN("tid"),
    };
    size_t i = 0;
    while (i < CHROME_MEMBERS && !span_eq(key, names[i]))
        i++;
    return i;
}

void
chromeevent_set(struct chromeevent *e, size_t member, const struct json *j)
{
    bool good = member == CHROME_PHASE      ? phase_of(j, &e->phase)
                : member == CHROME_START    ? time_of(j, &e->start)
                : member == CHROME_DURATION ? time_of(j, &e->duration)
                : member == CHROME_NAME     ? name_of(j, e)
                : member == CHROME_PID      ? id_of(j, &e->pid)
                                            : member == CHROME_TID && id_of(j, &e->tid);
    e->has |= 1u << member;
    e->wrong = good ? e->wrong & ~(1u << member) : e->wrong | 1u << member;
}

/* Reads the next event if it can be read in the buffer. */
static bool
scan_event(struct chromeevent *e, struct json *j)
{
    size_t lines;
    const char *end = chromescan_event(e, j, &lines);
    if (end != NULL)
        json_consume(j, end, lines);
    return end != NULL;
}

static void
clear(struct chromeevent *e)
{
    e->has = e->wrong = 0;
    e->phase = 0;
    e->start = e->duration = 0;
    e->pid = e->tid = 0;
    e->name = SPAN("");
}

bool
chromeevent_next(struct chromeevent *e, struct json *j)
{
    clear(e);
    if (!j->strict && scan_event(e, j))
        return true;
    clear(e);
    if (!json_element(j))
        return false;
    if (j->item != JSON_OBJECT) {
        json_skip(j);
        return true;
    }
    while (json_member(j)) {
        size_t member = member_of(j->text);
        json_scalar(j);
        chromeevent_set(e, member, j);
    }
    return j->item != JSON_ERROR;
}
