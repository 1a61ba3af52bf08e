// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Numbers of Zubair et al. (2016): a K40 (288 GB/s), CUDA 7.5, and one core of a Xeon E5-2670.

#include <array>
#include <cstddef>
#include <vector>

namespace Lamina::Paper {

/// Milliseconds of a sweep, from block size 1 on: tables III and IV. Figure 14 has no numbers.
struct PublishedSweeps {
  std::vector<double> baseline, optimized;
};
inline const std::array<PublishedSweeps, 6> published_sweeps{
    {{},
     {{9.3, 11.8, 14.7, 16.2, 19.6, 27.1, 28.5, 30.3, 42.8, 45.7},
      {1.5, 1.6, 1.9, 2.2, 2.9, 4.8, 5.0, 5.1, 8.4, 9.0}},
     {{17.2, 20.5, 24.4, 27.7, 35.3, 49.9, 55.1, 57.3, 81.7, 85.8},
      {2.7, 3.0, 3.6, 4.3, 5.5, 9.3, 9.7, 10.0, 16.5, 17.8}},
     {{31.4, 39.1, 47.5, 52.5, 66.5, 96.5, 104.7, 107.9, 155.9, 165.9},
      {5.1, 5.6, 6.8, 8.1, 10.4, 17.8, 18.7, 19.2, 31.8, 34.3}},
     {{61.9, 78.2, 93.0, 104.6, 126.8, 188.7}, {10.1, 11.1, 13.7, 16.3, 21.1, 36.1}},
     {{74.9, 92.7, 112.1, 130.0, 164.9, 236.0}, {12.5, 13.8, 16.9, 20.0, 25.7, 44.2}}}};

/// The last section: block size 5, the largest matrix.
inline constexpr std::size_t published_core_matrix = 5;
inline constexpr int published_core_block_size = 5;
inline constexpr double published_core_ms = 387, published_core_gpu_ms = 26;

}  // namespace Lamina::Paper
