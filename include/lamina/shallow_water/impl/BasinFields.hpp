// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/impl/GridField.hpp>
#include <lamina/shallow_water/impl/march/TendencyMarch.hpp>

#include <cstdint>

namespace Lamina::Impl {

/// A flat `WaterBasin` without walls, where f is a number.
struct UniformBasin {
  static constexpr bool is_uniform = true;
  double coriolis;

  KOKKOS_FORCEINLINE_FUNCTION double coriolis_at(std::int64_t, std::int64_t) const {
    return coriolis;
  }
};

/// A `WaterBasin` as kernels capture it.
template <class Scalar>
struct BasinFields {
  static constexpr bool is_uniform = false;
  double constant = 0;                ///< f where it is a number
  GridField<const Scalar> coriolis;   ///< without values where it is a number
  GridField<const Scalar> bottom;     ///< without values where it is flat
  GridField<const Scalar> constants;  ///< line 0 holds f, line 1 zeros
  bool south_wall = false, north_wall = false;

  /// Whether sweeps take `BasinFactors`.
  bool varies() const {
    return coriolis.values != nullptr || bottom.values != nullptr || south_wall || north_wall;
  }
  TendencyFactors<Scalar> uniform_factors(double inverse_h) const {
    return {static_cast<Scalar>(inverse_h), static_cast<Scalar>(constant)};
  }
  BasinFactors<Scalar> factors(double inverse_h) const {
    const auto line = [&](int j) { return GridField<const Scalar>(constants.line(j), 0); };
    return {static_cast<Scalar>(inverse_h), coriolis.values != nullptr ? coriolis : line(0),
            bottom.values != nullptr ? bottom : line(1), south_wall ? 1 : 0};
  }

  KOKKOS_FORCEINLINE_FUNCTION double coriolis_at(std::int64_t i, std::int64_t j) const {
    return coriolis.values != nullptr ? static_cast<double>(coriolis(i, j)) : constant;
  }
  KOKKOS_FORCEINLINE_FUNCTION double bottom_at(std::int64_t i, std::int64_t j) const {
    return bottom.values != nullptr ? static_cast<double>(bottom(i, j)) : 0.0;
  }
};

/// Calls visit(basin), so that a uniform one costs nothing.
template <class Scalar, class Visit>
void visit_basin(const BasinFields<Scalar>& basin, const Visit& visit) {
  if (basin.varies()) {
    visit(basin);
  } else {
    visit(UniformBasin{basin.constant});
  }
}

}  // namespace Lamina::Impl
