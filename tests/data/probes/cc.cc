// As c.c.
#include <cstdio>
#include <string>

#define FUNCTION __attribute__((noinline))
#define KEEP(x) __asm__ volatile("" : : "g"(x) : "memory")

namespace shop {

enum class color : unsigned char { red = 1, blue = 200 };

struct base {
    int number;
};

struct item : base {
    std::string title;
    item *next = nullptr;
    FUNCTION int price(int factor) const { KEEP(factor); return number * factor; }
    FUNCTION bool operator()(bool yes) const { KEEP(yes); return !yes; }
};

FUNCTION int by_reference(const int &n, const item &i) { KEEP(&i); return n + i.number; }
FUNCTION color paint(color c) { KEEP(c); return c; }
template <typename T> FUNCTION T twice(T n) { KEEP(n); return n + n; }
FUNCTION const char *title(item *i) { KEEP(i); return i->title.c_str(); }
FUNCTION int pair(struct std::pair<int, int> p) { KEEP(p.first); return p.first - p.second; }

}

int main()
{
    shop::item second{{2}, "the second"};
    shop::item first{{21}, "a title that is too long for a small string", &second};
    printf("shop::item::price number=21 factor=3\n");
    printf("shop::item::price retval=%d\n", first.price(3));
    printf("shop::item::operator() yes=1\n");
    printf("shop::item::operator() retval=%d\n", first(true));
    printf("shop::by_reference n=9 number=21 number_2=2\n");
    printf("shop::by_reference retval=%d\n", shop::by_reference(9, first));
    printf("shop::paint c=200\n");
    printf("shop::paint retval=%d\n", (int)shop::paint(shop::color::blue));
    printf("shop::twice<long> n=-7\n");
    printf("shop::twice<long> retval=%ld\n", shop::twice(-7L));
    printf("shop::title title=\"%s\"\n", first.title.c_str());
    printf("shop::title retval=\"%s\"\n", shop::title(&first));
    printf("shop::pair first=6 second=4\n");
    printf("shop::pair retval=%d\n", shop::pair({6, 4}));
}
