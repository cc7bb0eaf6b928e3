// C++ whose symbols are hard to read apart: templates, lambdas, operators, an anonymous namespace.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <vector>

#define NOINLINE __attribute__((noinline))

namespace {

struct point {
    double x, y;
    NOINLINE bool operator<(const point &other) const { return norm() < other.norm(); }
    NOINLINE double operator()(int power) const { return std::pow(x, power) + std::pow(y, power); }
    double norm() const { return std::sqrt(x * x + y * y); }
};

template <typename T, int N> struct grid {
    T cells[N][N];
    NOINLINE void fill(const std::function<T(int, int)> &make)
    {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                cells[i][j] = make(i, j);
    }
    NOINLINE T *operator->() { return &cells[0][0]; }
};

NOINLINE double
total(const std::vector<point> &points, double (*weigh)(const point &))
{
    double sum = 0;
    for (const point &p : points)
        sum += weigh(p) + p(3);
    return sum;
}

} // namespace

namespace shapes {

template <typename Map> NOINLINE void
count(Map &words, const std::string &word)
{
    words[word]++;
}

} // namespace shapes

int
main()
{
    static grid<point, 64> board;
    std::map<std::string, int> words;
    double sum = 0;
    for (int round = 0; round < 400; round++) {
        board.fill([round](int i, int j) { return point{i * 0.5 + round, std::sin(j)}; });
        std::vector<point> points(&board.cells[0][0], &board.cells[0][0] + 64 * 64);
        std::sort(points.begin(), points.end());
        sum += total(points, [](const point &p) { return std::exp(-p.norm()); }) + board->x;
        for (const point &p : points)
            shapes::count(words, std::to_string(static_cast<int>(p.x)));
    }
    std::printf("%g %zu\n", sum, words.size());
    return 0;
}
