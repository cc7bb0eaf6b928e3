# Source lines: what prints them.
load lib

@test "--full-source-path prints the folders of source files, from DWARF 4 and 5 of gcc and clang" {
    local compiler version
    command -v python3 > /dev/null || skip 'no python3'
    mkdir -p src/include work
    echo 'static inline __attribute__((always_inline)) int inner(volatile int *p) { return *p + *p * *p - *p / 3 + *p / 5 + *p / 7 + *p / 9; }' > src/include/inner.h
    printf '%s\n' '#include "inner.h"' 'int main(void) { volatile int i = 0; while (i < 1000) i = inner(&i); return i; }' > src/main.c
    for compiler in gcc clang; do
        for version in 4 5; do
            command -v $compiler > /dev/null || continue
            echo "$compiler $version"
            (cd work && $compiler -gdwarf-$version -O1 -no-pie -I ../src/include -o p ../src/main.c)
            PYTHONDONTWRITEBYTECODE=1 python3 "$ROOT/tests/record/stream.py" files 600 "$PWD/work/p" > data
            perf-script -q --inline -F +srcline data | grep '^  ' | sort -u > names
            perf-script -q --inline -F +srcline --full-source-path data | grep '^  ' | sort -u > paths
            same "  $PWD/work/../src/include/inner.h:1" "$(grep inner.h: paths)"
            same "  $PWD/work/../src/main.c:2" "$(grep main.c:2 paths)"
            same "$(cat names)" "$(sed 's|^  /.*/|  |' paths | sort -u)"
        done
    done
}

@test "--full-source-path without -F +srcline is wrong usage" {
    answers 2 '' 'perf-script: option --full-source-path goes with -F +srcline*' perf-script --full-source-path in
}

@test "stackrecord --lines goes with sample text alone" {
    answers 2 '' 'stackrecord: --lines goes with sample text*' stackrecord --lines --folded -- true
    answers 2 '' 'stackrecord: --lines goes with sample text*' stackrecord --lines -o out.data -- true
    answers 2 '' 'stackrecord: --lines goes with sample text*' stackrecord --lines --archive . -- true
}
