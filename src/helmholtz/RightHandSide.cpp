// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/impl/SplitMix.hpp>
#include <lamina/helmholtz/RightHandSide.hpp>

#include <cmath>

namespace Lamina {
namespace {

constexpr double pi = 3.14159265358979323846;

double smooth_value(double x, double y, double z) {
  return 1 + std::sin(pi * x) * std::cos(pi * y / 2) * std::cos(pi * z) + x * y / 2;
}

}  // namespace

double unit_hash(std::uint64_t index) {
  return 2 * (static_cast<double>(Impl::splitmix64(index) >> 11) * 0x1p-53) - 1;
}

double rhs_value(RightHandSide rhs, const CubedSpherePanel& panel, int num_levels, int i, int j,
                 int k) {
  switch (rhs) {
    case RightHandSide::constant: return 1;
    case RightHandSide::smooth:
      return smooth_value(-1 + (2.0 * i + 1) / panel.num_x(), -1 + (2.0 * j + 1) / panel.num_y(),
                          (k + 0.5) / num_levels);
    case RightHandSide::rough:
      return unit_hash(static_cast<std::uint64_t>(num_levels) *
                           static_cast<std::uint64_t>(panel.column(i, j)) +
                       static_cast<std::uint64_t>(k));
  }
  return 0;
}

}  // namespace Lamina
