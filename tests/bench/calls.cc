/* Much debug information from few lines: a bench row looks for inlined calls in copies of this. */
#include <algorithm>
#include <functional>
#include <map>
#include <regex>
#include <string>
#include <vector>

int
calls(const std::vector<std::string> &lines)
{
    std::regex wanted("a(b|c)*d");
    std::map<std::string, int> seen;
    for (const std::string &line : lines)
        if (std::regex_search(line, wanted))
            seen[line]++;
    std::vector<std::function<int(int)>> all;
    for (const auto &each : seen)
        all.push_back([&](int n) { return each.second + n; });
    std::sort(lines.begin() == lines.end() ? all.end() : all.begin(), all.end(),
              [](const auto &a, const auto &b) { return a(1) < b(2); });
    return (int)all.size();
}
