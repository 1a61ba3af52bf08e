// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Shallow water as Saunders (2014) tells of it, and as measured here. Which schemes there are, and
// their names, is what the program `lamina shallow-water` has.

#include <lamina/core/KernelRecord.hpp>
#include <lamina/core/SolveReport.hpp>

#include <string>
#include <vector>

#include <shallow_water/ShallowWaterTask.hpp>
#include "../PaperTables_Timing.hpp"

namespace Lamina::Paper {

/// Table 3: the time step that has the error asked for, and the order of the errors around it.
struct FlowTimeStep {
  Cli::TimeScheme scheme;
  double time_step = 0, order = 0;
};

/// Table 4: a step, or a Newton iteration of the semi-implicit scheme, and the solves in it.
struct FlowStepParts {
  Cli::TimeScheme scheme;
  MassSolver mass_solver;
  int iterations;  ///< of conjugate gradients in each solve; 0: direct
  Statistic first_solve{}, second_solve{}, step{};  ///< all of u, or of the height; all of v
};

/// Tables 5 and 6: one operator's conjugate gradients.
struct FlowCg {
  const char* name;
  int iterations = 0;  ///< those until nothing is left of the residual, if these are fewer
  Statistic solve{};
  KernelCost cost{};  ///< of an iteration
};

/// Tables 7 to 11: the kernels of a step.
struct FlowKernels {
  std::string title;
  std::vector<KernelRecord> kernels{};
  Statistic step{};
  KernelCost cost{};  ///< of a step, each input read once
};

/// Section 7: a run of a scheme.
struct FlowRun {
  Cli::TimeScheme scheme;
  MassSolver mass_solver;
  double courant_number;  ///< dt / h
  int steps = 0;
  double seconds = 0;
  bool sound = false;
  int newton_iterations = 0, cg_iterations = 0;  ///< most of a step; of a solve in it, rounded up
};

/// Accuracy: the error in time of runs of one length, against a reference of small steps.
struct FlowError {
  Cli::TimeScheme scheme;
  double newton_tolerance;  ///< of the semi-implicit scheme, else 0
  int steps;
  double seconds = 0, error = 0;  ///< the error is not finite where the run broke down
};

/// Cells a side of the parts.
struct FlowSizes {
  int convergence = 512, steps = 2048, cg = 5120, runs = 5120, accuracy = 512;
  static FlowSizes quick() {
    return {.convergence = 128, .steps = 256, .cg = 256, .runs = 256, .accuracy = 128};
  }
};

/// One space.
struct FlowColumn {
  std::string name, device;
  double copy_gb_per_s = 0;
  std::vector<FlowTimeStep> time_steps{};
  std::vector<FlowStepParts> step_parts{};
  std::vector<FlowCg> solves{};
  std::vector<FlowKernels> kernels{};
  std::vector<FlowRun> runs{};
  std::vector<FlowError> errors{};
};

enum class FlowPart { convergence, kernels, runs, accuracy };
inline const Cli::Choices<FlowPart> flow_parts{{"convergence", FlowPart::convergence},
                                               {"kernels", FlowPart::kernels},
                                               {"runs", FlowPart::runs},
                                               {"accuracy", FlowPart::accuracy}};

/// What was asked for on the command line.
struct FlowTableSettings {
  FlowSizes sizes{};
  bool quick = false;
  std::vector<FlowPart> parts{FlowPart::convergence, FlowPart::kernels, FlowPart::runs,
                              FlowPart::accuracy};
  int repetitions = 3;  ///< of which minimum and median are told
  std::string space = "all";
  std::string json{};  ///< empty: none

  bool has(FlowPart part) const {
    for (const FlowPart wanted : parts) {
      if (wanted == part) return true;
    }
    return false;
  }
};

/// All spaces that were asked for.
std::vector<FlowColumn> measure_flows(const FlowTableSettings& settings);

/// The shortest time that a scheme takes to the error asked for, between its measured runs of one
/// tolerance; 0: none of them has it.
double seconds_to(const std::vector<FlowError>& errors, Cli::TimeScheme scheme, double error);

void print_flow_tables(const FlowTableSettings& settings, const std::vector<FlowColumn>& ours);
/// \throws std::runtime_error where the file cannot be written.
void write_flow_json(const FlowTableSettings& settings, const std::vector<FlowColumn>& ours);

}  // namespace Lamina::Paper
