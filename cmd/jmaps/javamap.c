#include "cmd/jmaps/javamap.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/sym/perfmap.h"

int
javamap_open(const char *path, const struct javaprocess *p, const char **problem)
{
    const struct regular_owners its_user = {{p->uid}, 1};
    return perfmap_open(path, &(struct regular){.owners = &its_user}, problem);
}

/* Its mode is changed last: then its user cannot change it back. */
bool
javamap_give_to_root(int fd)
{
    struct stat st;
    return fchown(fd, 0, (gid_t)-1) == 0 && fstat(fd, &st) == 0 &&
           fchmod(fd, st.st_mode & (S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH)) == 0;
}

struct javamap_size
javamap_size(int fd)
{
    char block[64 * 1024];
    struct javamap_size size = {0};
    bool in_word = false;
    for (ssize_t n; size.bytes < PERFMAP_MAX && (n = read(fd, block, sizeof block)) > 0;) {
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
