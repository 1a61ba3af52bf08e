// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The preconditioner's tridiagonal rows, recomputed from the tensor product. Divided by |T| d_k,
// row k of column c is a difference row with row sum a'_k - diffusion_c and couplings b'_k and
// c'_k: no term of the elimination cancels.

#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/lines/Tridiagonal.hpp>
#include <lamina/lines/impl/LineTile_Host.hpp>
#include <lamina/sweeps/TensorCoefficients.hpp>

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

/// Row k of one column.
template <class Scalar, class Memory>
KOKKOS_FORCEINLINE_FUNCTION DifferenceRow<Scalar> helmholtz_row(
    const TensorCoefficients<Scalar, Memory>& coefficients, Scalar diffusion, int k) {
  return {coefficients.below(k), coefficients.mass(k) - diffusion, coefficients.above(k)};
}

/// The same as a function of column and level, for `ComputeCarries`.
template <class Scalar, class Memory>
struct HelmholtzRowsOf {
  TensorCoefficients<Scalar, Memory> coefficients;

  KOKKOS_FUNCTION DifferenceRow<Scalar> row(int column, int k) const {
    return helmholtz_row(coefficients, coefficients.diffusion(column), k);
  }
};

/// Rows of a tile of columns in vector lanes, see `solve_tile`: divided by |T| only, they are
/// symmetric and give the energy as they are.
template <class Scalar, class Layout>
class HelmholtzTileRows {
  using Vector = Lanes<Scalar>;

 public:
  HelmholtzTileRows(const TensorCoefficients<Scalar, Kokkos::HostSpace>& coefficients,
                    const TileColumns& tile)
      : m_coefficients(coefficients) {
    for (int g = 0; g < groups; ++g) {
      const auto column = [&](int i) {
        return tile.first + std::min(g * lanes + i, tile.count - 1);
      };
      m_diffusion[g] =
          gather_lanes<Scalar>([&](int i) { return coefficients.diffusion(column(i)); });
      m_area[g] = gather_lanes<Scalar>([&](int i) { return coefficients.area(column(i)); });
      m_inverse_area[g] = Scalar(1) / m_area[g];
    }
  }
  void stage(int first_level, int num_levels) {
    for (int l = 0; l < num_levels; ++l) {
      const int k = first_level + l;
      m_scale[l] = m_coefficients.scale(k);
      m_below[l] = m_coefficients.scale(k) * m_coefficients.below(k);
      m_mass[l] = m_coefficients.scale(k) * m_coefficients.mass(k);
      m_above[l] = m_coefficients.scale(k) * m_coefficients.above(k);
    }
  }
  /// What the rows of a level share.
  struct Level {
    Vector below, mass, above, scale;
  };
  Level level(int l) const {
    return {broadcast_lanes(m_below[l]), broadcast_lanes(m_mass[l]), broadcast_lanes(m_above[l]),
            broadcast_lanes(m_scale[l])};
  }
  DifferenceRow<Vector> row(const Level& level, int g) const {
    return {level.below, level.mass - level.scale * m_diffusion[g], level.above};
  }
  const Vector& scale(int g) const { return m_inverse_area[g]; }
  const Vector& inverse_scale(int g) const { return m_area[g]; }

 private:
  static constexpr int lanes = lane_count<Scalar>;
  static constexpr int groups = tile_groups<Scalar, Layout>;
  const TensorCoefficients<Scalar, Kokkos::HostSpace>& m_coefficients;
  Vector m_diffusion[extent_of<groups>], m_area[extent_of<groups>],
      m_inverse_area[extent_of<groups>];
  Scalar m_scale[extent_of<lanes>], m_below[extent_of<lanes>], m_mass[extent_of<lanes>],
      m_above[extent_of<lanes>];  // of the staged levels
};

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
