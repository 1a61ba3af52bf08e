// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// An operator as a user may write it: each coefficient is computed from column, slot and level.

#include <lamina/sweeps/ColumnSystem.hpp>

#include <support/TestField.hpp>

#include <cmath>
#include <cstddef>

namespace LaminaTest {

template <class Scalar>
struct OwnCoefficients {
  using scalar_type = Scalar;
  using memory_space = Memory;
  static constexpr double fields = 0;
  int num_levels;

  KOKKOS_FUNCTION static Scalar number(int a, int b) {
    return Scalar(1) / static_cast<Scalar>(1 + (7 * a + 3 * b) % 11);
  }
  KOKKOS_FUNCTION Lamina::CellRow<Scalar> row(int column, int level) const {
    return {number(column, level), level + 1 < num_levels ? number(column, level + 1) : Scalar(0),
            level > 0 ? number(column, level) : Scalar(0)};
  }
  KOKKOS_FUNCTION Scalar coupling(int column, int slot, int level) const {
    return number(column + slot, level) / 2;
  }
};

/// A x and |A| |x| of the owned columns, row by row.
struct Image {
  Values values, magnitudes;
};
template <class Coefficients>
Image image_of(const Lamina::ColumnSystem<Coefficients>& system, const Values& x) {
  const auto neighbours =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), system.topology.neighbours);
  const int levels = system.topology.num_levels;
  const auto at = [&](int column, int level) {
    return x[static_cast<std::size_t>(column) * static_cast<std::size_t>(levels) +
             static_cast<std::size_t>(level)];
  };
  Image image;
  for (int column = 0; column < system.topology.num_owned; ++column) {
    for (int level = 0; level < levels; ++level) {
      const double here = at(column, level);
      double value = 0, magnitude = 0;
      const auto add = [&](double factor, double other) {
        value += factor * (here - other);
        magnitude += std::abs(factor) * (std::abs(here) + std::abs(other));
      };
      const auto row = system.coefficients.row(column, level);
      add(row.mass, 0);
      if (level + 1 < levels) add(row.above, at(column, level + 1));
      if (level > 0) add(row.below, at(column, level - 1));
      for (std::size_t n = 0; n < neighbours.extent(1); ++n) {
        add(system.coefficients.coupling(column, static_cast<int>(n), level),
            at(neighbours(static_cast<std::size_t>(column), n), level));
      }
      image.values.push_back(value);
      image.magnitudes.push_back(magnitude);
    }
  }
  return image;
}

}  // namespace LaminaTest
