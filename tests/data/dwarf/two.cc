#include <memory>
#include <numeric>
#include <vector>

struct shape {
    virtual ~shape() {}
    virtual int area(int) const = 0;
};

struct flat : shape {
    int area(int x) const override { return x * x; }
};

template <int N> struct nested {
    static int add(int x) { return nested<N - 1>::add(x * N) + 1; }
};
template <> struct nested<0> {
    static int add(int x) { return x; }
};

int other(int i)
{
    std::vector<int> v(i + 3);
    std::iota(v.begin(), v.end(), i);
    std::unique_ptr<shape> p(new flat);
    return std::accumulate(v.begin(), v.end(), p->area(i)) + nested<5>::add(i);
}
