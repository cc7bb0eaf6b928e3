/* stackfiles: print the sizes of the files in folders as folded stacks. Under the name files.pl it
 * gives the answer of FlameGraph's script, in the order in which Perl's File::Find walks. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "common/base/confine.h"
#include "common/base/diag.h"
#include "common/base/opt.h"
#include "common/base/out.h"
#include "common/base/text.h"

enum { XDEV = 1 };

static const struct opt table[] = {
    {"xdev", 0, OPT_FLAG, false, XDEV, NULL, "leave out other file systems"},
    OPT_COMMON,
};

static const struct opt_program native = {
    .name = "stackfiles",
    .synopsis = "[option ...] [folder ...]",
    .about = "Prints the sizes of the files in folders as folded stacks: \"usr;bin;env 48536\".",
    .table = table,
    .usage_status = 2,
};

static const struct opt_program script = {
    .name = "files.pl",
    .synopsis = "[--xdev] folder ...",
    .about = "Prints the sizes of the files in folders, as the script of this name does.",
    .table = table,
    .usage_status = 1,
    .perl_help = true,
};

struct paths {
    char **path;
    size_t n, cap;
};

struct walk {
    bool script;
    bool xdev, has_device;
    dev_t device;         /* with xdev: the first file's */
    struct paths pending; /* folders to read, the next one last */
    struct paths files;   /* of the folder that is read */
    struct text text;
    struct out out;
    struct diag diag;
};

static void
report(struct walk *w, const char *path)
{
    diag_error(&w->diag, (struct place){path, 0}, "%s", strerror(errno));
}

/* Sets w->text to the parts, one after the other, and a NUL. */
static const char *
join(struct walk *w, const char *a, const char *b, const char *c)
{
    w->text.len = 0;
    text_add(&w->text, span_cstr(a));
    text_add(&w->text, span_cstr(b));
    text_add(&w->text, span_of(c, strlen(c) + 1));
    return w->text.ptr;
}

static void
push(struct paths *paths, const char *path)
{
    size_t size = strlen(path) + 1;
    paths->path = mem_grow(paths->path, &paths->cap, paths->n + 1, sizeof *paths->path);
    paths->path[paths->n] = mem_alloc(size);
    memcpy(paths->path[paths->n++], path, size);
}

/* The character of a path as it is in folded text. */
static char
folded_char(const struct walk *w, char c)
{
    if (c == '/')
        return ';';
    if (w->script)
        return is_alpha(c) || is_digit(c) || c == '.' || c == '-' || c == ';' ? c : '_';
    return (c >= 0 && c <= ' ') || c == 0x7f || c == ';' ? '_' : c;
}

/* Prints the line of a file or folder. False: it is on another file system and left out. */
static bool
print(struct walk *w, const char *path, const struct stat *st)
{
    if (w->xdev && !w->has_device)
        w->device = st->st_dev;
    w->has_device |= w->xdev;
    if (w->xdev && st->st_dev != w->device)
        return false;
    bool root = !w->script && strcmp(path, "/") == 0;
    for (const char *c = path + (*path == '/'); *c != '\0'; c++)
        out_char(&w->out, folded_char(w, *c));
    if (root)
        out_char(&w->out, '/');
    out_char(&w->out, ' ');
    out_u64(&w->out, (uint64_t)st->st_size);
    out_char(&w->out, '\n');
    return true;
}

static int
compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void
sort(struct paths *paths, size_t from)
{
    if (paths->n > from)
        qsort(paths->path + from, paths->n - from, sizeof *paths->path, compare);
}

/* Reverses the order from the index `from` on. */
static void
reverse(struct paths *paths, size_t from)
{
    for (size_t to = paths->n; from + 1 < to; from++) {
        char *path = paths->path[from];
        paths->path[from] = paths->path[--to];
        paths->path[to] = path;
    }
}

/* Prints the files and frees their paths. A file that is gone by now is left out. */
static void
print_files(struct walk *w)
{
    struct stat st;
    if (!w->script)
        sort(&w->files, 0);
    for (size_t i = 0; i < w->files.n; i++) {
        if (lstat(w->files.path[i], &st) == 0)
            print(w, w->files.path[i], &st);
        free(w->files.path[i]);
    }
    w->files.n = 0;
}

/* Prints the files of the folder and adds the folders in it to those that are pending. */
static void
read_folder(struct walk *w, const char *path)
{
    struct stat st;
    size_t from = w->pending.n;
    DIR *dir = opendir(path);
    if (dir == NULL) {
        report(w, path);
        return;
    }
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        const char *name = join(w, path, strcmp(path, "/") == 0 ? "" : "/", entry->d_name);
        bool folder = lstat(name, &st) == 0 && S_ISDIR(st.st_mode);
        push(folder ? &w->pending : &w->files, name);
    }
    closedir(dir);
    print_files(w);
    if (!w->script)
        sort(&w->pending, from);
    reverse(&w->pending, from);
}

/* Reads all folders that are pending. */
static void
walk(struct walk *w)
{
    struct stat st;
    while (w->pending.n > 0) {
        char *path = w->pending.path[--w->pending.n];
        if (stat(path, &st) == 0 && print(w, path, &st))
            read_folder(w, path);
        free(path);
    }
}

/* Prints what is below a file or folder. The script prefixes "./" to a file without a folder. */
static void
walk_from(struct walk *w, char *operand)
{
    struct stat st;
    size_t len = strlen(operand);
    if (lstat(operand, &st) != 0) {
        report(w, operand);
    } else if (!S_ISDIR(st.st_mode)) {
        bool bare = w->script && strchr(operand, '/') == NULL;
        print(w, join(w, bare ? "./" : "", operand, ""), &st);
    } else if (stat(join(w, operand, "/", "."), &st) != 0) {
        report(w, operand);
    } else {
        while (len > 1 && operand[len - 1] == '/') {
            operand[--len] = '\0';
            if (w->script)
                break;
        }
        push(&w->pending, operand);
        walk(w);
    }
}

/* The script knows --help as the first argument only, and --xdev for the folders after it. */
static void
walk_as_script(struct walk *w, int argc, char **argv)
{
    struct opt_reader r;
    opt_start(&r, &script, argc, argv);
    if (argc < 2)
        opt_usage(&script, "no folder is named");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        opt_next(&r);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--xdev") == 0)
            w->xdev = true;
        else
            walk_from(w, argv[i]);
    }
}

static void
walk_operands(struct walk *w, int argc, char **argv)
{
    static char here[] = ".";
    struct opt_reader r;
    opt_start(&r, &native, argc, argv);
    for (int id; (id = opt_next(&r)) != OPT_DONE;) {
        w->xdev |= id == XDEV;
        w->diag.quiet |= id == OPT_QUIET;
    }
    if (r.noperands == 0)
        walk_from(w, here);
    for (int i = 0; i < r.noperands; i++) {
        w->has_device = false;
        walk_from(w, r.argv[i]);
    }
}

int
main(int argc, char **argv)
{
    static struct walk w;
    w.script = opt_called(script.name, argc, argv);
    diag_init(&w.diag, w.script ? script.name : native.name);
    confine(CONFINE_READING);
    out_stdout(&w.out);
    (w.script ? walk_as_script : walk_operands)(&w, argc, argv);
    out_close(&w.out);
    free(w.pending.path);
    free(w.files.path);
    free(w.text.ptr);
    return w.script ? 0 : w.diag.status;
}
