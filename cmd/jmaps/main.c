/* jmaps: makes each running Java process write its perf map, /tmp/perf-PID.map, which perf and
 * perf-script read. From JDK 17 on, jcmd makes the process write it; before that, and with -u,
 * perf-map-agent does.
 *
 * Any user can run a process called java, from a folder with a jcmd of their own. So the programs
 * that are run for a process always have the rights of the process's user. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/jmaps/runas.h"
#include "common/base/diag.h"
#include "common/base/num.h"
#include "common/base/opt.h"
#include "common/base/out.h"
#include "common/base/procmount.h"
#include "common/sym/perfmap.h"

struct work {
    bool unfold;
    const char *agent; /* the folder AGENT_HOME */
    char *jars;        /* the folder of its files; NULL: there are none */
    struct javaprocess process;
    char path[64];    /* of its map */
    struct text said; /* output of the programs that should make the map */
    struct diag diag;
    struct out out;
};

static const struct opt table[] = {
    {"unfoldall", 'u', OPT_FLAG, false, OPT_AT(struct work, unfold), NULL,
     "name inlined methods too; needs perf-map-agent"},
    OPT_COMMON,
};

static const struct opt_program program = {
    .name = "jmaps",
    .synopsis = "[option ...] [PID ...]",
    .about = "Makes each running Java process write its perf map, /tmp/perf-PID.map. As root those "
             "of all\nusers, else your own.",
    .table = table,
    .usage_status = 2,
};

/* Return the concatenation, to be freed. */
static char *
join(const char *a, const char *b)
{
    struct text t = {0};
    TEXT_ADD(&t, span_cstr(a), span_of(b, strlen(b) + 1));
    return t.ptr;
}

static bool
has_file(const char *folder, const char *name)
{
    char *path = join(folder, name);
    bool found = access(path, F_OK) == 0;
    free(path);
    return found;
}

/* The agent's folder has a jar file and a library, perhaps in the folder "out". */
static void
find_agent(struct work *w)
{
    static const char *const folders[] = {"/out", ""};
    w->agent = getenv("AGENT_HOME");
    if (w->agent == NULL || w->agent[0] == '\0')
        w->agent = "/usr/lib/jvm/perf-map-agent";
    for (size_t i = 0; i < sizeof folders / sizeof *folders && w->jars == NULL; i++) {
        char *folder = join(w->agent, folders[i]);
        if (has_file(folder, "/attach-main.jar") && has_file(folder, "/libperfmap.so"))
            w->jars = realpath(folder, NULL);
        free(folder);
    }
}

/* Return the folder of the JDK whose programs to run; the caller frees it. It is JAVA_HOME or, if
 * that is not set, the JDK that runs the process. Return NULL to run the programs on PATH. For a
 * process of root, never run what the process names, only what our own environment names. */
static char *
choose_home(const struct javaprocess *p)
{
    const char *home = getenv("JAVA_HOME");
    if (home != NULL && home[0] != '\0')
        return realpath(home, NULL);
    return p->uid != 0 ? javaprocess_home(p) : NULL;
}

/* Return the path of a program of the JDK, or its name alone if the JDK has none; to be freed. */
static char *
tool_path(const char *home, const char *name)
{
    char *folder = join(home != NULL ? home : "", "/bin/"), *path = join(folder, name);
    free(folder);
    if (home != NULL && access(path, X_OK) == 0)
        return path;
    free(path);
    return strdup(name);
}

static bool
ask_jcmd(struct work *w, const char *home, const char *pid)
{
    char *jcmd = tool_path(home, "jcmd");
    const char *argv[] = {jcmd, pid, "Compiler.perfmap", NULL};
    bool done = runas(&w->process, "/", argv, &w->said);
    free(jcmd);
    return done;
}

static void
run_agent(struct work *w, const char *home, const char *pid)
{
    char *java = tool_path(home, "java");
    char *tools = join(home != NULL ? home : "", "/lib/tools.jar");
    char *agent = join(w->jars, "/attach-main.jar:"), *jars = join(agent, tools);
    const char *unfold = w->unfold ? "unfoldall" : NULL, *class = "net.virtualvoid.perf.AttachOnce";
    const char *argv[] = {java, "-Xms32m", "-Xmx128m", "-cp", jars, class, pid, unfold, NULL};
    runas(&w->process, w->jars, argv, &w->said);
    free(java);
    free(tools);
    free(agent);
    free(jars);
}

static void
make_map(struct work *w)
{
    char pid[24], *home = choose_home(&w->process);
    snprintf(pid, sizeof pid, "%ld", (long)w->process.pid);
    if (w->unfold || (!ask_jcmd(w, home, pid) && w->jars != NULL))
        run_agent(w, home, pid);
    free(home);
}

/* Give an open map to root, and let nobody else write it. Its mode is changed last: then its user
 * cannot change it back. Return false with errno. */
static bool
give_to_root(const struct regular_file *f)
{
    char path[32];
    struct stat st;
    snprintf(path, sizeof path, "/proc/self/fd/%d", f->fd);
    return chown(path, 0, (gid_t)-1) == 0 && regular_stat(f, &st) &&
           chmod(path, st.st_mode & (S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH)) == 0;
}

struct size {
    size_t lines, words, bytes;
};

/* Count as wc(1) does, at most PERFMAP_MAX bytes. */
static struct size
measure(struct regular_file *f)
{
    char block[64 * 1024];
    struct size size = {0};
    bool in_word = false;
    for (ssize_t n; size.bytes < PERFMAP_MAX &&
                    (n = regular_read(f, size.bytes, block, sizeof block, NULL)) > 0;) {
        for (ssize_t i = 0; i < n; i++) {
            bool is_text = !is_space(block[i]);
            size.words += is_text && !in_word;
            size.lines += block[i] == '\n';
            in_word = is_text;
        }
        size.bytes += (size_t)n;
    }
    return size;
}

/* Print the map's size, as wc(1) does. */
static void
print_size(struct work *w, struct regular_file *f)
{
    char digits[NUM_DIGITS];
    struct size s = measure(f);
    int width = (int)num_decimal(digits, s.bytes).len;
    out_format(&w->out, "wc(1): %*zu %*zu %zu %s\n", width, s.lines, width, s.words, s.bytes,
               w->path);
}

static bool
has_said(const struct work *w, struct span text)
{
    return span_search(text_span(&w->said), text) != SPAN_NONE;
}

static void
print_said(struct work *w)
{
    enum { LINES = 20 };
    struct span rest = text_span(&w->said);
    for (int i = 0; i < LINES && rest.len > 0; i++) {
        struct span line = span_take(&rest, '\n');
        if (line.len > 0)
            diag_error(&w->diag, NOWHERE, "  %.*s", SPAN_ARG(line));
    }
}

static void
explain(struct work *w, const char *problem)
{
    const char *advice = NULL;
    long pid = (long)w->process.pid;
    diag_error(&w->diag, NOWHERE, "process %ld: %s %s; the answer was:", pid, w->path, problem);
    print_said(w);
    if (has_said(w, SPAN("executed successfully")))
        advice = "it may be in the /tmp of its container, where perf-script finds it";
    else if (has_said(w, SPAN("Unknown diagnostic command")))
        advice = "before JDK 17 perf-map-agent is needed, in the folder AGENT_HOME";
    if (advice != NULL)
        diag_error(&w->diag, NOWHERE, "process %ld: %s", pid, advice);
}

/* Check the map that was made, and print its size. perf reads only maps that belong to its own user
 * or to root, so as root give the map to root. */
static void
take_map(struct work *w)
{
    struct regular_file f;
    const struct regular_owners its_user = {{w->process.uid}, 1};
    const struct regular rules = {.pid = w->process.pid, .owners = &its_user};
    const char *problem = perfmap_open(&f, w->path, &rules);
    if (problem != NULL) {
        explain(w, access(w->path, F_OK) != 0 && errno == ENOENT ? "was not made" : problem);
        return;
    }
    if (geteuid() == 0 && !give_to_root(&f))
        diag_error(&w->diag, (struct place){w->path, 0}, "it cannot be given to root: %s",
                   strerror(errno));
    print_size(w, &f);
    regular_close(&f);
}

static void
print_heading(struct work *w)
{
    struct passwd *user = getpwuid(w->process.uid);
    out_format(&w->out, "Mapping PID %ld (user ", (long)w->process.pid);
    if (user != NULL)
        out_cstr(&w->out, user->pw_name);
    else
        out_u64(&w->out, w->process.uid);
    out_text(&w->out, "):\n");
    out_flush(&w->out); /* before what is said on standard error, and before a process is forked */
}

/* Make the map of a process. Remove an old one first: if it is root's, the process could not
 * replace it. */
static void
map_process(struct work *w)
{
    w->said.len = 0;
    snprintf(w->path, sizeof w->path, "/tmp/perf-%ld.map", (long)w->process.pid);
    print_heading(w);
    if (unlink(w->path) != 0 && errno != ENOENT) {
        diag_error(&w->diag, (struct place){w->path, 0}, "it cannot be removed: %s",
                   strerror(errno));
    } else {
        make_map(w);
        take_map(w);
    }
    out_text(&w->out, "\n");
}

/* Make the map of a process, or report why not. `named`: the user has given its pid; otherwise skip
 * other users' processes without a message. */
static void
try_process(struct work *w, pid_t pid, bool named)
{
    const char *problem = javaprocess_read(&w->process, pid);
    bool others = problem == NULL && geteuid() != 0 && w->process.uid != geteuid();
    if (problem == NULL && !others)
        map_process(w);
    else if (named || !others)
        diag_error(&w->diag, NOWHERE, "process %ld: no map is made: %s", (long)pid,
                   others ? "it belongs to another user" : problem);
    if (problem == NULL)
        javaprocess_close(&w->process);
}

static void
map_all(struct work *w)
{
    pid_t *pids;
    out_text(&w->out, "Fetching maps for all java processes...\n");
    size_t n = javaprocess_list(&pids);
    for (size_t i = 0; i < n; i++)
        try_process(w, pids[i], false);
    free(pids);
}

static void
map_named(struct work *w, const struct opt_reader *r)
{
    uint64_t pid;
    for (int i = 0; i < r->noperands; i++) {
        if (!num_u64(span_cstr(r->argv[i]), &pid) || pid == 0 || pid > INT32_MAX)
            opt_usage(&program, "'%s' is not the number of a process", r->argv[i]);
        try_process(w, (pid_t)pid, true);
    }
}

int
main(int argc, char **argv)
{
    static struct work w;
    struct opt_reader r;
    diag_init(&w.diag, "jmaps");
    opt_start(&r, &program, &w, argc, argv);
    opt_next(&r);
    w.diag.quiet = r.quiet;
    if (!procmount_require(&w.diag))
        return w.diag.status;
    find_agent(&w);
    if (w.unfold && w.jars == NULL) {
        diag_error(
            &w.diag, (struct place){w.agent, 0},
            "no perf-map-agent is there: attach-main.jar and libperfmap.so; AGENT_HOME names "
            "its folder");
        return w.diag.status;
    }
    out_stdout(&w.out);
    if (r.noperands > 0)
        map_named(&w, &r);
    else
        map_all(&w);
    out_close(&w.out);
    free(w.jars);
    free(w.said.ptr);
    return w.diag.status;
}
