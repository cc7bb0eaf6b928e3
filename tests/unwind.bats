#!/usr/bin/env bats
# The tables of call frame information.

load lib

UNWIND=$ROOT/tests/unwind

readelfs_table() { # FILE
    readelf -W --debug-dump=frames-interp "$1" 2> /dev/null | awk -f "$UNWIND/readelf.awk" | sort -s -k1,2 |
        awk -v join=1 -f "$UNWIND/readelf.awk"
}

# Fails if the table of a file differs from what readelf says of it.
table_is_readelfs() { # FILE
    readelfs_table "$1" > wanted
    # Rows differ in other registers too in signal frames.
    "${BIN%/bin}/tool/cfitable" "$1" | sed '/^\.debug_frame$/,$d' | sed -E 's/ (r([abcd]x|sp|di|si|[0-9]+)|sp|x[12]?[0-8]|x19)=[^ ]*//g; s/ x30=/ ra=/' |
        awk '{ text = substr($0, length($1) + 2) } text != said { print; said = text }' > got
    [ -s wanted ]
    diff wanted got | head -20 > difference
    [ ! -s difference ] || { echo "$1"; cat difference; return 1; }
}

@test "tables say what readelf says of every address: of the C library, the dynamic linker, libstdc++, libcrypto, python3 and node" {
    command -v readelf > /dev/null || skip 'no readelf'
    local file
    for file in "$(gcc -print-file-name=libc.so.6)" "$(gcc -print-file-name=libstdc++.so.6)" \
        "$(gcc -print-file-name=libcrypto.so.3)" /lib64/ld-linux-x86-64.so.2 "$(readlink -f "$(command -v python3)")" \
        "$(readlink -f "$(command -v node)")" "$BIN/perf-script"; do
        [ -f "$file" ] && [ "$(head -c 4 "$file")" = $'\x7fELF' ] || continue
        table_is_readelfs "$file"
    done
}

@test "tables say what readelf says of arm64's C library" {
    local file=/usr/aarch64-linux-gnu/lib/libc.so.6
    command -v readelf > /dev/null || skip 'no readelf'
    [ -f $file ] || skip 'no C library of arm64 (libc6-arm64-cross)'
    table_is_readelfs $file
}

@test "tables say what readelf says of the vdso" {
    command -v readelf > /dev/null || skip 'no readelf'
    command -v python3 > /dev/null || skip 'no python3 to copy the vdso with'
    python3 - vdso << 'END'
import sys
for line in open('/proc/self/maps'):
    if '[vdso]' in line:
        start, end = (int(part, 16) for part in line.split()[0].split('-'))
        memory = open('/proc/self/mem', 'rb')
        memory.seek(start)
        open(sys.argv[1], 'wb').write(memory.read(end - start))
END
    [ -s vdso ] || skip 'no vdso'
    table_is_readelfs vdso
}

@test "an object without section headers has the same table, and .debug_frame has what .eh_frame lacks" {
    gcc -O2 -pthread -o gcc "$UNWIND/paths.c"
    "${BIN%/bin}/tool/cfitable" gcc > whole
    # e_shoff, and e_shentsize, e_shnum and e_shstrndx
    cp gcc headless
    printf '\0\0\0\0\0\0\0\0' | dd of=headless bs=1 seek=40 conv=notrunc 2> /dev/null
    printf '\0\0\0\0\0\0' | dd of=headless bs=1 seek=58 conv=notrunc 2> /dev/null
    "${BIN%/bin}/tool/cfitable" headless | cmp whole -
    printf 'int f(int a) { return a ? f(a - 1) + 1 : 0; } int main(void) { return f(3); }' > frame.c
    gcc -O2 -g -fno-asynchronous-unwind-tables -fno-unwind-tables -o debug frame.c
    "${BIN%/bin}/tool/cfitable" debug | sed -n '/^\.debug_frame$/,$p' |
        grep -q "^$(nm debug | sed -n 's/^0*\(.*\) T f$/\1/p') rsp+8 ra=c-8$"
}
