#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

int other(int);

namespace {
template <typename T> struct box {
    T value;
    T twice() const { return value + value; }
};

inline __attribute__((always_inline)) int square(volatile int *p) { return *p * *p; }
}

int main(int argc, char **argv)
{
    std::map<std::string, int> seen;
    for (int i = 0; i < argc * 100; i++) {
        std::string s = std::to_string(i);
        seen[s] = other(i) + box<int>{i}.twice();
    }
    std::vector<int> v;
    for (auto &each : seen)
        v.push_back(each.second);
    std::sort(v.begin(), v.end(), [](int a, int b) { return a * 3 % 7 < b * 3 % 7; });
    volatile int first = v[0];
    std::function<int(int)> add = [&](int n) { return square(&first) + n; };
    return add(3) == 0;
}
