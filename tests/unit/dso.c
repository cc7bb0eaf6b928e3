#include "tests/unit/test.h"

#include "common/stack/frames/dso.h"

TEST("the kernel, its modules and BPF programs are the kernel's")
{
    static const char *const dsos[] = {
        "[kernel.kallsyms]",
        "[kernel.kallsyms]_stext",
        "[guest.kernel.kallsyms]",
        "[guest.kernel.kallsyms.17]",
        "[kernel.vmlinux].init.text",
        "[kernel]",
        "[nf_conntrack]",
        "[8021q]",
        "[xen-blkfront]",
        "vmlinux",
        "/usr/lib/debug/boot/vmlinux-5",
        "/lib/modules/6.1.0/kernel/a.ko.xz",
        "bpf_prog_2b95_f",
    };
    for (size_t i = 0; i < sizeof dsos / sizeof *dsos; i++) {
        CHECK(dso_is_kernel(span_cstr(dsos[i])));
        CHECK(!dso_is_jit(span_cstr(dsos[i])));
    }
}

TEST("what a process has without a file is not the kernel's, whatever is in the brackets")
{
    static const char *const dsos[] = {
        "[vdso]",  "[vdso32]",        "[vsyscall]", "[heap]",
        "[stack]", "[stack:4242]",    "[unknown]",  "[uprobes]",
        "[vvar]",  "[sigpage]",       "[vectors]",  "[anon:dalvik-main space]",
        "[anon]",  "[shadow stack]",  "[my cache]", "[a/b]",
        "[a:b]",   "[page size: 4k]", "[",          "[]",
        "[kernel", "[ kernel]",       "",
    };
    for (size_t i = 0; i < sizeof dsos / sizeof *dsos; i++) {
        CHECK(!dso_is_kernel(span_cstr(dsos[i])));
        CHECK(!dso_is_jit(span_cstr(dsos[i])));
    }
}

TEST("JIT-compiled code is in a perf map, a jitdump's file or a cache in brackets, and not the "
     "kernel's")
{
    static const char *const dsos[] = {"/tmp/perf-7.map", "/tmp/jitted-7-1.so",
                                       "[JIT] tid 7",     "[JIT]",
                                       "[JIT app cache]", "[JIT zygote cache]"};
    for (size_t i = 0; i < sizeof dsos / sizeof *dsos; i++) {
        CHECK(dso_is_jit(span_cstr(dsos[i])));
        CHECK(!dso_is_kernel(span_cstr(dsos[i])));
    }
}
