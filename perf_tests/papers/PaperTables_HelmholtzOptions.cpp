// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/impl/Instantiate.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>

#include "../support/OptionValues.hpp"
#include "PaperTables_Helmholtz.hpp"
#include "PaperTables_HelmholtzMachine.hpp"

namespace Lamina::Paper {
namespace {

using Perf::OptionValues;

/// Smaller problems are solved exactly, or nearly, before the 100 iterations are done.
constexpr int smallest_extent = 16;
constexpr int most = std::numeric_limits<int>::max();

/// Sets what the option, by its name, asks for.
using Setter = std::function<void(Settings& settings, const std::string& option, OptionValues&)>;

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
void set_space(Settings& settings, const std::string& option, OptionValues& values) {
  settings.space = values.text(option);
  std::string known = "all";
  bool is_known = settings.space == "all";
#define LAMINA_COMPARE(Space)           \
  known += ", " + option_name<Space>(); \
  is_known = is_known || settings.space == option_name<Space>();
  LAMINA_FOR_EACH_SPACE(LAMINA_COMPARE)
#undef LAMINA_COMPARE
  if (!is_known) {
    throw Perf::BadOption(option + ": expected one of " + known + ", got " + settings.space);
  }
}

const std::map<std::string, Setter>& setters() {
  static const std::map<std::string, Setter> map{
      {"--size", set_size},
      {"--sizes", set_sizes},
      {"--space", set_space},
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
  Settings settings;
  OptionValues values(argc, argv);
  while (const char* next = values.next_option()) {
    const std::string option = next;
    if (option == "--help") return std::nullopt;
    if (option.compare(0, 9, "--kokkos-") == 0) continue;
    const auto setter = setters().find(option);
    if (setter == setters().end()) throw Perf::BadOption("unknown option " + option);
    setter->second(settings, option, values);
  }
  return settings;
}

}  // namespace Lamina::Paper
