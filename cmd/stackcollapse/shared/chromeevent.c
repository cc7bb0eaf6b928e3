#include "cmd/stackcollapse/shared/chromeevent.h"

#include <math.h>
#include <stdlib.h>

#include "common/base/num.h"

/* Set *time to the last value read, a number or a number in quotes. */
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

/* Do the same for the id of a process or thread. */
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

/* Set a member of the event to the current item of j. */
static void
set(struct chromeevent *e, size_t member, const struct json *j, struct sampletree *t)
{
    bool string = j->item == JSON_STRING, good = string || member == CHROME_PHASE;
    if (member == CHROME_PHASE)
        e->phase = string && j->text.len == 1 ? j->text.ptr[0] : 0;
    else if (member == CHROME_NAME || member == CHROME_ID)
        text_set(member == CHROME_NAME ? &e->name : &e->id, string ? j->text : SPAN(""));
    else if (member == CHROME_START || member == CHROME_DURATION)
        good = time_of(j, member == CHROME_START ? &e->start : &e->duration);
    else if (member == CHROME_PID || member == CHROME_TID)
        good = id_of(j, member == CHROME_PID ? &e->pid : &e->tid);
    else
        good = (e->frame = t != NULL ? sampletree_id(t, j) : SAMPLETREE_NONE) != SAMPLETREE_NONE;
    e->has |= 1u << member;
    e->good = good ? e->good | 1u << member : e->good & ~(1u << member);
}

bool
chromeevent_next(struct chromeevent *e, struct json *j, struct sampletree *t)
{
    static const struct span keys[CHROME_MEMBERS] = {
        [CHROME_PHASE] = SPAN("ph"),  [CHROME_START] = SPAN("ts"), [CHROME_DURATION] = SPAN("dur"),
        [CHROME_NAME] = SPAN("name"), [CHROME_PID] = SPAN("pid"),  [CHROME_TID] = SPAN("tid"),
        [CHROME_ID] = SPAN("id"),     [CHROME_FRAME] = SPAN("sf"), [CHROME_ARGS] = SPAN("args"),
    };
    static const struct jsonfield args[] = {FIELD_VALUE("data", sampletree_read), FIELD_END};
    struct text name = e->name, id = e->id;
    name.len = id.len = 0;
    *e = (struct chromeevent){.name = name, .id = id};
    if (!json_element(j))
        return false;
    if (j->item != JSON_OBJECT) {
        json_skip(j);
        return true;
    }
    while (json_member(j)) {
        size_t member = 0;
        while (member < CHROME_MEMBERS && !span_eq(j->text, keys[member]))
            member++;
        if (member == CHROME_ARGS && t != NULL) {
            if (json_enter(j, JSON_OBJECT))
                jsonfile_object(j, args, t);
            continue;
        }
        json_scalar(j);
        if (member < CHROME_ARGS)
            set(e, member, j, t);
    }
    return j->item != JSON_ERROR;
}

static int
compare(const void *left, const void *right)
{
    const struct trace_event *a = left, *b = right;
    if (a->thread != b->thread)
        return (a->thread > b->thread) - (a->thread < b->thread);
    if (a->start != b->start)
        return (a->start > b->start) - (a->start < b->start);
    return (a->order > b->order) - (a->order < b->order);
}

void
chromeevent_sort(struct trace_event *events, size_t n)
{
    if (n > 0)
        qsort(events, n, sizeof *events, compare);
}
