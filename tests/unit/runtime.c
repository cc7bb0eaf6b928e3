/* Runtimes, by their files, functions and commands. */
#include "test.h"

#include "common/stack/frames/runtime.h"

TEST("a runtime is known by its files, also deleted ones, in any folder")
{
    CHECK(runtime_of_dso(SPAN("/usr/bin/node")) == RUNTIME_NODE);
    CHECK(runtime_of_dso(SPAN("/opt/n/bin/node (deleted)")) == RUNTIME_NODE);
    CHECK(runtime_of_dso(SPAN("libnode.so.115")) == RUNTIME_NODE);
    CHECK(runtime_of_dso(SPAN("/usr/lib/jvm/x/lib/server/libjvm.so")) == RUNTIME_JAVA);
    CHECK(runtime_of_dso(SPAN("/usr/bin/python3.12")) == RUNTIME_PYTHON);
    CHECK(runtime_of_dso(SPAN("/usr/bin/python2.7")) == RUNTIME_PYTHON);
    CHECK(runtime_of_dso(SPAN("/usr/lib/x86_64-linux-gnu/libruby-3.1.so.3.1.2")) == RUNTIME_RUBY);
    CHECK(runtime_of_dso(SPAN("/usr/sbin/php-fpm8.2")) == RUNTIME_PHP);
    CHECK(runtime_of_dso(SPAN("/usr/lib/x86_64-linux-gnu/libperl.so.5.36.0")) == RUNTIME_PERL);
    CHECK(runtime_of_dso(SPAN("/usr/lib/erlang/erts-13.1.5/bin/beam.smp")) == RUNTIME_ERLANG);
    CHECK(runtime_of_dso(SPAN("/usr/bin/luajit-2.1.0-beta3")) == RUNTIME_LUAJIT);
    CHECK(runtime_of_dso(SPAN("/home/u/.deno/bin/deno")) == RUNTIME_DENO);
    CHECK(runtime_of_dso(SPAN("/home/u/.bun/bin/bun")) == RUNTIME_BUN);
    CHECK(runtime_of_dso(SPAN("/usr/bin/nodejs-x")) == RUNTIME_UNKNOWN);
    CHECK(runtime_of_dso(SPAN("/usr/bin/bundle")) == RUNTIME_UNKNOWN);
    CHECK(runtime_of_dso(SPAN("/usr/bin/perltidy")) == RUNTIME_UNKNOWN);
    CHECK(runtime_of_dso(SPAN("/node/x")) == RUNTIME_UNKNOWN);
    CHECK(runtime_of_dso(SPAN("")) == RUNTIME_UNKNOWN);
}

TEST("a runtime is known by functions that lead to compiled code, where there are no files")
{
    CHECK(runtime_of_symbol(SPAN("node::Start(int, char**)")) == RUNTIME_NODE);
    CHECK(runtime_of_symbol(SPAN("Stub:js-to-wasm:i:i")) == RUNTIME_WASM);
    CHECK(runtime_of_symbol(SPAN("Stub:wasm-to-js")) == RUNTIME_NODE);
    CHECK(runtime_of_symbol(runtime_nameless(RUNTIME_WASM)) == RUNTIME_WASM);
    CHECK(runtime_of_symbol(SPAN("JavaCalls::call_helper")) == RUNTIME_JAVA);
    CHECK(runtime_of_symbol(SPAN("_PyEval_EvalFrameDefault")) == RUNTIME_PYTHON);
    CHECK(runtime_of_symbol(SPAN("f(node::Environment*)")) == RUNTIME_UNKNOWN);
    CHECK(runtime_of_symbol(SPAN("v8::Function::Call")) == RUNTIME_UNKNOWN); /* chromium's, too */
}

TEST("an interpreter is known by the function that runs all functions of a script")
{
    CHECK(runtime_of_interpreter(SPAN("_PyEval_EvalFrameDefault")) == RUNTIME_PYTHON);
    CHECK(runtime_of_interpreter(SPAN("PyEval_EvalFrameEx")) == RUNTIME_PYTHON);
    CHECK(runtime_of_interpreter(SPAN("rb_vm_exec")) == RUNTIME_RUBY);
    CHECK(runtime_of_interpreter(SPAN("vm_exec_core.lto_priv.0")) == RUNTIME_RUBY);
    CHECK(runtime_of_interpreter(SPAN("execute_ex")) == RUNTIME_PHP);
    CHECK(runtime_of_interpreter(SPAN("Perl_runops_standard")) == RUNTIME_PERL);
    CHECK(runtime_of_interpreter(SPAN("PyEval_EvalCode")) == RUNTIME_UNKNOWN);
    CHECK(runtime_of_interpreter(SPAN("")) == RUNTIME_UNKNOWN);
}

TEST("each runtime has a name for its code without names, which is read back, and an advice")
{
    for (int i = 0; i < RUNTIMES; i++) {
        enum runtime runtime = (enum runtime)i, back = RUNTIMES;
        struct span name = runtime_nameless(runtime);
        CHECK(span_starts(name, SPAN("(")) && span_ends(name, SPAN(" without names)")));
        CHECK(runtime_is_nameless(name, &back));
        CHECK(span_eq(runtime_nameless(back), runtime_nameless(runtime)));
        CHECK(strlen(runtime_advice(runtime)) > 0 && runtime_name(runtime).len > 0);
        /* stackrecord reads the names of node alone from memory */
        CHECK((strcmp(runtime_remedy(runtime), runtime_advice(runtime)) != 0) ==
              (runtime == RUNTIME_NODE));
        CHECK(runtime_compiles(runtime) !=
              (runtime == RUNTIME_UNKNOWN || strlen(runtime_other_profiler(runtime)) > 0));
    }
    enum runtime runtime = RUNTIMES;
    CHECK(runtime_is_nameless(SPAN("(Java without names)_[j]"), &runtime));
    CHECK(runtime == RUNTIME_JAVA);
    CHECK(!runtime_is_nameless(SPAN("(garbage collector)"), &runtime));
    CHECK(!runtime_is_nameless(SPAN("()"), &runtime));
    CHECK(!runtime_is_nameless(SPAN(""), &runtime));
    CHECK(runtime == RUNTIME_JAVA);
}
