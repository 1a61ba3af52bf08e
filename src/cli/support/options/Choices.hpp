// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/problems/RightHandSide.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace Lamina::Cli {

/// `mixed`: iterations in single, the solution in double precision.
enum class Precision { single_precision, double_precision, mixed };
enum class Layout { left, right };
enum class Solver { fused_pcg, fused_pcg_stored, pcg, csr_pcg, multigrid_pcg, multigrid };

/// A value of an option under the name that it has on the command line and in files.
template <class Value>
struct Choice {
  std::string_view name;
  Value value;
};
template <class Value>
using Choices = std::vector<Choice<Value>>;

inline const Choices<Precision> precisions{{"single", Precision::single_precision},
                                           {"double", Precision::double_precision},
                                           {"mixed", Precision::mixed}};
inline const Choices<Layout> layouts{{"left", Layout::left}, {"right", Layout::right}};
inline const Choices<Solver> solvers{{"fused-pcg", Solver::fused_pcg},
                                     {"fused-pcg-stored", Solver::fused_pcg_stored},
                                     {"pcg", Solver::pcg},
                                     {"csr-pcg", Solver::csr_pcg},
                                     {"multigrid-pcg", Solver::multigrid_pcg},
                                     {"multigrid", Solver::multigrid}};
inline const Choices<PanelEdge> edges{{"zero-flux", PanelEdge::zero_flux},
                                      {"dirichlet", PanelEdge::dirichlet}};
inline const Choices<RightHandSide> right_hand_sides{{"const", RightHandSide::constant},
                                                     {"smooth", RightHandSide::smooth},
                                                     {"rough", RightHandSide::rough}};

inline bool is_multigrid(Solver solver) {
  return solver == Solver::multigrid || solver == Solver::multigrid_pcg;
}
/// Whether the solver is there in the precision.
inline bool offers(Solver solver, Precision precision) {
  return precision != Precision::mixed || solver == Solver::fused_pcg || is_multigrid(solver);
}

template <class Value>
std::string_view name_of(const Choices<Value>& choices, Value value) {
  for (const auto& choice : choices) {
    if (choice.value == value) return choice.name;
  }
  return "unknown";
}

/// "left|right", as help and error messages list them.
template <class Value>
std::string list_names(const Choices<Value>& choices) {
  std::string text;
  for (const auto& choice : choices) {
    if (!text.empty()) text += '|';
    text += choice.name;
  }
  return text;
}

/// The values to run through: the one that was asked for, or all.
template <class Value>
std::vector<Value> selected(const std::optional<Value>& wanted, const Choices<Value>& choices) {
  if (wanted) return {*wanted};
  std::vector<Value> all;
  for (const auto& choice : choices) all.push_back(choice.value);
  return all;
}

}  // namespace Lamina::Cli
