# Which function of one side stackdiff takes for which of the other.
load lib

# Writes the two profiles, a line of samples for each frame, and compares them.
compare() { # BEFORE AFTER OPTION...
    printf 'main;%s 100\n' "${1//|/ 100$'\n'main;}" >before
    printf 'main;%s 100\n' "${2//|/ 100$'\n'main;}" >after
    shift 2
    try stackdiff "$@" before after
    [ "$status" -eq 0 ]
}

@test "a function is the same in another folder and on another line, and has its name after" {
    compare 'f /ci/before/app.js:3:5|g /ci/before/lib/a.js:9:1' 'f /ci/after/app.js:4:5|g /ci/after/lib/a.js:2:7'
    same 'main;f /ci/after/app.js:4:5 100 100
main;g /ci/after/lib/a.js:2:7 100 100' "$output"
    [ "$stderr" = '' ]
}

@test "--exact-names compares names to the byte" {
    compare 'f /ci/before/app.js:3:5|f' 'f /ci/after/app.js:3:5|f' --exact-names
    same 'main;f 100 100
main;f /ci/after/app.js:3:5 0 100
main;f /ci/before/app.js:3:5 100 0' "$output"
}

@test "V8's own name forms, tiers apart, and file: addresses are matched too" {
    compare 'JS:*f file:///a/x.mjs:3:5|JS:~f file:///a/x.mjs:3:5|g /a/y.js:1:1' \
        'JS:*f file:///b/c/x.mjs:4:5|JS:~f file:///b/c/x.mjs:4:5|g /b/c/y.js:1:1'
    same 'main;JS:*f file:///b/c/x.mjs:4:5 100 100
main;JS:~f file:///b/c/x.mjs:4:5 100 100
main;g /b/c/y.js:1:1 100 100' "$output"
}

@test "a dependency is known from node_modules on, another one of the same name apart" {
    compare 'f /b/node_modules/x/i.js:1:2|f /b/node_modules/y/i.js:1:2|g /b/a.js:1:1' \
        'f /ci/node_modules/x/i.js:2:2|f /ci/node_modules/y/i.js:3:2|g /ci/a.js:1:1'
    same 'main;f /ci/node_modules/x/i.js:2:2 100 100
main;f /ci/node_modules/y/i.js:3:2 100 100
main;g /ci/a.js:1:1 100 100' "$output"
}

@test "a side whose samples are all of a folder below the root is compared from the root on" {
    compare 'f /before/lib/x.js:1:1|g /before/lib/y.js:1:1' 'f /after/lib/x.js:2:1|g /after/lib/y.js:2:1|h /after/app.js:1:1'
    same 'main;f /after/lib/x.js:2:1 100 100
main;g /after/lib/y.js:2:1 100 100
main;h /after/app.js:1:1 0 100' "$output"
}

@test "anonymous functions move with the functions beside them, also where some have no samples" {
    local a='(anonymous) /p/app.js'
    compare "$a:3:1|f /p/app.js:5:1|$a:8:1|$a:9:1" "f /p/app.js:6:1|$a:9:1|$a:10:1"
    same "main;$a:10:1 100 100
main;$a:3:1 100 0
main;$a:9:1 100 100
main;f /p/app.js:6:1 100 100" "$output"
}

@test "without functions beside them they are paired in the order of their lines" {
    local a='(anonymous) /p/app.js'
    compare "$a:9:1|$a:100:1" "$a:100:1|$a:200:1"
    same "main;$a:100:1 100 100
main;$a:200:1 100 100" "$output"
}

@test "a function that is gone is not added to another that has its name" {
    local a='(anonymous) /p/app.js'
    compare "f /p/app.js:1:1|$a:5:1|$a:10:1" "f /p/app.js:6:1|$a:10:1"
    same "main;$a:10:1 100 100
main;$a:10:1 [before] 100 0
main;f /p/app.js:6:1 100 100" "$output"
}

@test "a bundler's hash does not count, unless both sides have both files" {
    compare 'f /p/main.3f2a9c.js:1:5|g /p/index-B7xK29aQ.js:1:1' 'f /p/main.01dd42.js:1:7|g /p/index-aQ9xK2B7.js:1:1'
    same 'main;f /p/main.01dd42.js:1:7 100 100
main;g /p/index-aQ9xK2B7.js:1:1 100 100' "$output"
    compare 'f /p/a.111111.js:1:5|f /p/a.222222.js:1:2' 'f /p/a.111111.js:1:6|f /p/a.222222.js:1:1'
    same 'main;f /p/a.111111.js:1:6 100 100
main;f /p/a.222222.js:1:1 100 100' "$output"
    compare 'f /p/feedback.main.js:1:5|g /p/x.js:1:1' 'f /p/feedback.test.js:1:5|g /p/x.js:1:1'
    [ "${lines[0]}" = 'main;f /p/feedback.main.js:1:5 100 0' ]
}

@test "hashes of Rust, clones of C++ and numbers of closures do not count" {
    local name
    for name in 'a::b::h0123456789abcdef=a::b::hfedcba9876543210' 'f.isra.0=f.constprop.1.part.12' 'f=f.cold' \
        'f(int) [clone .isra.0]=f(int)' 'f.llvm.123=f.llvm.987654321' 'f.lto_priv.0=f' 'main.f.func1=main.f.func2' \
        'main.f.func1.2=main.f.func3.1' 'f()::{lambda(int)#2}::operator()=f()::{lambda(int)#1}::operator()' \
        'a::{closure#0}=a::{closure#1}' 'f::$_0::operator()=f::$_1::operator()'; do
        compare "${name%%=*}" "${name#*=}"
        same "main;${name#*=} 100 100" "$output"
    done
    for name in 'a::h0123=a::h4567' 'f.colder=f' 'func1=func2' 'x.part.y=x'; do
        compare "${name%%=*}" "${name#*=}"
        [ "${#lines[@]}" -eq 2 ]
    done
}

@test "of a function and its clone, each is compared with its own" {
    compare 'f|f.cold|main.f.func1|main.f.func2' 'f|f.cold|main.f.func2|main.f.func3'
    same 'main;f 100 100
main;f.cold 100 100
main;main.f.func2 100 100
main;main.f.func3 100 100' "$output"
}

@test "the gate names a function that grew, and not one that moved" {
    printf '%s\n' 'f /b/a.js:1:1 5000' 'g /b/a.js:9:1 5000' >before
    printf '%s\n' 'f /a/a.js:2:1 5000' 'g /a/a.js:10:1 5000' >after
    try stackdiff --max-growth=3 before after
    [ "$status" -eq 0 ]
    sed -i 's/:1 5000/:1 9000/; 2s/ .*/ \/a\/a.js:10:1 5000/' after
    answers 1 '*' '*: f /a/a.js:2:1*' stackdiff --max-growth=3 before after
}

@test "difffolded.pl compares names to the byte" {
    printf 'f /b/a.js:1:1 5\n' >before
    printf 'f /a/a.js:1:1 5\n' >after
    answers 0 'f /a/a.js:1:1 0 5
f /b/a.js:1:1 5 0' '*' "$COMPAT/difffolded.pl" before after
}
