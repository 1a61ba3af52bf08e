// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cstdint>
#include <limits>
#include <map>
#include <string>

#include "PaperTables_Helmholtz.hpp"
#include "../PaperTables_Options.hpp"

namespace Lamina::Paper {
namespace {

using Perf::OptionValues;

/// Smaller problems are solved exactly, or nearly, before the 100 iterations are done.
constexpr int smallest_extent = 16;
constexpr int most = std::numeric_limits<int>::max();

void set_size(Settings& settings, const std::string& option, OptionValues& values) {
  auto& size = settings.size;
  for (int* extent : {&size.num_x, &size.num_y, &size.num_levels}) {
    *extent = values.number(option, smallest_extent, most);
  }
}
void set_sizes(Settings& settings, const std::string& option, OptionValues& values) {
  constexpr std::int64_t most_unknowns = std::int64_t(1) << 62;
  settings.first_size = static_cast<double>(values.number<std::int64_t>(option, 1, most_unknowns));
  settings.last_size = static_cast<double>(values.number<std::int64_t>(option, 1, most_unknowns));
}
const std::map<std::string, Setter<Settings>>& setters() {
  static const std::map<std::string, Setter<Settings>> map{
      {"--size", set_size},
      {"--sizes", set_sizes},
      {"--space", [](Settings& s, const auto& o, auto& v) { s.space = space_value(o, v); }},
      {"--without-c", [](Settings& s, const auto&, auto&) { s.with_c = false; }},
      {"--without-sizes", [](Settings& s, const auto&, auto&) { s.with_sizes = false; }},
      {"--repetitions",
       [](Settings& s, const auto& o, auto& v) { s.repetitions = v.number(o, 1, most); }},
      {"--iterations",
       [](Settings& s, const auto& o, auto& v) { s.iterations = v.number(o, 1, most); }},
      {"--json", [](Settings& s, const auto& o, auto& v) { s.json = v.text(o); }}};
  return map;
}

}  // namespace

std::optional<Settings> parse(int argc, char* argv[]) {
  return parse_options(argc, argv, setters());
}

}  // namespace Lamina::Paper
