// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Numbers of Wang et al. (2012): a Tesla C2070 and one core of a Xeon X5550. Figures 10 and 11 are
// drawn without numbers; of them the text tells how fast the memories are beside each other.

#include <array>
#include <vector>

namespace Lamina::Paper {

/// Table 1: global memory, double precision.
struct PublishedSolve {
  int size;
  double largest_error;
  int iterations;
  double seconds;
};
inline constexpr std::array<PublishedSolve, 9> published_solves{{{32, 3.0128e-3, 48, 0.19},
                                                                 {64, 7.7811e-4, 96, 0.21},
                                                                 {128, 1.9765e-4, 192, 0.24},
                                                                 {256, 4.9797e-5, 387, 0.33},
                                                                 {512, 1.2494e-5, 783, 0.74},
                                                                 {1024, 3.1266e-6, 1581, 3.52},
                                                                 {2048, 7.8019e-7, 3192, 24.2},
                                                                 {4096, 1.9366e-7, 6452, 192},
                                                                 {8192, 4.7402e-8, 13033, 1770}}};

/// What the paper has at a size; null where it has nothing.
inline const PublishedSolve* published_solve(int size) {
  for (const PublishedSolve& solve : published_solves) {
    if (solve.size == size) return &solve;
  }
  return nullptr;
}

/// Relative residual at which its solves end.
inline constexpr double published_tolerance = 1e-6;
/// Its ranking, the fastest first; textures in single precision alone.
inline constexpr const char* published_ranking = "global, texture2d, texture1d, shared";

}  // namespace Lamina::Paper
