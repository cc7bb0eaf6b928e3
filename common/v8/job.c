#include "common/v8/job.h"

enum {
    CLOSURES_MAX = 4,    /* frames per place whose JSFunctions are tried */
    GUESS_MAX = 1 << 16, /* bytes searched for code before a guessed address */
};

struct job
job_of(struct seen *frames, size_t n, uint32_t place)
{
    return (struct job){
        .frames = frames, .n = n, .place = place, .state = place != PLACE_NONE ? CHECK : FIND};
}

uint64_t
job_address(const struct v8frame *f)
{
    return f->leaf ? f->pc : f->pc - 1;
}

bool
job_site(const struct seen *s, uint64_t *addr)
{
    *addr = s->bytecode ? s->f.bytecode + (s->f.offset >> 32) : job_address(&s->f);
    return !s->f.guessed && !(s->bytecode && s->f.leaf);
}

bool
job_has_words(const struct v8frame *f)
{
    return f->has_words && heap_points(f->context);
}

static struct place *
place_of(const struct job *j, const struct reported *t)
{
    return &t->places.of.at[j->place];
}

/* Return true if the frame's JSFunction leads to the place's function. */
static bool
is_proven(const struct seen *s, const struct place *p, const struct reported *t)
{
    return p->function != PLACE_NONE && s->closure == t->functions.of.at[p->function].word;
}

/* Return the highest address of a frame in the place's code whose JSFunction does not prove it, or
 * 0 if there is none. With `known`, the JSFunctions were followed; otherwise assume that each frame
 * that has one is proven. */
static uint64_t
last_unproven(const struct job *j, const struct reported *t, bool known)
{
    const struct place *p = place_of(j, t);
    uint64_t last = 0;
    for (size_t i = 0; p->code.word != 0 && i < j->n; i++) {
        const struct seen *s = &j->frames[i];
        uint64_t addr = job_address(&s->f);
        bool proven = known ? is_proven(s, p, t) : job_has_words(&s->f) && !s->f.leaf;
        if (!proven && addr - p->start < p->size && addr > last)
            last = addr;
    }
    return last;
}

void
job_want(struct job *j, struct reported *t)
{
    if (j->place != PLACE_NONE) {
        place_want(place_of(j, t), &t->heap, &t->functions);
        uint64_t last = j->state == CHECK ? last_unproven(j, t, false) : 0;
        if (last > 0)
            code_want_before(&place_of(j, t)->code, &t->heap, last);
    }
    for (size_t i = 0; i < j->n; i++)
        if (job_has_words(&j->frames[i].f) && heap_points(j->frames[i].f.function))
            snapshot_want(&t->heap.memory, heap_address(j->frames[i].f.function),
                          t->layout->function_shared + 8u);
}

/* Compare a known place with the memory that is there now. */
static enum v8status
check(struct job *j, struct reported *t)
{
    /* Another job may just have found that something else is there. */
    enum v8status status = place_of(j, t)->alive
                               ? place_check(place_of(j, t), &t->heap, &t->functions)
                               : (enum v8status)V8_BAD;
    if (status == V8_BAD) {
        if (place_of(j, t)->alive)
            reported_gone(t, j->place);
        j->place = PLACE_NONE;
    }
    return status;
}

/* Return true if no frame is known to be in code: a long search would rarely find any then. */
static bool
is_guess(const struct job *j)
{
    for (size_t i = 0; i < j->n; i++)
        if (!j->frames[i].f.guessed)
            return false;
    return true;
}

/* Find the place of the job's frames. */
static enum v8status
find(struct job *j, struct reported *t)
{
    struct place new;
    struct v8code code;
    enum v8status status;
    if (j->frames[0].bytecode) {
        status = place_of_bytecode(&new, &t->heap, j->frames[0].key);
    } else {
        status = code_find(&code, &t->heap, job_address(&j->frames[0].f),
                           is_guess(j) ? GUESS_MAX : CODE_MAX, &j->search);
        if (status == V8_OK)
            status = place_of_code(&new, &t->heap, &code);
    }
    if (status == V8_OK) {
        j->place = reported_put(t, &new);
        j->search = (struct code_search){0};
    }
    return status;
}

/* Return true if the frame's words look like those of an interpreted function. The words of a leaf
 * may be its caller's. */
static bool
is_interpreted(const struct v8frame *f, const struct v8layout *l)
{
    int32_t offset; /* from the tagged address */
    return !f->leaf && !f->guessed && heap_points(f->bytecode) && heap_smi(f->offset, &offset) &&
           offset >= l->bytecode_data - 1;
}

/* Find the place's function from a frame. Optimized code needs none: it names its function
 * itself. */
static enum v8status
identify_by(struct place *p, struct reported *t, const struct v8frame *f)
{
    bool copy = p->code.word != 0 && code_may_interpret(&p->code, t->layout);
    enum v8status status = V8_OK;
    if ((p->bytecode != 0 || copy) && !job_has_words(f))
        return V8_BAD;
    if (copy && !is_interpreted(f, t->layout))
        return V8_BAD;
    if (copy)
        status = place_set_bytecode(p, &t->heap, f->bytecode);
    if (status == V8_OK)
        status = place_identify(p, &t->heap, &t->functions, f->function);
    if (copy && status == V8_BAD)
        p->bytecode = 0;
    return status;
}

/* Find the place's function from the last frames of the job. */
static enum v8status
identify(struct job *j, struct reported *t)
{
    struct place *p = place_of(j, t);
    enum function_tier tier;
    enum v8status status = V8_BAD;
    if (p->function != PLACE_NONE || code_label(&p->code, t->layout).len > 0 ||
        !place_tier(p, t->layout, &tier))
        return V8_OK;
    for (; j->tried < CLOSURES_MAX && j->tried < j->n; j->tried++) {
        status = identify_by(p, t, &j->frames[j->n - 1 - j->tried].f);
        if (status != V8_BAD)
            break;
    }
    j->is_new = status == V8_OK;
    return status;
}

/* Return V8_OK if a frame's JSFunction shows that the place now has another function of the same
 * bytecode. Garbage collection does not clear what it frees, so the previous function can look as
 * if it were still there. */
static enum v8status
is_other(const struct seen *s, const struct place *p, struct reported *t)
{
    uint64_t bytecode;
    if (p->function == PLACE_NONE || p->bytecode == 0 || s->f.leaf || s->f.guessed ||
        s->f.bytecode != p->bytecode || s->closure == 0 ||
        s->closure == t->functions.of.at[p->function].word)
        return V8_BAD;
    enum v8status status = functions_bytecode_of(&t->heap, s->closure, &bytecode);
    return status == V8_OK && bytecode != p->bytecode ? V8_BAD : status;
}

/* Return V8_OK if no other code begins between the start of the place's code and the unproven
 * frames. Dead code keeps its header, and looks unchanged, if other code was written only to a
 * later part of its memory. */
static enum v8status
check_nearest(struct job *j, struct reported *t)
{
    uint64_t last = j->replaced ? 0 : last_unproven(j, t, true);
    struct v8code code;
    enum v8status status =
        last > 0 ? code_find(&code, &t->heap, last, CODE_MAX, &j->search) : V8_OK;
    if (status == V8_WAIT)
        return V8_WAIT;
    j->search = (struct code_search){0};
    return last > 0 && (status != V8_OK || code.start != place_of(j, t)->start) ? V8_BAD : V8_OK;
}

/* Check the frames that are not proven by their JSFunctions. */
static enum v8status
check_unproven(struct job *j, struct reported *t)
{
    bool all = true;
    for (size_t i = 0; i < j->n && all; i++)
        all = is_proven(&j->frames[i], place_of(j, t), t);
    if (all)
        return V8_OK;
    enum v8status status = place_check_code(place_of(j, t), &t->heap, &t->functions);
    return status == V8_OK ? check_nearest(j, t) : status;
}

/* Follow the JSFunctions of the frames. V8_BAD: the place has another function now. */
static enum v8status
follow_closures(struct job *j, struct reported *t)
{
    for (; j->next < j->n; j->next++) {
        struct seen *s = &j->frames[j->next];
        if (!job_has_words(&s->f))
            continue;
        enum v8status status = functions_shared(&t->heap, s->f.function, &s->closure);
        if (status == V8_WAIT)
            return status;
        s->closure = status == V8_OK ? s->closure : 0;
        status = j->replaced ? V8_BAD : is_other(s, place_of(j, t), t);
        if (status != V8_BAD)
            return status == V8_OK ? V8_BAD : status;
    }
    return check_unproven(j, t);
}

/* Give up a place that turned out to be something else. */
static void
fail(struct job *j, struct reported *t)
{
    if (place_of(j, t)->alive)
        reported_gone(t, j->place);
    j->state = FAILED;
}

/* Start again with a place that has another function now. */
static void
replace(struct job *j, struct reported *t)
{
    if (place_of(j, t)->alive)
        reported_gone(t, j->place);
    j->place = PLACE_NONE;
    j->replaced = true;
    j->is_new = false;
    j->tried = j->next = 0;
    j->search = (struct code_search){0};
    j->state = FIND;
}

/* Read the inlined calls and the lines of the frames. If that fails, the place still has a name. */
static enum v8status
read_sites(struct job *j, struct reported *t)
{
    for (; j->next < j->n; j->next++) {
        const struct seen *s = &j->frames[j->next];
        uint64_t addr;
        enum v8status status =
            job_site(s, &addr) ? reported_read_site(t, j->place, addr, !s->f.leaf, &j->has_sites)
                               : (enum v8status)V8_OK;
        if (status == V8_WAIT)
            return status;
    }
    return V8_OK;
}

/* Check the place once more. If it has changed, it cannot have the name that was found for it. */
static enum v8status
check_again(struct job *j, struct reported *t)
{
    enum v8status status = place_check(place_of(j, t), &t->heap, &t->functions);
    if (status == V8_BAD && place_of(j, t)->alive)
        reported_gone(t, j->place);
    return status;
}

static enum v8status
step(struct job *j, struct reported *t)
{
    switch (j->state) {
    case CHECK:
        return check(j, t);
    case FIND:
        return find(j, t);
    case IDENTIFY:
        return identify(j, t);
    case CLOSURES:
        return follow_closures(j, t);
    case SITES:
        return read_sites(j, t);
    case CHECKED_AGAIN:
        return check_again(j, t);
    case DONE:
    case FAILED:
        break;
    }
    return V8_OK;
}

bool
job_work(struct job *j, struct reported *t)
{
    while (j->state != DONE && j->state != FAILED) {
        enum v8status status = step(j, t);
        if (status == V8_WAIT)
            return true;
        switch (j->state) {
        case CHECK:
            j->state = status == V8_OK ? IDENTIFY : FIND;
            break;
        case FIND:
        case IDENTIFY:
            j->state = status == V8_BAD ? FAILED : j->state == FIND ? IDENTIFY : CLOSURES;
            break;
        case CLOSURES:
            j->next = status == V8_OK ? 0 : j->next;
            if (status == V8_OK)
                j->state = SITES;
            else if (j->replaced)
                fail(j, t);
            else
                replace(j, t);
            break;
        default:
            j->state = status == V8_OK ? DONE : FAILED;
        }
    }
    return false;
}

bool
job_must_check_again(const struct job *j)
{
    return (j->is_new && j->place != PLACE_NONE) || (j->has_sites && j->state == DONE);
}

void
job_check_again(struct job *j, struct reported *t)
{
    j->state = CHECKED_AGAIN;
    job_want(j, t);
}

void
job_give_up(struct job *j, struct reported *t)
{
    if (j->state == DONE || j->state == FAILED)
        return;
    if ((j->state == CHECK || j->state == CHECKED_AGAIN) && place_of(j, t)->alive)
        reported_gone(t, j->place);
    j->state = FAILED;
}

bool
job_is_done(const struct job *j)
{
    return j->state == DONE;
}

bool
job_found_nothing(const struct job *j, const struct reported *t)
{
    return j->state == FAILED && j->place == PLACE_NONE && !j->frames[0].bytecode &&
           !t->heap.memory.gone && !t->heap.memory.refused;
}
