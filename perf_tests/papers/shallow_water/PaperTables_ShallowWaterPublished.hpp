// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Numbers of Saunders (2014), Tesla M2090 with copy bandwidth of 177 GB/s as its data sheet has it.

#include <array>

#include "PaperTables_ShallowWater.hpp"

namespace Lamina::Paper {

/// Table 3: 512 x 512 cells, t = 0.03, error of the height in time 2^-25.
struct PublishedTimeStep {
  Cli::TimeScheme scheme;
  double time_step;
};
inline constexpr std::array<PublishedTimeStep, 3> published_time_steps{
    {{Cli::TimeScheme::leapfrog, 4.70e-5},
     {Cli::TimeScheme::rk3, 1.69e-4},
     {Cli::TimeScheme::semi_implicit, 6.64e-5}}};
inline constexpr double published_end = 0.03, published_error = 1.0 / (1 << 25);

/// Table 4: milliseconds on 2048 x 2048 cells, dt = 1/20480.
struct PublishedStepParts {
  Cli::TimeScheme scheme;
  int iterations;
  double first_solve, second_solve, rest;
};
inline constexpr std::array<PublishedStepParts, 3> published_step_parts{
    {{Cli::TimeScheme::leapfrog, 3, 14.95, 15.08, 9.00},
     {Cli::TimeScheme::rk3, 3, 44.85, 45.24, 54.88},
     {Cli::TimeScheme::semi_implicit, 2, 10.72, 0, 19.76}}};

/// Tables 5 and 6: fields of an iteration, and seconds of 200 on 5120 x 5120 cells.
struct PublishedCg {
  const char* name;
  int reads, writes, flops;
  double seconds, gflop_per_s, gb_per_s;
};
inline constexpr std::array<PublishedCg, 3> published_solves_of_flow{
    {{"shifted Laplace", 11, 4, 19, 5.61, 17.76, 104.45},
     {"mass of u", 11, 4, 15, 5.53, 14.22, 105.96},
     {"mass of v", 11, 4, 15, 5.56, 14.14, 105.38}}};
inline constexpr int published_cg_iterations = 200;

/// Tables 7 to 11: kernels on 2048 x 2048 cells. Fields and bandwidth as counted there, or where no
/// fields are counted, as the profiler has it.
struct PublishedKernel {
  const char *table, *name, *what;
  double milliseconds;
  int reads, writes;
  double gb_per_s;
};
inline constexpr std::array<PublishedKernel, 18> published_kernels{
    {{"7", "helm_op", "A p, shifted Laplace", 0.821, 0, 0, 143.22},
     {"7", "mmu_kernel", "A p, mass of u", 0.762, 0, 0, 142.90},
     {"7", "mmv_kernel", "A p, mass of v", 0.804, 0, 0, 142.99},
     {"7", "strip_halo", "for scalar products", 0.007, 0, 0, 52.59},
     {"7", "dot_kernel", "scalar product", 0.442, 0, 0, 148.57},
     {"7", "axpy_kernel_val", "x += alpha p", 0.806, 0, 0, 153.26},
     {"7", "axpy", "p = r + beta p", 0.877, 0, 0, 148.73},
     {"8, 9", "q_n_fun", "F of the height, q", 2.272, 3, 2, 68.77},
     {"8, 9", "u_v_fun", "F of the velocity", 3.632, 4, 2, 51.63},
     {"10, 11", "q_func", "q", 1.755, 3, 1, 71.23},
     {"10, 11", "F_u_v_func", "fluxes", 2.706, 4, 2, 69.29},
     {"10, 11", "e_fun", "energy", 1.374, 3, 1, 90.97},
     {"10, 11", "ta_ker", "average over time", 0.880, 2, 1, 106.53},
     {"10, 11", "phi_residual", "residual of the height", 3.019, 6, 1, 72.46},
     {"10, 11", "U_residual", "residual of u", 1.875, 4, 1, 83.34},
     {"10, 11", "V_residual", "residual of v", 1.916, 4, 1, 81.55},
     {"10, 11", "vel_inc", "correction of u and v", 2.487, 3, 2, 62.83},
     {"10, 11", "daapb", "a += b", 0.873, 2, 1, 107.39}}};

/// Section 7: to t = 0.01 on 5120 x 5120 cells with 4 GPUs.
struct PublishedRun {
  Cli::TimeScheme scheme;
  double courant_number;
  int steps;
  double seconds;
  int newton_iterations, cg_iterations;
};
inline constexpr std::array<PublishedRun, 13> published_runs{
    {{Cli::TimeScheme::leapfrog, 0.1, 512, 33.83, 0, 3},
     {Cli::TimeScheme::leapfrog, 0.2, 256, 16.91, 0, 3},
     {Cli::TimeScheme::rk3, 0.1, 512, 133.44, 0, 3},
     {Cli::TimeScheme::rk3, 0.2, 256, 66.72, 0, 3},
     {Cli::TimeScheme::rk3, 0.3, 171, 44.51, 0, 3},
     {Cli::TimeScheme::rk3, 0.4, 128, 31.01, 0, 3},
     {Cli::TimeScheme::semi_implicit, 0.1, 512, 48.51, 3, 2},
     {Cli::TimeScheme::semi_implicit, 0.2, 256, 24.25, 3, 2},
     {Cli::TimeScheme::semi_implicit, 0.3, 171, 16.14, 3, 2},
     {Cli::TimeScheme::semi_implicit, 0.4, 128, 12.31, 4, 3},
     {Cli::TimeScheme::semi_implicit, 0.6, 86, 8.68, 5, 4},
     {Cli::TimeScheme::semi_implicit, 0.8, 64, 6.64, 5, 4},
     {Cli::TimeScheme::semi_implicit, 1.6, 32, 3.80, 7, 6}}};
inline constexpr double published_run_end = 0.01;
/// Tolerances of tables 4 and of section 7.
inline constexpr double published_mass_tolerance = 0.1, published_newton_tolerance = 0.1,
                        published_cg_tolerance = 0.01;

}  // namespace Lamina::Paper
