// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What the command lines of all tables have in common.

#include <limits>
#include <string>

#include "../support/Measure.hpp"
#include "../support/Program.hpp"
#include "PaperTables_Machine.hpp"

namespace Lamina::Paper {

template <class Settings>
using Setters = Perf::Setters<Settings>;

/// "all", or the name of an enabled space.
inline std::string space_value(const std::string& option, Perf::OptionValues& values) {
  const std::string space = values.text(option);
  std::string known = "all";
  bool is_known = space == "all";
  for_each_space("all", [&]<class Space>() {
    known += ", " + option_name<Space>();
    is_known = is_known || space == option_name<Space>();
  });
  if (!is_known) {
    throw Perf::BadOption(option + ": expected one of " + known + ", got " + space);
  }
  return space;
}

/// The setters of a program, and those that all tables have.
template <class Settings>
Setters<Settings> with_common(Setters<Settings> setters) {
  constexpr int most = std::numeric_limits<int>::max();
  setters["--space"] = [](auto& s, const auto& o, auto& v) { s.space = space_value(o, v); };
  setters["--repetitions"] = [](auto& s, const auto& o, auto& v) {
    s.repetitions = v.number(o, 1, most);
  };
  setters["--tiny"] = [](auto&, const auto&, auto&) { Perf::tiny_run() = true; };
  setters["--json"] = [](auto& s, const auto& o, auto& v) { s.json = v.text(o); };
  return setters;
}

}  // namespace Lamina::Paper
