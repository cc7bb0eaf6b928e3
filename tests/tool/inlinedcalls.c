/* Prints the calls at addresses of an ELF file as llvm-addr2line -a -i -f -s does:
 *
 *     inlinedcalls FILE < ADDRESSES        one hexadecimal number a line
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/dwarf/dwarf.h"

static void
print_call(struct span function, struct span file, uint32_t line)
{
    if (function.len == 0)
        function = SPAN("??");
    if (file.len == 0)
        file = SPAN("??");
    fwrite(function.ptr, 1, function.len, stdout);
    putchar('\n');
    fwrite(file.ptr, 1, file.len, stdout);
    printf(":%" PRIu32 "\n", line);
}

int
main(int argc, char **argv)
{
    struct dwarf_cache cache = {0};
    struct elffile file;
    char line[64];
    const char *problem = argc == 2 ? elffile_open(&file, argv[1]) : "usage: inlinedcalls FILE";
    if (problem != NULL) {
        fprintf(stderr, "inlinedcalls: %s\n", problem);
        return 1;
    }
    struct dwarf *d = dwarf_open(&file, &cache);
    while (fgets(line, sizeof line, stdin) != NULL) {
        uint64_t address = strtoull(line, NULL, 16);
        const struct dwarf_call *calls;
        size_t n = d != NULL ? dwarf_find(d, address, &calls) : 0;
        printf("0x%" PRIx64 "\n", address);
        for (size_t i = 0; i < n; i++)
            print_call(calls[i].function, calls[i].file, calls[i].line);
        if (n == 0)
            print_call(SPAN(""), SPAN(""), 0);
    }
    dwarf_close(d);
    elffile_close(&file);
    return 0;
}
