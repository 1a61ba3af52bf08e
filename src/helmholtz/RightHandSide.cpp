// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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
  std::uint64_t z = (index + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  z ^= z >> 31;
  return 2 * (static_cast<double>(z >> 11) * 0x1p-53) - 1;
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
