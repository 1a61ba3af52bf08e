// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "helmholtz/HelmholtzFile.hpp"

#include <fmt/format.h>

#include "support/machine/Space.hpp"
#include "support/options/CriteriaOptions.hpp"
#include "support/options/InputError.hpp"
#include "support/output/FileOrigin.hpp"

namespace Lamina::Cli {
namespace {

/// The right-hand side without the folders of its file, which mean nothing elsewhere.
std::string rhs_name(const HelmholtzProblem& problem) {
  return problem.generated_rhs ? problem.rhs
                               : std::filesystem::path(problem.rhs).filename().string();
}

/// The command that repeats the solve.
std::string command_text(const HelmholtzTask& task) {
  const HelmholtzProblem& problem = task.problem;
  return fmt::format(
      "lamina helmholtz --size {} {} {} --omega2 {} --lambda2 {} --depth {} --edge {} --rhs {} "
      "--solver {} {} --space {} --precision {} --layout {}",
      problem.num_x, problem.num_y, problem.num_levels, problem.parameters.omega2,
      problem.parameters.lambda2, problem.depth, name_of(edges, problem.edge), rhs_name(problem),
      name_of(solvers, task.variant.solver), criteria_text(task.criteria), task.variant.space->name,
      name_of(precisions, task.variant.precision), name_of(layouts, task.variant.layout));
}

std::vector<FileAttribute> attributes_of(const HelmholtzTask& task, const HelmholtzResult& result) {
  const HelmholtzProblem& problem = task.problem;
  auto attributes = origin_attributes(
      "Anisotropic elliptic equation in a thin spherical shell, one cubed-sphere panel",
      command_text(task));
  const std::vector<FileAttribute> own{
      {"comment",
       "-omega2 (Lap_2d + lambda2 r^-2 d/dr(r^2 d/dr)) u + u = f; solution holds the cell "
       "averages of u, rhs the cell integrals of f"},
      {"omega2", problem.parameters.omega2},
      {"lambda2", problem.parameters.lambda2},
      {"depth", problem.depth},
      {"edge", std::string(name_of(edges, problem.edge))},
      {"right_hand_side", rhs_name(problem)},
      {"solver", std::string(name_of(solvers, task.variant.solver))},
      {"precision", std::string(name_of(precisions, task.variant.precision))},
  };
  for (const auto& more : {own, outcome_attributes(result)}) {
    attributes.insert(attributes.end(), more.begin(), more.end());
  }
  return attributes;
}

}  // namespace

template <class Scalar>
void write_helmholtz_file(const HelmholtzTask& task, const HelmholtzResult& result,
                          const CubedSpherePanel& panel, const VerticalGrid& grid,
                          const PanelSlab<Scalar>& solution, const PanelSlab<Scalar>& rhs) {
  const std::vector<PanelVariable<Scalar>> variables{
      {"solution", "solution u, average over each cell", "area: mean level: mean", solution},
      {"rhs", "right-hand side f, integral over each cell", "area: sum level: sum", rhs}};
  for_option("--output", [&] {
    write_panel_file(task.output, panel, grid, attributes_of(task, result), variables);
  });
}

void open_right_hand_side(HelmholtzProblem& problem) {
  if (problem.generated_rhs) return;
  const CubedSpherePanel panel(problem.num_x, problem.num_y);
  for_option("--rhs", [&] {
    problem.rhs_file =
        std::make_shared<const PanelReader>(problem.rhs, "rhs", panel, problem.num_levels);
  });
}

void read_right_hand_side_slabs(const HelmholtzProblem& problem, const PanelBlock& block,
                                const PanelSlab<const double>& slab) {
  for_option("--rhs", [&] { problem.rhs_file->read(block, slab); });
}

template void write_helmholtz_file<float>(const HelmholtzTask&, const HelmholtzResult&,
                                          const CubedSpherePanel&, const VerticalGrid&,
                                          const PanelSlab<float>&, const PanelSlab<float>&);
template void write_helmholtz_file<double>(const HelmholtzTask&, const HelmholtzResult&,
                                           const CubedSpherePanel&, const VerticalGrid&,
                                           const PanelSlab<double>&, const PanelSlab<double>&);

}  // namespace Lamina::Cli
