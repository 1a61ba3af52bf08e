// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/grids/Rectangle.hpp>
#include <lamina/shallow_water/SemiImplicit.hpp>
#include <lamina/shallow_water/StateFault.hpp>
#include <lamina/shallow_water/VelocityMass.hpp>
#include <lamina/shallow_water/WaterBasin.hpp>
#include <lamina/shallow_water/WaterStrip.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "support/SolveResult.hpp"
#include "support/options/Choices.hpp"
#include "support/ranks/RankGrid.hpp"

namespace Lamina {
class NetcdfReader;
}  // namespace Lamina

namespace Lamina::Cli {

class Progress;
struct Space;

enum class TimeScheme { leapfrog, rk3, semi_implicit };
enum class InitialState { vortex, depression };
enum class BottomShape { flat, mountain };

/// There are no iterations of mixed precision.
inline const Choices<Precision> shallow_water_precisions{{"single", Precision::single_precision},
                                                         {"double", Precision::double_precision}};
inline const Choices<TimeScheme> time_schemes{{"leapfrog", TimeScheme::leapfrog},
                                              {"rk3", TimeScheme::rk3},
                                              {"semi-implicit", TimeScheme::semi_implicit}};
inline const Choices<InitialState> initial_states{{"vortex", InitialState::vortex},
                                                  {"depression", InitialState::depression}};
inline const Choices<BottomShape> bottom_shapes{{"flat", BottomShape::flat},
                                                {"mountain", BottomShape::mountain}};
inline const Choices<WaterSides> water_sides{{"periodic", WaterSides::periodic},
                                             {"walls", WaterSides::walls}};
inline const Choices<MassSolver> mass_solvers{{"direct", MassSolver::direct},
                                              {"cg", MassSolver::cg}};
inline const Choices<ReferenceHeight> reference_heights{{"current", ReferenceHeight::current},
                                                        {"one", ReferenceHeight::one}};

inline const Choices<CgPreconditioner> cg_preconditioners{
    {"none", CgPreconditioner::none}, {"multigrid", CgPreconditioner::multigrid}};

/// What is integrated, and how far.
struct ShallowWaterProblem {
  Rectangle size = Rectangle::square(256);  ///< cells
  WaterSides sides = WaterSides::periodic;  ///< in the south and in the north
  std::string bottom = "flat";              ///< as on the command line
  std::optional<BottomShape> generated_bottom = BottomShape::flat;  ///< none: `bottom` is a file
  std::shared_ptr<const NetcdfReader> bottom_file{};  ///< open and checked; none in a restart
  std::string bottom_variable{};                      ///< of that file
  double coriolis = 0.3;                              ///< in the middle of a channel
  double beta = 0;                                    ///< its change along y, between walls
  double viscosity = 0;
  std::string initial = "vortex";                      ///< as on the command line
  std::optional<InitialState> generated_initial;       ///< none: `initial` is a file
  std::shared_ptr<const NetcdfReader> initial_file{};  ///< open and checked, where it is one
  std::array<double, 2> velocity{};                    ///< a uniform flow that is added
  double time_step = 0;
  int num_steps = 0;  ///< from time 0 on
  double until = 0.1;

  std::int64_t num_cells() const { return std::int64_t{size.nx} * size.ny; }
  /// Infinite without viscosity.
  /// \param leaps  of a step of leapfrog
  double longest_viscous_step(bool leaps) const {
    const double number = WaterBasin<double, Kokkos::HostSpace>::largest_diffusion_number;
    // No product, which may be infinite.
    return (leaps ? number / 2 : number) / size.nx / size.nx / viscosity;
  }
  bool has_bottom() const { return generated_bottom != BottomShape::flat; }
  /// f at the corners of line j.
  double coriolis_at(int j) const { return coriolis + beta * (j - 0.5 * size.ny) / size.nx; }
};

/// What the schemes solve their systems by, and how well.
struct ShallowWaterSystems {
  MassSolver mass_solver = MassSolver::direct;
  double mass_tolerance = 1e-4;
  ReferenceHeight phi_star = ReferenceHeight::current;
  CgPreconditioner cg_preconditioner = CgPreconditioner::none;
  double newton_tolerance = 1e-4, cg_tolerance = 1e-4;
  int newton_iterations = 0, cg_iterations = 0;  ///< exactly so many; 0: to the tolerance
};

/// How and where it is solved.
struct ShallowWaterVariant {
  const Space* space = nullptr;
  Precision precision = Precision::double_precision;  ///< single or double
  TimeScheme scheme = TimeScheme::rk3;
  RankGrid rank_grid{};  ///< strips of lines j
};

/// Sums over the domain, with the factor h^2, and what tells of the stability of a state.
struct StateDiagnostics {
  int step = 0;
  double time = 0;
  double mass = 0, energy = 0, potential_enstrophy = 0, circulation = 0;
  double courant_number = 0;  ///< (max |u| + max |v|) dt / h
};

/// One run.
struct ShallowWaterTask {
  ShallowWaterProblem problem;
  ShallowWaterVariant variant{};
  ShallowWaterSystems systems{};
  int diagnostics_every = 20;
  bool with_series = false;                    ///< diagnostics are asked for, not only checked
  int output_every = 0, checkpoint_every = 0;  ///< steps; 0: none but the last
  std::filesystem::path output{}, checkpoint{}, restart{};  ///< empty: none
  std::shared_ptr<const NetcdfReader> restart_file{};  ///< open and checked, where there is one
  std::function<void()> on_ready{};                    ///< called when the set-up is complete
  std::function<void(int first_step)> on_start{};  ///< then, before the first step; may be empty
  std::function<void(int step)> on_step{};         ///< after each step; may be empty
  std::function<void(const StateDiagnostics&)> on_series{};  ///< may be empty
};

/// When and where a state is no longer one.
struct BadCell {
  int step;
  double time;
  StateFault fault;
};

/// What came of it, with the error of `Vortex`.
struct ShallowWaterResult : SolveResult {
  int first_step = 0;  ///< of a restart
  bool checkpoint_written = false;
  StateDiagnostics start, end;
  std::vector<StateDiagnostics> series;  ///< where asked for
  std::optional<BadCell> bad_cell;
  /// Of all steps: `newton` and `cg` are those of semi-implicit, `mass` of mass solves by CG.
  std::int64_t newton_iterations = 0, cg_iterations = 0, mass_iterations = 0;
  int unconverged_steps = 0;  ///< taken with what the largest number of iterations reached
};

/// Solves on an execution space; instantiated by ShallowWaterSolve.cpp.in.
template <ExecutionSpace Execution>
ShallowWaterResult solve_on(const Execution& space, const ShallowWaterTask& task);

/// Lets the task show its progress under the title; `task` must stay where it is.
void watch(ShallowWaterTask& task, Progress& progress, const std::string& title);

}  // namespace Lamina::Cli
