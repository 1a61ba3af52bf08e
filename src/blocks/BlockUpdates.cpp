// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What is done to values of a matrix before sweeps, and between them: factorisation, rounding, gathering, new
// values, corrections.

#include <lamina/blocks/impl/BlockKernels.hpp>

namespace Lamina::Impl {

#define LAMINA_INSTANTIATE(Space)                               \
  template struct CorrectionKernels<Space, double>;             \
  template struct FactorKernels<Space, double>;                 \
  template struct GatherKernels<Space, Half, Half>;             \
  template struct GatherKernels<Space, float, float>;           \
  template struct GatherKernels<Space, double, float>;          \
  template struct GatherKernels<Space, double, double>;         \
  template struct ListKernels<Space, int>;                      \
  template struct ListKernels<Space, std::int64_t>;             \
  template struct UpdateKernels<Space, double, Half, Half>;     \
  template struct UpdateKernels<Space, double, float, float>;   \
  template struct UpdateKernels<Space, double, double, Half>;   \
  template struct UpdateKernels<Space, double, double, float>;  \
  template struct UpdateKernels<Space, double, double, double>; \
  template struct RangeKernels<Space>;                          \
  template struct RoundKernels<Space, float>;                   \
  template struct RoundKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_INSTANTIATE)

}  // namespace Lamina::Impl
