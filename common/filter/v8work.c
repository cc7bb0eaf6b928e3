/*     v8::internal::Scavenger::Process(...)      (garbage collector)
 *     Builtins_LoadIC_Megamorphic                (inline caches)
 *     Builtins_RegExpPrototypeExec               (regexp)
 *
 * The words are names of classes, namespaces and builtins in V8's source (src/heap, src/compiler,
 * src/ic, src/regexp, src/builtins). */
#include "common/filter/v8work.h"

#include <stdint.h>

#include "common/stack/frames/cxxname.h"
#include "common/stack/frames/v8name.h"

static const struct span own[] = {
    SPAN("v8::internal::"), SPAN("cppgc::internal::"), /* the collector of C++ objects */
    SPAN("heap::base::"),                              /* code shared by both collectors */
};

/* The first row with a text in the function's name decides. */
static const struct {
    struct span text;
    enum v8work work;
} words[] = {
    {SPAN("cppgc::"), WORK_GC},
    {SPAN("heap::base::"), WORK_GC},
    {SPAN("::Heap::"), WORK_GC},
    {SPAN("Scaveng"), WORK_GC},
    {SPAN("MarkCompact"), WORK_GC},
    {SPAN("Marking"), WORK_GC},
    {SPAN("ConcurrentMark"), WORK_GC},
    {SPAN("MinorMS"), WORK_GC},
    {SPAN("MinorMC"), WORK_GC},
    {SPAN("Sweep"), WORK_GC},
    {SPAN("Evacuat"), WORK_GC},
    {SPAN("GarbageCollect"), WORK_GC},
    {SPAN("GlobalHandles"), WORK_GC},
    {SPAN("RegExp"), WORK_REGEXP},
    {SPAN("Regexp"), WORK_REGEXP},
    {SPAN("LazyCompileDispatcher"), WORK_COMPILER},
    {SPAN("LazyCompile"), WORK_RUNTIME}, /* the name of code without a function */
    {SPAN("v8::internal::compiler::"), WORK_COMPILER},
    {SPAN("v8::internal::maglev::"), WORK_COMPILER},
    {SPAN("v8::internal::baseline::"), WORK_COMPILER},
    {SPAN("Compil"), WORK_COMPILER},
    {SPAN("::interpreter::Bytecode"), WORK_COMPILER},
    {SPAN("::interpreter::ConstantArray"), WORK_COMPILER},
    {SPAN("internal::Parser"), WORK_COMPILER},
    {SPAN("internal::PreParser"), WORK_COMPILER},
    {SPAN("internal::Scanner"), WORK_COMPILER},
    {SPAN("internal::parsing::"), WORK_COMPILER},
    {SPAN("internal::Ast"), WORK_COMPILER},
    {SPAN("internal::DeclarationScope"), WORK_COMPILER},
    {SPAN("OnStackReplacement"), WORK_COMPILER},
    {SPAN("internal::IC::"), WORK_IC},
    {SPAN("LoadIC"), WORK_IC},
    {SPAN("LoadGlobalIC"), WORK_IC},
    {SPAN("LoadPolymorphicIC"), WORK_IC},
    {SPAN("StoreIC"), WORK_IC},
    {SPAN("StoreGlobalIC"), WORK_IC},
    {SPAN("InArrayLiteralIC"), WORK_IC},
    {SPAN("DefineNamedOwnIC"), WORK_IC},
    {SPAN("DefineKeyedOwnIC"), WORK_IC},
    {SPAN("HasIC"), WORK_IC},
    {SPAN("CloneObjectIC"), WORK_IC},
    {SPAN("BinaryOpIC"), WORK_IC},
    {SPAN("CompareIC"), WORK_IC},
    {SPAN("CallIC"), WORK_IC},
    {SPAN("IC:"), WORK_IC},
    {SPAN("BytecodeHandler:"), WORK_RUNTIME},
    {SPAN("Handler:"), WORK_IC},
    {SPAN("JSC-InlineCache:"), WORK_IC},
};

static const struct span names[] = {
    [WORK_RUNTIME] = SPAN("(runtime)"),   [WORK_GC] = SPAN("(garbage collector)"),
    [WORK_COMPILER] = SPAN("(compiler)"), [WORK_REGEXP] = SPAN("(regexp)"),
    [WORK_IC] = SPAN("(inline caches)"),
};

static uint64_t
bit_of(char c)
{
    return (uint64_t)1 << (c & 63); /* the words' characters all have different bits */
}

static uint64_t
characters_of(struct span name)
{
    uint64_t characters = 0;
    for (size_t i = 0; i < name.len; i++)
        characters |= bit_of(name.ptr[i]);
    return characters;
}

/* Return true if the name contains the word. Most names lack one of its characters, and need no
 * search: this saves 10 % of the instructions of stackfilter --node for the recording node-http. */
static bool
has_word(struct span name, uint64_t characters, struct span word)
{
    for (size_t i = 0; i < word.len; i++)
        if (!(characters & bit_of(word.ptr[i])))
            return false;
    return span_holds(name, word);
}

enum v8work
v8work_of(struct span sym)
{
    struct span name = sym;
    if (v8name_form(sym) != V8FORM_BUILTIN) {
        name = cxxname_own(sym);
        if (!span_starts_any(name, own, sizeof own / sizeof *own))
            return WORK_NONE;
    }
    uint64_t characters = characters_of(name);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (has_word(name, characters, words[i].text))
            return words[i].work;
    return WORK_RUNTIME;
}

struct span
v8work_name(enum v8work work)
{
    return names[work];
}
