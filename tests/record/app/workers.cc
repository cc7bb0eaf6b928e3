// usage: workers THREADS SECONDS
//
// Keeps threads busy in functions with long names: templates, lambdas, an anonymous namespace.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#define NOINLINE __attribute__((noinline))

namespace {

std::chrono::steady_clock::time_point end;

template <typename T, int N> struct board {
    std::vector<T> cells = std::vector<T>(N);
    NOINLINE void fill(const std::function<T(int)> &make)
    {
        for (int i = 0; i < N; i++)
            cells[i] = make(i);
    }
};

template <typename Map> NOINLINE void count(Map &words, const std::string &word)
{
    words[word]++;
}

NOINLINE void work(int seed)
{
    board<double, 4096> numbers;
    std::map<std::string, int> words;
    while (std::chrono::steady_clock::now() < end) {
        numbers.fill([seed](int i) { return std::sin(i * seed); });
        std::sort(numbers.cells.begin(), numbers.cells.end(), [](double a, double b) { return a * a < b * b; });
        for (int i = 0; i < 4096; i += 4)
            count(words, std::to_string(numbers.cells[i]).substr(0, 4));
    }
}

} // namespace

int main(int argc, char **argv)
{
    end = std::chrono::steady_clock::now() + std::chrono::seconds(argc > 2 ? atoi(argv[2]) : 1);
    std::vector<std::thread> threads;
    for (int i = 1; argc > 1 && i <= atoi(argv[1]); i++)
        threads.emplace_back(work, i);
    for (std::thread &t : threads)
        t.join();
}
