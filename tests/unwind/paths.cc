// Takes time in spin(), to which known functions lead: through std::sort, and after an exception.
#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#define PLAIN __attribute__((noinline))
#define AFTER_CALL __asm__ volatile("" ::: "memory")

static volatile unsigned long sink;

PLAIN void spin(unsigned long rounds)
{
    for (unsigned long i = 0; i < rounds * 1000; i++)
        sink = sink + i;
}

struct Item {
    std::string name;
};

PLAIN bool before(const Item &a, const Item &b)
{
    spin(20);
    AFTER_CALL;
    return a.name < b.name;
}

PLAIN void descend(int depth, std::vector<Item> &items)
{
    if (depth > 1)
        descend(depth - 1, items);
    else
        std::sort(items.begin(), items.end(), before);
    AFTER_CALL;
}

PLAIN void throws(int depth)
{
    std::string held(100, 'x');
    if (depth == 0)
        throw std::runtime_error(held);
    throws(depth - 1);
    AFTER_CALL;
}

PLAIN void caught()
{
    spin(2000);
    AFTER_CALL;
}

PLAIN void catches()
{
    try {
        throws(10);
    } catch (const std::exception &) {
        caught();
    }
}

int main(int argc, char **argv)
{
    if (argc == 2 && std::strcmp(argv[1], "exceptions") == 0) {
        for (int i = 0; i < 100; i++)
            catches();
        return 0;
    }
    std::vector<Item> items;
    for (int i = 0; i < 1000; i++)
        items.push_back({std::to_string(i * 7919 % 1000)});
    descend(7, items);
    return 0;
}
