#!/usr/bin/env bats
# stackrecord -e with arguments and results: they have the values that the program printed.
load ../lib

TRACEFS=/sys/kernel/tracing

setup() {
    needs_recorder
    [ -w $TRACEFS/uprobe_events ] || skip "needs root and tracefs at $TRACEFS"
    cd "$BATS_TEST_TMPDIR"
    cp "$DATA"/probes/* .
}

# Prints "FUNCTION NAME=VALUE..." for each sample: what the program printed, in the same order.
values_of() { # FILE
    sed -nE 's/^[^\t].*[0-9]+\.[0-9]+: +[a-z]+:([^ ]*): \(([0-9a-f]+)( <- [0-9a-f]+)?\)(.*)$/\1\4/p' "$1" |
        sed -E 's/%return//; s/^c[.]c:[0-9]+ square/line square/; s/^c[.]c:[0-9]+ n/inlined n/'
}

line_of() { # PATTERN: its line in c.c
    grep -n "$1" c.c | cut -d: -f1
}

agrees_c() { # COMPILER OPTION...
    local probes functions returns
    functions=('sum(a,b,c)' 'wide(a,b)' 'text(s:string)' 'many(a,f,g,h)'
        'member(r->id,r->url:string,r->in.deep,r->in.text:string,r->next->url:string,r->name:string,r->list[3])'
        'bits(r->low,r->high)' 'element(list[1],words=words[1]:string)' 'by_value(r.id,r.in.text:string)')
    returns=({sum,wide,many,element,by_value}'%return($retval)' 'text%return($retval:string)' 'member%return($retval->url:string)')
    echo "$*"
    "$@" -g -o ./c c.c
    probes=$(printf './c:%s\n' "${functions[@]}" "${returns[@]}" | paste -sd,)
    probes+=,./c:c.c:$(line_of 'probe of a line')'(square)',./c:c.c:$(line_of 'probe of an inlined line')'(n)'
    stackrecord --call-graph none -e "$probes" --text text -- ./c >printed
    same "$(cat printed)" "$(values_of text)"
}

@test "arguments and results of C functions have the values that the program printed: gcc, not optimized and optimized" {
    command -v gcc >/dev/null || skip "no gcc"
    agrees_c gcc -O0
    agrees_c gcc -O2
}

@test "arguments and results of C functions have the values that the program printed: clang, not optimized and optimized" {
    command -v clang >/dev/null || skip "no clang"
    agrees_c clang -O0 -gdwarf-4
    agrees_c clang -O1
}

# perf, too, records what has no value at some places: it prints a number there that means nothing.
agrees_copies() { # COMPILER OPTION...
    echo "$*"
    "$@" -g -o copies copies.c
    answers 0 '*' "*: at 1 of 4 places of 'measure', samples have no 'area': 'area' *
stackrecord: 'partly_empty' is not sampled at 1 place where it was inlined without any instruction" \
        stackrecord --call-graph none -e './copies:measure(len,name:string,area),./copies:only_inlined(n),./copies:partly_empty(n)' --text text -- ./copies
    same "$output" "$(values_of text)"
    same "$(grep -c . <<<"$output")" "$(stackrecord -q --call-graph none -e ./copies:measure,./copies:only_inlined,./copies:partly_empty -- ./copies | grep -c '^ *copies ')"
}

@test "a function that was inlined has a sample for each call, with the values that the program printed: gcc and clang" {
    command -v gcc >/dev/null || skip "no gcc"
    agrees_copies gcc -O2
    ! command -v clang >/dev/null || agrees_copies clang -O2 -gdwarf-4
}

@test "a filter drops the calls at places that do not have the value, and says so" {
    command -v gcc >/dev/null || skip "no gcc"
    gcc -O2 -g -o copies copies.c
    answers 0 '*' "*"$'\n'"stackrecord: places of 'copies:measure' that have no value for the filter are not sampled" \
        stackrecord --call-graph none -e './copies:measure(len,area)' --filter 'area > 5' --text text -- ./copies
    same $'measure len=2 area=22\nmeasure len=2 area=22\nmeasure len=2 area=22' "$(values_of text)"
    answers 0 '*' "stackrecord: at 1 of 4 places *" stackrecord --call-graph none -e './copies:measure(len,area)' --filter 'len < 0' --text text -- ./copies
    same $'measure len=-7\nmeasure len=-7\nmeasure len=-7' "$(values_of text)"
}

@test "returns of an inlined function cannot be sampled, which is said; those of the function itself are" {
    command -v gcc >/dev/null || skip "no gcc"
    gcc -O2 -g -o copies copies.c
    answers 0 '*' "stackrecord: 'measure' was inlined at 3 places, where its returns are not sampled" \
        stackrecord --call-graph none -e './copies:measure%return' --text text -- ./copies
    same 1 "$(values_of text | grep -c '^measure')"
}

@test "functions of C++ with one name are one event, with the arguments that each has" {
    command -v g++ >/dev/null || skip "no g++"
    g++ -O2 -g -o overloads overloads.cc
    answers 0 '*' "stackrecord: at 1 of 4 places of 'shop::area', samples have no 'n': *
stackrecord: at 3 of 4 places of 'shop::area', samples have no 'height': *" \
        stackrecord --call-graph none -e './overloads:shop::area(n,height)' --text text -- ./overloads
    same "$output" "$(values_of text)"
}

agrees_cc() { # COMPILER OPTION...
    local name probes='' methods='price(this->number,factor)
operator()(yes)
by_reference(n,i.number,i.next->number)
paint(c)
twice<long>(n)
title(title=i->title._M_dataplus._M_p:string)
pair(p.first,p.second)'
    echo "$*"
    "$@" -g -o ./cc cc.cc
    while read -r name; do
        [[ $name != price* && $name != operator* ]] || name=item::$name
        probes+=,./cc:shop::$name,./cc:shop::${name%(*}'%return($retval'
        [[ $name != title* ]] || probes+=:string
        probes+=')'
    done <<<"$methods"
    stackrecord --call-graph none -e "${probes#,}" --text text -- ./cc >printed
    same "$(cat printed)" "$(values_of text)"
}

@test "arguments and results of C++ functions have the values that the program printed" {
    command -v g++ >/dev/null || skip "no g++"
    agrees_cc g++ -O0
    agrees_cc g++ -O2
}

agrees_rs() { # OPTION...
    local name probes=''
    echo "$*"
    rustc --edition 2021 -g "$@" -o rs rs.rs
    for name in 'add(a,b)' 'negate(yes,small)' 'length(p->x,p->y)' 'slice(s.length,s.data_ptr[1])' 'text(s.length,s.data_ptr:string)'; do
        probes+=,./rs:rs::$name,./rs:rs::${name%(*}'%return($retval)'
    done
    stackrecord --call-graph none -e "${probes#,}" --text text -- ./rs >printed
    same "$(cat printed)" "$(values_of text)"
}

@test "arguments and results of Rust functions have the values that the program printed" {
    command -v rustc >/dev/null || skip "no rustc"
    agrees_rs
    agrees_rs -O
}

@test "--filter keeps the calls for which it is true" {
    gcc -g -O2 -o c c.c
    stackrecord --call-graph none -e './c:sum(a,b),./c:wide(b)' --filter 'b == 200' --text text -- ./c >printed
    same 'wide b=200' "$(values_of text)"
    stackrecord --call-graph none -e './c:text(s:string)' --filter 's ~ "hello*"' --text text -- ./c >printed
    same 'text s="hello there"' "$(values_of text)"
}

@test "a filter that the kernel does not understand is reported, and what a filter is" {
    gcc -g -O2 -o c c.c
    answers 1 '' "stackrecord: c:sum: the kernel does not understand the filter: it compares fields *" \
        stackrecord -e './c:sum(a)' --filter 'b > 1' -- ./c
}

@test "arguments are in the recording, and perf-script prints them" {
    gcc -g -O2 -o c c.c
    stackrecord --call-graph none -e './c:sum(a,b,c),./c:sum%return($retval)' -o data -- ./c >printed
    perf-script data >text
    same "$(grep '^sum' printed)" "$(values_of text)"
}

@test "the forms of perf probe: each command of ours in flamepipe-recipes(7) prints what it is for" {
    local recipe n=0
    command -v gcc >/dev/null || skip "no gcc"
    cat >main.c <<'END'
#include <string.h>

__attribute__((noinline)) int parse(const char *name, int len)
{
    int sum = 0;
    for (int i = 0; i < len; i++)
        sum += name[i];
    return sum + len;
}

int main(void) { return parse("index.html", strlen("index.html")) == 0; }
END
    gcc -g -O0 -o app main.c
    while IFS= read -r recipe; do
        n=$((n + 1))
        echo "$recipe"
        answers 0 '*' '' bash -c "$recipe"
        case $recipe in
        *list-vars*) [[ $output = *$'\tchar*\tname\n\t\tint\tlen\n'* ]] ;;
        *list-lines*) [[ $output = *'      5      int sum = 0;'* ]] ;;
        *'len, name'*) [[ $output = *' app:parse: ('*') len=10 name="index.html"'* ]] ;;
        *return*) [[ $output = *' app:parse%return: ('*') retval=1029'* ]] ;;
        *main.c:8*) [[ $output = *' app:main.c:8: ('*') len=10'* ]] ;;
        *) false ;;
        esac
    done < <(beside_perf flamepipe-recipes.7 | grep 'app:')
    [ "$n" -eq 5 ]
}

@test "probes of the kernel are written to kprobe_events as its documentation says, and removed" {
    command -v gcc >/dev/null || skip "no gcc"
    mkdir boot tracing
    gcc -g -O2 -Wl,--defsym=_text=__executable_start -o "boot/vmlinux-$(uname -r)" c.c
    touch tracing/{u,k}probe_events
    # A folder stands in for tracefs. It has no formats of events, so nothing is recorded.
    answers 1 '' "*/id: No such file or directory"* unshare -m sh -c "mount --bind boot /boot && mount --bind tracing $TRACEFS &&
        exec stackrecord -e 'kernel:sum(a,b),kernel:member(r->url:ustring),kernel:sum%return(\$retval),kernel:do_exit' -- true"
    sed -E 's/stackrecord_[0-9]+_[0-9]+/GROUP/; s/0x[0-9a-f]+/N/' tracing/kprobe_events >commands
    same 'p:GROUP/sum _text+N a=%di:s32 b=%si:s16
p:GROUP/member _text+N url=+0(+8(%di)):ustring
r:GROUP/sum_return _text+N retval=$retval:s32
p:GROUP/do_exit do_exit
-:GROUP/sum
-:GROUP/member
-:GROUP/sum_return
-:GROUP/do_exit' "$(cat commands)"
    local offset
    offset=$(sed -nE 's/^p:.*sum _text[+](0x[0-9a-f]+) .*/\1/p' tracing/kprobe_events)
    [ $((offset)) -eq $((0x$(nm "boot/vmlinux-$(uname -r)" | awk '$3 == "sum" { print $1 }'))) ]
    [ ! -s tracing/uprobe_events ]
}
