/* The operators of C++, sorted by their codes. */
#include "common/demangle/cxx_tree.h"

const struct cxx_operator cxx_operators[] = {
    {"aN", 2, SPAN("&=")},
    {"aS", 2, SPAN("=")},
    {"aa", 2, SPAN("&&")},
    {"ad", 1, SPAN("&")},
    {"an", 2, SPAN("&")},
    {"at", 1, SPAN("alignof ")},
    {"aw", 1, SPAN("co_await ")},
    {"az", 1, SPAN("alignof ")},
    {"cc", 2, SPAN("const_cast")},
    {"cl", 2, SPAN("()")},
    {"cm", 2, SPAN(",")},
    {"co", 1, SPAN("~")},
    {"dV", 2, SPAN("/=")},
    {"dX", 3, SPAN("[...]=")},
    {"da", 1, SPAN("delete[] ")},
    {"dc", 2, SPAN("dynamic_cast")},
    {"de", 1, SPAN("*")},
    {"di", 2, SPAN("=")},
    {"dl", 1, SPAN("delete ")},
    {"ds", 2, SPAN(".*")},
    {"dt", 2, SPAN(".")},
    {"dv", 2, SPAN("/")},
    {"dx", 2, SPAN("]=")},
    {"eO", 2, SPAN("^=")},
    {"eo", 2, SPAN("^")},
    {"eq", 2, SPAN("==")},
    {"fL", 3, SPAN("...")},
    {"fR", 3, SPAN("...")},
    {"fl", 2, SPAN("...")},
    {"fr", 2, SPAN("...")},
    {"ge", 2, SPAN(">=")},
    {"gs", 1, SPAN("::")},
    {"gt", 2, SPAN(">")},
    {"ix", 2, SPAN("[]")},
    {"lS", 2, SPAN("<<=")},
    {"le", 2, SPAN("<=")},
    {"li", 1, SPAN("operator\"\" ")},
    {"ls", 2, SPAN("<<")},
    {"lt", 2, SPAN("<")},
    {"mI", 2, SPAN("-=")},
    {"mL", 2, SPAN("*=")},
    {"mi", 2, SPAN("-")},
    {"ml", 2, SPAN("*")},
    {"mm", 1, SPAN("--")},
    {"na", 3, SPAN("new[]")},
    {"ne", 2, SPAN("!=")},
    {"ng", 1, SPAN("-")},
    {"nt", 1, SPAN("!")},
    {"nw", 3, SPAN("new")},
    {"oR", 2, SPAN("|=")},
    {"oo", 2, SPAN("||")},
    {"or", 2, SPAN("|")},
    {"pL", 2, SPAN("+=")},
    {"pl", 2, SPAN("+")},
    {"pm", 2, SPAN("->*")},
    {"pp", 1, SPAN("++")},
    {"ps", 1, SPAN("+")},
    {"pt", 2, SPAN("->")},
    {"qu", 3, SPAN("?")},
    {"rM", 2, SPAN("%=")},
    {"rS", 2, SPAN(">>=")},
    {"rc", 2, SPAN("reinterpret_cast")},
    {"rm", 2, SPAN("%")},
    {"rs", 2, SPAN(">>")},
    {"sP", 1, SPAN("sizeof...")},
    {"sZ", 1, SPAN("sizeof...")},
    {"sc", 2, SPAN("static_cast")},
    {"ss", 2, SPAN("<=>")},
    {"st", 1, SPAN("sizeof ")},
    {"sz", 1, SPAN("sizeof ")},
    {"tr", 0, SPAN("throw")},
    {"tw", 1, SPAN("throw ")},
};

long
cxx_find_operator(char first, char second)
{
    size_t low = 0, high = sizeof cxx_operators / sizeof *cxx_operators;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *code = cxx_operators[middle].code;
        if (code[0] == first && code[1] == second)
            return (long)middle;
        if (code[0] < first || (code[0] == first && code[1] < second))
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}
