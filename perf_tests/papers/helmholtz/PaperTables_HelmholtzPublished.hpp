// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The numbers of Müller et al. (2013). Only what their text and tables say: nothing is read off the
// curves of their figures.

#include <array>

#include "PaperTables_Helmholtz.hpp"

namespace Lamina::Paper {

constexpr Statistic ms(double value) { return {value * 1e-3, value * 1e-3}; }

/// The C program on one core of a Xeon E5-2620 (2.0 GHz), 256 x 256 x 128.
inline const Column paper_c{.name = "paper C",
                            .layout = "LayoutRight",
                            .device = "Intel Xeon E5-2620, one core",
                            .is_baseline = true,
                            .times = {{{{{ms(170.6), ms(205.3), ms(410.8), 0.55, 0, 43.72},
                                         {ms(78.5), ms(252.6), ms(376.3), 0, 0, 37.00},
                                         {ms(129.9), ms(253.1), ms(370.6), 0, 0, 37.39}}},
                                       {{{ms(182.2), ms(249.7), ms(494.6), 0.72, 0, 50.50},
                                         {ms(80.7), ms(350.4), ms(491.5), 0, 0, 49.37},
                                         {ms(132.3), ms(351.3), ms(453.4), 0, 0, 45.78}}}}}};

/// CUDA C on an M2090, 256 x 256 x 128.
inline const Column paper_cuda{.name = "paper CUDA",
                               .layout = "LayoutLeft",
                               .device = "NVIDIA Tesla M2090",
                               .times = {{{{{ms(6.91), ms(12.50), ms(23.5), 0.15, 0.047, 2.54},
                                            {ms(0.75), ms(2.40), ms(8.1), 0, 0.047, 0.87},
                                            {ms(2.16), ms(3.34), ms(5.6), 0, 0.047, 0.62}}},
                                          {{{ms(10.91), ms(23.20), ms(41.4), 0.16, 0.073, 4.41},
                                            {ms(1.41), ms(3.75), ms(13.9), 0, 0.073, 1.48},
                                            {ms(3.86), ms(4.86), ms(8.8), 0, 0.073, 0.96}}}}}};

/// Of a kernel on the M2090, from its profiler (table 7).
struct Profile {
  double gflop_per_s, load_gb_per_s;          ///< the latter from memory, without stores
  double load_efficiency, hit_rate_of_cache;  ///< percent; the cache is L1
};
struct KernelProfiles {
  Profile apply, precondition;
};
inline constexpr ByRow<KernelProfiles> paper_profiles{
    {{{{},
       {{223.7, 50.73, 86.2, 76.7}, {45.4, 38.41, 99.9, 40.4}},
       {{108.7, 64.67, 88.8, 56.5}, {47.7, 46.16, 99.6, 33.6}}}},
     {{{},
       {{119.0, 79.07, 85, 74.0}, {29.1, 49.35, 99.7, 40.1}},
       {{60.9, 78.97, 88.0, 57.5}, {32.8, 64.58, 99.8, 33.1}}}}}};

/// "The total solution time can be reduced by a factor of around four" with multigrid, on the CPU (section 7.4.1).
inline constexpr double paper_multigrid_factor = 4;

struct Range {
  double from, to;
};

/// Figures 6 and 7, as section 7.5 tells them: 2.1e6 to 1.3e8 unknowns, 128 levels.
inline constexpr Range paper_sizes{0x1p21, 0x1p27};
/// "Virtually independent of the problem size", interleaved form.
inline constexpr std::array<Range, num_precisions> paper_gflop_per_s{{{70, 80}, {40, 50}}};
/// Of an iteration (table 2).
inline constexpr double paper_flops_per_cell = 47;
/// "25 % - 50 % of the peak value could be achieved", rising slightly with the size: DRAM reads.
inline constexpr Range paper_fraction_of_peak{0.25, 0.50};
inline constexpr double paper_peak_gb_per_s = 177;
/// Of tables 3 to 6.
inline constexpr double paper_table_size = 0x1p23;

inline bool is_size_of_paper(const Perf::PanelSize& size) {
  return size.num_levels == 128 && size.cells() >= paper_sizes.from &&
         size.cells() <= paper_sizes.to;
}

}  // namespace Lamina::Paper
