#include "common/symbolize/findmap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "common/sym/perfmap.h"
#include "common/symbolize/procroot.h"

/* Open the map. If it exists but cannot be used, note why. */
static bool
take(struct findmap *found, const char *path, const struct regular *rules)
{
    const char *problem = perfmap_open(&found->file, path, rules);
    found->silent |= problem == regular_error(ETIMEDOUT);
    bool absent = problem != NULL && strcmp(problem, strerror(ENOENT)) == 0;
    if (absent || (problem != NULL && found->problem != NULL))
        return false;
    snprintf(found->path, sizeof found->path, "%s", path);
    found->problem = problem;
    return problem == NULL;
}

/* Search the root folder of a running process. */
static bool
open_inside(int32_t pid, int32_t inner, const struct regular_owners *owners, struct findmap *found)
{
    char path[FINDMAP_PATH], root[FINDMAP_PATH];
    int len = snprintf(root, sizeof root, "/proc/%d/root", (int)pid);
    snprintf(path, sizeof path, "%.*s/tmp/perf-%d.map", len, root, (int)inner);
    return take(found, path, &(struct regular){.root = root, .pid = pid, .owners = owners});
}

/* Search our /tmp. If the process runs, the file must be its own. */
static bool
open_outside(int32_t pid, bool runs, const struct regular_owners *owners, struct findmap *found)
{
    char path[FINDMAP_PATH];
    snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)pid);
    return take(found, path, &(struct regular){.pid = runs ? pid : 0, .owners = owners});
}

/* In our /tmp, accept only maps of our user and root for a process in a container: the user with
 * the process's number is somebody else here. */
bool
findmap_open(int32_t pid, const struct regular_owners *owners, struct findmap *found)
{
    struct regular_owners now;
    bool opened = false;
    int32_t inner = procroot_inner_pid(pid);
    bool ours = procroot_is_ours(pid), outside = inner < 0 || (inner == pid && ours);
    *found = (struct findmap){.problem = NULL, .file.fd = -1};
    procroot_owners(pid, &now);
    if (!outside)
        opened = open_inside(pid, inner, &now, found);
    if (!outside && !ours)
        procroot_owners(-1, &now);
    else if (inner < 0 && owners != NULL)
        now = *owners;
    return opened || open_outside(pid, inner >= 0, &now, found);
}

const char *
findmap_open_dump(int32_t pid, const struct regular_owners *owners, const char *path,
                  struct regular_file *file)
{
    char root[FINDMAP_PATH];
    struct text whole = {0};
    bool runs = procroot_inner_pid(pid) >= 0, inside = runs && !procroot_is_ours(pid);
    struct regular rules = {.pid = runs ? pid : 0, .owners = owners};
    if (inside) {
        snprintf(root, sizeof root, "/proc/%d/root", (int)pid);
        rules.root = root;
        text_add(&whole, span_cstr(root));
    }
    text_add(&whole, span_cstr(path));
    text_add(&whole, span_of("", 1));
    const char *problem = perfmap_open(file, whole.ptr, &rules);
    free(whole.ptr);
    return problem;
}
