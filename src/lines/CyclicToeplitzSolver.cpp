// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/lines/CyclicToeplitzSolver.hpp>

#include <cmath>
#include <limits>
#include <string>

namespace Lamina {

template <FieldScalar Scalar>
CyclicToeplitzSolver<Scalar>::CyclicToeplitzSolver(double off, double diagonal) {
  const char* function = "CyclicToeplitzSolver";
  LAMINA_REQUIRE(
      std::isfinite(off) && std::isfinite(diagonal) && std::abs(diagonal) > 2 * std::abs(off),
      function,
      "argument diagonal: expected more than twice |off| = " + std::to_string(std::abs(off)) +
          ", got " + std::to_string(diagonal));
  // off (1 + r^2) + diagonal r = 0, |r| < 1, without cancellation
  const double root = std::sqrt((diagonal - 2 * off) * (diagonal + 2 * off));
  const double ratio = -2 * off / (diagonal + std::copysign(root, diagonal));
  constexpr double rounding = static_cast<double>(std::numeric_limits<Scalar>::epsilon()) / 64;
  int reach = 8;
  while (reach <= max_reach && std::pow(std::abs(ratio), reach) > rounding) reach += 8;
  LAMINA_REQUIRE(reach <= max_reach, function,
                 "argument diagonal: too close to twice |off| = " + std::to_string(std::abs(off)) +
                     ", got " + std::to_string(diagonal));
  // K (1 + r^2) = diagonal
  m_factors = {ratio, (1 + ratio * ratio) / diagonal, reach};
}

template <FieldScalar Scalar>
std::vector<KernelCost> CyclicToeplitzSolver<Scalar>::kernel_costs(int num_columns,
                                                                   int num_levels) const {
  const double cells = static_cast<double>(num_columns) * num_levels;
  return {{"Lamina::CyclicToeplitzSolver::solve", cells * 2 * sizeof(Scalar), cells * 5}};
}

template class CyclicToeplitzSolver<float>;
template class CyclicToeplitzSolver<double>;

namespace Impl {

#define LAMINA_INSTANTIATE(Space)                      \
  template struct CyclicToeplitzKernels<Space, float>; \
  template struct CyclicToeplitzKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_INSTANTIATE)
#undef LAMINA_INSTANTIATE

}  // namespace Impl
}  // namespace Lamina
