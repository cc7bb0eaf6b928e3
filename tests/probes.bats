# stackrecord --list-vars and --list-lines, and what is wrong with a probe: all from debug information,
# without a kernel that records. Values are compared in tests/live/stackrecord-probes.bats.
load lib

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    cp "$DATA"/probes/* .
    ! command -v gcc > /dev/null || gcc -g -O0 -o c c.c
    ! command -v g++ > /dev/null || g++ -g -O0 -o cc cc.cc
}

setup() {
    cd "$BATS_FILE_TMPDIR" || return 1
    [[ -e c && -e cc ]] || skip 'no gcc or g++'
}

@test "--list-vars prints the variables of a function that can be fetched, each after its type" {
    answers 0 '*' '' stackrecord --list-vars ./c:line
    [[ $output =~ ^'Available variables at line'$'\n\t@<line+'[0-9]+$'>\n\t\tint\tn\n\t\tint\tsquare\n\t\tint\tnext'$ ]]
    answers 0 '*' '' stackrecord --list-vars ./c:member
    [[ $output == *$'\n\t\tstruct request*\tr' ]]
    answers 0 '*' '' stackrecord --list-vars ./c:element
    [[ $output == *$'\n\t\tint*\tlist\n\t\tchar**\twords' ]]
    answers 0 '*' '' stackrecord --list-vars ./cc:shop::by_reference
    [[ $output == *$'\n\t\tint&\tn\n\t\tstruct item&\ti' ]]
}

@test "--list-vars prints each place of a line of a function that was inlined, and the variables there" {
    local line
    line=$(grep -n 'probe of an inlined line' c.c | cut -d: -f1)
    answers 0 '*' '' stackrecord --list-vars "./c:c.c:$line"
    same $'\t@<inlined+N>\n\t\tint\tn\n\t@<inlined+N>\n\t\tint\tn' "$(tail -n +2 <<< "$output" | sed 's/+[0-9]*>/+N>/')"
}

@test "--list-vars prints each place where a function was inlined, and what has a value there" {
    gcc -g -O2 -o copies copies.c
    answers 0 '*' '' stackrecord --list-vars ./copies:measure
    same "$(printf '\t%s\n' '@<first+N>' '@<first+N>' '@<measure+N>' '@<second+N>' $'\tchar*\tname'{,,,} $'\tint\tlen'{,,,} \
        $'\tlong int\tarea'{,,} | sort)" "$(tail -n +2 <<< "$output" | sed 's/+[0-9]*>/+N>/' | sort)"
}

@test "a function that was inlined at more than 1,000 places is not sampled there, which is said" {
    {
        echo 'static inline __attribute__((always_inline)) void many(void) { __asm__ volatile("nop"); }'
        echo 'int main(void) {'
        printf 'many();%.0s\n' {1..1001}
        echo 'return 0; }'
    } > many.c
    gcc -g -O2 -o many many.c
    answers 1 '' "stackrecord: ./many:many: 'many' is inlined at more than 1,000 places, which are not sampled" stackrecord --list-vars ./many:many
    sed -i '0,/^many/s//\/\/ many/' many.c
    gcc -g -O2 -o many many.c
    answers 0 '*' '' stackrecord --list-vars ./many:many
    same 1000 "$(grep -c '@<main' <<< "$output")"
}

@test "--list-lines prints the source of a function, with numbers at the lines that have code" {
    local first square
    first=$(grep -n '^line(int n)' c.c | cut -d: -f1)
    square=$(grep -n 'int square' c.c)
    answers 0 "<line@$PWD/c.c>"$'\n*' '' stackrecord --list-lines ./c:line
    same "$(sed -n "$first,$((first + 7))p" c.c)" "$(tail -n +2 <<< "$output" | cut -c 10-)"
    grep -qxF "$(printf '%7d  %s' "${square%%:*}" "${square#*:}")" <<< "$output"
    grep -qxF "         line(int n)" <<< "$output"
    # In optimized code few instructions begin a statement, and others have lines as well.
    gcc -g -O2 -o optimized c.c
    answers 0 "<line@$PWD/c.c>"$'\n*' '' stackrecord --list-lines ./optimized:line
    grep -qxF "$(printf '%7d  %s' "${square%%:*}" "${square#*:}")" <<< "$output"
}

@test "--list-lines finds the source of a file with split debug information" {
    gcc -g -gsplit-dwarf -O2 -o split c.c
    answers 0 "<line@$PWD/c.c>"$'\n*' '' stackrecord --list-lines ./split:line
}

@test "--list-lines prints a function once, with the lines of all places where it was inlined" {
    local first
    gcc -g -O2 -o copies copies.c
    first=$(grep -n 'the first line of measure' copies.c | cut -d: -f1)
    answers 0 "<measure@$PWD/copies.c>"$'\n*' '' stackrecord --list-lines ./copies:measure
    same 1 "$(grep -c measure@ <<< "$output")"
    same "$first" "$(awk '/first line of measure/ { print $1 }' <<< "$output")"
    answers 0 "<only_inlined@$PWD/copies.c>"$'\n*' '' stackrecord --list-lines ./copies:only_inlined
    grep -Eqx ' +[0-9]+      KEEP\(n\);' <<< "$output"
    # Several functions of one name are printed one by one.
    g++ -g -O2 -o overloads overloads.cc
    answers 0 '<shop::area@*' '' stackrecord --list-lines ./overloads:shop::area
    same 4 "$(grep -c '^<shop::area@' <<< "$output")"
}

@test "--list-lines prints only the numbers where the source cannot be read, and says so" {
    mkdir gone
    (cd gone && cp ../c.c . && gcc -g -O0 -o ../without c.c && rm c.c)
    local why='gone/c.c: No such file or directory: only the numbers of its lines are printed'
    answers 0 "<line@$PWD/gone/c.c>"$'\n*' "*$why" stackrecord --list-lines ./without:line
    [[ ${lines[1]} =~ ^\ *[0-9]+$ ]]
}

refuses() { # PROBE WHAT-IS-WRONG
    echo "$1"
    answers 2 '' "stackrecord: option --event: $1: $2
*" stackrecord -e "$1" -- true
}

@test "what is wrong with a probe is wrong usage: variables, members, types and lines" {
    refuses './c:sum(d)' "there is no variable 'd'*"
    refuses './c:member(r->ur)' "'r' has no member 'ur'; did you mean 'url'?"
    refuses './c:member(r.url)' "'r' is no struct, so it has no member 'url': it is a pointer, write '->'"
    refuses './c:by_value(r->id)' "'r' is no pointer: write '.'"
    refuses './c:by_value(r)' "'r' is a struct: name a member of it"
    refuses './c:by_value(r.list)' "'list' is an array: name an element, as in 'list[0]', or if it is text, 'list:string'"
    refuses './c:sum(a[0])' "'a' is neither a pointer nor an array"
    refuses './c:sum(a:string)' "'a' is neither a pointer nor an array, so it is no string"
    refuses './c:sum(a_name_of_more_than_27_bytes=a)' "'a_name_of_more_than_27_bytes' cannot be the name of an argument: *"
    refuses './c:sum(a:u7)' "the type 'u7' is not known: *"
    refuses './c:sum(a b)' "'a b' is not understood from ' b' on"
    refuses './c:sum($retval)' '$retval is known when the function has returned: write %return after its name'
    refuses './c:sum%return(a)' "'a' is not known when the function has returned: only \$retval is"
    refuses './c:bits%return($retval)' 'the function returns nothing'
    refuses './c:c.c:1' 'line 1 of c.c has no code; the next line with code is *'
    refuses './c:d.c:1' "*/c has no code from a source file 'd.c'"
    refuses './c:c.c:1%return' '%return goes with a function, not with a line'
    gcc -g -O2 -o copies copies.c
    refuses './copies:only_inlined%return' "'only_inlined' was inlined wherever it is called, at 2 places, so its returns cannot be sampled: leave out %return"
    refuses './copies:measure(len,other)' "there is no variable 'other'*"
    refuses './c:elemnet(a)' "*/c has no function 'elemnet'; did you mean 'element'?"
}

@test "an argument of a file without debug information is refused, with what to do" {
    gcc -o plain c.c
    answers 2 '' "stackrecord: option --event: ./plain:sum(a): *plain has no debug information: compile it with -g, or install its debug package
*" stackrecord -e './plain:sum(a)' -- true
}

@test "--filter stands after events with fields" {
    answers 2 '' "stackrecord: option --filter: it stands after the -e *
*" stackrecord --filter 'a > 1' -- true
    answers 2 '' "stackrecord: option --filter: 'page-faults' has no fields; tracepoints and probes have
*" stackrecord -e page-faults --filter 'a > 1' -- true
}
