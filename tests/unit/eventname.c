#include "tests/unit/test.h"

#include "common/stack/model/eventname.h"

static bool
is_kin(const char *a, const char *b)
{
    bool is = eventname_is_core_variant(span_cstr(a), span_cstr(b));
    CHECK(is == eventname_is_core_variant(span_cstr(b), span_cstr(a)));
    return is;
}

TEST("an event is one on all kinds of cores, however perf has printed its modifiers")
{
    CHECK(is_kin("cpu_core/cycles/", "cpu_atom/cycles/"));
    CHECK(is_kin("cpu_core/cycles:Pu/", "cpu_atom/cycles:Pu/"));
    CHECK(is_kin("cpu_core/cycles/Pu", "cpu_atom/cycles:Pu/"));
    CHECK(is_kin("armv8_cortex_a53/cycles/", "armv8_cortex_a72/cycles/"));
    CHECK(is_kin("apple_icestorm_pmu/cycles/P", "apple_firestorm_pmu/cycles/P"));
    CHECK(is_kin("cpu_core/mem-loads,ldlat=30/P", "cpu_atom/mem-loads,ldlat=30/P"));
    CHECK(is_kin("cycles:Pu", "armv8_cortex_a53/cycles/Pu"));
}

TEST("how precise an event is may depend on the kind of core")
{
    CHECK(is_kin("cpu_core/cycles/ppp", "cpu_atom/cycles/p"));
    CHECK(is_kin("cpu_core/cycles:Pu/", "cpu_atom/cycles/u"));
}

TEST("other events, modes and encodings are not the same on another kind of core")
{
    CHECK(!is_kin("cpu_core/cycles/", "cpu_atom/instructions/"));
    CHECK(!is_kin("cpu_core/cycles/u", "cpu_atom/cycles/k"));
    CHECK(!is_kin("cpu_core/cycles/", "cpu_atom/cycles:u/"));
    CHECK(!is_kin("cpu_core/event=0x3c,umask=0/", "cpu_atom/event=0x3c,umask=0/"));
    CHECK(!is_kin("ibs_op//", "ibs_fetch//"));
}

TEST("an event is not its own kin, and neither are two settings of it on one kind of core")
{
    CHECK(!is_kin("cpu_core/cycles/", "cpu_core/cycles/"));
    CHECK(!is_kin("cycles", "cycles"));
    CHECK(!is_kin("cycles:P", "cycles"));
    CHECK(!is_kin("cycles", "cpu/cycles/"));
    CHECK(!is_kin("cpu_core/cycles/P", "cpu_core/cycles/"));
}

TEST("names that are no events of a core are compared whole")
{
    CHECK(!is_kin("syscalls:sys_enter_read", "syscalls:sys_enter_write"));
    CHECK(!is_kin("mem:0x401000/4:rw", "mem:0x402000/4:rw"));
    CHECK(!is_kin("", "cpu_core/cycles/"));
    CHECK(!is_kin("/", "//"));
    CHECK(!is_kin(":", "/:/"));
    CHECK(!is_kin("///", "a//"));
}
