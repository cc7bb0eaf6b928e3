# Names of Rust functions that a producer left mangled, or half mangled.
load lib

RUST='app 1 1.0: 1 cycles:
	 55 _$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..ops..Drop$GT$::drop::h0123456789abcdef (/bin/app)
	 56 _ZN3app3run17h0123456789abcdefE+0x12 (/bin/app)
	 57 _RNvCs1234_7mycrate3run (/bin/app)
	 58 <T as app::X>::f::h0123456789abcdef (/bin/app)
	 59 app::put$u5b$u8$u3b$$u20$4$u5d$::h0123456789abcdef (/bin/app)
	 60 app::main::h0123456789abcdef [clone .llvm.42] (/bin/app)
	 61 _ZN4node7LoadEnvEi (/bin/app)

'
PLAIN='app;_ZN4node7LoadEnvEi;app::main;app::put[u8: 4];<T as app::X>::f;mycrate::run;app::run;<alloc::vec::Vec<T> as core::ops::Drop>::drop 1'

@test "mangled names of Rust, half demangled ones too, are those of the source, without a hash" {
    printf %s "$RUST" >in
    prints "$PLAIN" stackcollapse in
    try stackreport --format=tsv in
    [[ $output == *'<T as app::X>::f'* && $output != *::h0123* && $output != *'$LT$'* ]]
    try perf-script --demangle=short in
    same "$PLAIN" "$(stackcollapse --tidy=none <<<"$output" | sed 's/put.u8; 4./put[u8: 4]/; s/node::LoadEnv/_ZN4node7LoadEnvEi/')"
    for program in 'perf-script --demangle=none' perf-script stackfilter 'stackcollapse --tidy=none' "$COMPAT/stackcollapse-perf.pl"; do
        # shellcheck disable=SC2086 # options follow
        prints '*_RNvCs1234_7mycrate3run*' $program in
        [[ $output == *'_$LT$alloc'*  && $output == *'app::main::h0123456789abcdef [clone .llvm.42]'* ]]
    done
}

@test "in every format names of Rust are those of the source" {
    printf '\n              app`_ZN3app3run17h0123456789abcdefE+0x12\n              app`_$LT$T$GT$::f::h0123456789abcdef+0x1\n              libc`main+0x1\n                3\n' >dtrace
    prints 'libc`main;app`<T>::f;app`app::run 3' stackcollapse --from=dtrace dtrace
    prints 'libc`main+0x1;app`<T>::f+0x1;app`app::run 3' stackcollapse --from=dtrace --includeoffset dtrace
    printf 'Call graph:\n    4 Thread_1\n      4 __ZN3app3run17h0123456789abcdefE  (in app) + 40  [0x10]\n        4 _$LT$T$GT$::f::h0123456789abcdef  (in app) + 40  [0x10]\n\nTotal number in stack\n' >sample
    prints 'Thread_1;app`app::run;app`<T>::f 4' stackcollapse --from=sample sample
    sed "s/name='main'/name='_\$LT\$T\$GT\$::f::h0123456789abcdef'/" "$DATA/stackcollapse/xctrace/cycles" >xctrace
    prints $'render;<T>::f 100\nrender;<T>::f;draw "all" 644366' stackcollapse xctrace
    printf '@[\n    app::run::h0123456789abcdef+18\n    _ZN3app4main17h0123456789abcdefE+2\n]: 3\n' >bpftrace
    prints 'app::main;app::run 3' stackcollapse bpftrace
}
