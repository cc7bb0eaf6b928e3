/* stackfiles: print the sizes of the files in folders as folded stacks. Under the name files.pl it
 * gives the answer of FlameGraph's script, in the order in which Perl's File::Find walks. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/confine.h"
#include "common/base/diag.h"
#include "common/base/opt.h"
#include "common/base/out.h"
#include "common/base/text.h"
#include "common/base/utf8.h"

/* A file or a folder in the folder that is read. */
struct found_file {
    char *name;
    off_t size;
    dev_t device;
};

struct entries {
    struct found_file *list;
    size_t n, cap;
};

/* A folder that is being walked. */
struct open_folder {
    int fd; /* -1: closed for now */
    dev_t device;
    ino_t inode;
    size_t path_len;
    size_t first; /* of w->pending: those from there on are in it, or deeper */
};

/* At most OPEN_FOLDERS_MAX folders are open at a time: the deepest ones. */
enum { OPEN_FOLDERS_MAX = 32, FOLDER = O_RDONLY | O_DIRECTORY | O_CLOEXEC };

struct file_walk {
    bool script;
    bool xdev, has_device;
    dev_t device;     /* with xdev: the first file's */
    struct text path; /* of what is looked at, of any length, with a NUL after it */
    struct open_folder *levels;
    size_t depth, levels_cap;
    struct entries pending; /* folders, the next one last */
    struct entries files;   /* of the folder that is read */
    struct text line;
    struct out out;
    struct diag diag;
};

static const struct opt table[] = {
    {"xdev", 0, OPT_FLAG, false, OPT_AT(struct file_walk, xdev), NULL,
     "leave out other file systems"},
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

static const char in_folders[] = "folders that cannot be read",
                  in_files[] = "files whose size cannot be read";

/* Report what w->path leads to. */
static void
report(struct file_walk *w, const char *kind, int error)
{
    diag_warn(&w->diag, kind, (struct place){w->path.ptr, 0}, "%s", strerror(error));
    w->diag.status = 1;
}

/* Set w->path to its first `len` bytes and these. */
static void
set_path(struct file_walk *w, size_t len, const char *separator, const char *name)
{
    w->path.len = len;
    TEXT_ADD(&w->path, span_cstr(separator), span_of(name, strlen(name) + 1));
    w->path.len--;
}

/* Set w->path to that of something in the folder whose path has that length. */
static void
enter(struct file_walk *w, size_t folder_len, const char *name)
{
    bool root = folder_len == 1 && w->path.ptr[0] == '/';
    set_path(w, folder_len, root ? "" : "/", name);
}

static void
add_entry(struct entries *e, const char *name, const struct stat *st)
{
    size_t size = strlen(name) + 1;
    e->list = mem_grow(e->list, &e->cap, e->n + 1, sizeof *e->list);
    e->list[e->n] = (struct found_file){mem_alloc(size), st->st_size, st->st_dev};
    memcpy(e->list[e->n++].name, name, size);
}

/* Return the character of a path as it is in folded text. */
static char
folded_char(const struct file_walk *w, char c)
{
    if (c == '/')
        return ';';
    if (w->script)
        return is_alpha(c) || is_digit(c) || c == '.' || c == '-' || c == ';' ? c : '_';
    return (c >= 0 && c <= ' ') || c == 0x7f || c == ';' ? '_' : c;
}

/* Print the line of w->path. False: it is on another file system and left out. */
static bool
print(struct file_walk *w, off_t size, dev_t device)
{
    if (w->xdev && !w->has_device)
        w->device = device;
    w->has_device |= w->xdev;
    if (w->xdev && device != w->device)
        return false;
    struct span path = text_span(&w->path);
    bool root = !w->script && span_eq(path, SPAN("/"));
    w->line.len = 0;
    text_add(&w->line, span_from(path, span_starts(path, SPAN("/"))));
    for (size_t i = 0; i < w->line.len; i++)
        w->line.ptr[i] = folded_char(w, w->line.ptr[i]);
    utf8_mask(w->line.ptr, w->line.len); /* the script's are ASCII */
    out_span(&w->out, text_span(&w->line));
    if (root)
        out_char(&w->out, '/');
    out_char(&w->out, ' ');
    out_u64(&w->out, (uint64_t)size);
    out_char(&w->out, '\n');
    return true;
}

static int
compare(const void *a, const void *b)
{
    return strcmp(((const struct found_file *)a)->name, ((const struct found_file *)b)->name);
}

static void
sort(struct entries *e, size_t from)
{
    if (e->n > from)
        qsort(e->list + from, e->n - from, sizeof *e->list, compare);
}

/* Reverse the order from the index `from` on. */
static void
reverse(struct entries *e, size_t from)
{
    for (size_t to = e->n; from + 1 < to; from++) {
        struct found_file entry = e->list[from];
        e->list[from] = e->list[--to];
        e->list[to] = entry;
    }
}

/* Print the files of the folder. */
static void
print_files(struct file_walk *w, size_t folder_len)
{
    if (!w->script)
        sort(&w->files, 0);
    for (size_t i = 0; i < w->files.n; i++) {
        enter(w, folder_len, w->files.list[i].name);
        print(w, w->files.list[i].size, w->files.list[i].device);
        free(w->files.list[i].name);
    }
    w->files.n = 0;
}

/* Keep an entry of the folder. One that is gone by now is left out. */
static void
take_entry(struct file_walk *w, int fd, size_t folder_len, const char *name)
{
    struct stat st;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return;
    if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
        add_entry(S_ISDIR(st.st_mode) ? &w->pending : &w->files, name, &st);
    } else if (errno != ENOENT) {
        int error = errno;
        enter(w, folder_len, name);
        report(w, in_files, error);
    }
}

/* Read the entries of the folder at w->path. */
static void
read_entries(struct file_walk *w, int fd)
{
    size_t len = w->path.len;
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    DIR *dir = copy >= 0 ? fdopendir(copy) : NULL;
    errno = dir == NULL ? errno : 0;
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL; errno = 0)
        take_entry(w, fd, len, entry->d_name);
    int error = errno;
    set_path(w, len, "", "");
    if (error != 0)
        report(w, in_folders, error);
    if (dir != NULL)
        closedir(dir);
    else if (copy >= 0)
        close(copy);
}

/* Print the files of the folder at w->path, which is open, and go into it; -1, with errno: it
 * could not be opened. */
static void
push_folder(struct file_walk *w, int fd)
{
    struct stat st;
    if (fd < 0 || fstat(fd, &st) != 0) {
        report(w, in_folders, errno);
        return;
    }
    struct open_folder level = {fd, st.st_dev, st.st_ino, w->path.len, w->pending.n};
    read_entries(w, fd);
    print_files(w, level.path_len);
    if (!w->script)
        sort(&w->pending, level.first);
    reverse(&w->pending, level.first);
    MEM_ADD(w->levels, w->depth, w->levels_cap, level);
    if (w->depth > OPEN_FOLDERS_MAX) {
        close(w->levels[w->depth - OPEN_FOLDERS_MAX - 1].fd);
        w->levels[w->depth - OPEN_FOLDERS_MAX - 1].fd = -1;
    }
}

/* Go back to the folder above. If that was closed, it is found through "..", and must be the same.
 */
static void
pop_folder(struct file_walk *w)
{
    struct stat st;
    int fd = w->levels[--w->depth].fd;
    struct open_folder *above = w->depth > 0 ? &w->levels[w->depth - 1] : NULL;
    if (above != NULL && above->fd < 0) {
        above->fd = openat(fd, "..", FOLDER);
        if (above->fd >= 0 && (fstat(above->fd, &st) != 0 || st.st_dev != above->device ||
                               st.st_ino != above->inode)) {
            close(above->fd);
            above->fd = -1; /* a folder was moved: to open what is pending will fail */
        }
    }
    if (fd >= 0)
        close(fd);
}

/* Go into the next folder, or back where there is none. */
static void
step(struct file_walk *w)
{
    const struct open_folder *level = &w->levels[w->depth - 1];
    if (w->pending.n == level->first) {
        pop_folder(w);
        return;
    }
    struct found_file entry = w->pending.list[--w->pending.n];
    enter(w, level->path_len, entry.name);
    if (print(w, entry.size, entry.device))
        push_folder(w, openat(level->fd, entry.name, FOLDER | O_NOFOLLOW));
    free(entry.name);
}

/* Print the operand and what is below it. The script prefixes "./" to a file without a folder. */
static void
walk_from(struct file_walk *w, char *operand)
{
    struct stat st;
    size_t len = strlen(operand);
    set_path(w, 0, operand, "/.");
    if (lstat(operand, &st) != 0 || (S_ISDIR(st.st_mode) && stat(w->path.ptr, &st) != 0)) {
        diag_error(&w->diag, (struct place){operand, 0}, "%s", strerror(errno));
        return;
    }
    if (!S_ISDIR(st.st_mode)) {
        set_path(w, 0, w->script && strchr(operand, '/') == NULL ? "./" : "", operand);
        print(w, st.st_size, st.st_dev);
        return;
    }
    while (len > 1 && operand[len - 1] == '/') {
        operand[--len] = '\0';
        if (w->script)
            break;
    }
    set_path(w, 0, "", operand);
    if (print(w, st.st_size, st.st_dev))
        push_folder(w, open(operand, FOLDER));
    while (w->depth > 0)
        step(w);
}

/* The script knows --help as the first argument only, and --xdev for the folders after it. */
static void
walk_as_script(struct file_walk *w, int argc, char **argv)
{
    struct opt_reader r;
    opt_start(&r, &script, w, argc, argv);
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
walk_operands(struct file_walk *w, int argc, char **argv)
{
    static char here[] = ".";
    struct opt_reader r;
    opt_start(&r, &native, w, argc, argv);
    opt_next(&r);
    w->diag.quiet = r.quiet;
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
    static struct file_walk w;
    w.script = opt_called(script.name, argc, argv);
    diag_init(&w.diag, w.script ? script.name : native.name);
    confine(CONFINE_READING);
    out_stdout(&w.out);
    (w.script ? walk_as_script : walk_operands)(&w, argc, argv);
    out_close(&w.out);
    diag_finish(&w.diag);
    free(w.pending.list);
    free(w.files.list);
    free(w.levels);
    free(w.path.ptr);
    free(w.line.ptr);
    return w.script ? 0 : w.diag.status;
}
