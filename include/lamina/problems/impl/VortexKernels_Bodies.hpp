// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/problems/impl/VortexKernels.hpp>
#include <lamina/shallow_water/impl/StateKernels.hpp>

#include <cmath>
#include <cstdint>

namespace Lamina::Impl {

/// The formulas of `Vortex`, in double precision.
struct VortexShape {
  static constexpr double pi = 3.14159265358979323846, omega = 0.15, sigma = 0.2, depth = 0.05;
  double coriolis;

  /// exp(-(r/omega)^6)
  KOKKOS_INLINE_FUNCTION static double decay(double r) {
    const double x = r / omega, x3 = x * x * x;
    return std::exp(-x3 * x3);
  }
  KOKKOS_INLINE_FUNCTION static double height(double r) {
    if (!(r < sigma)) return 1;
    return 1 - depth * decay(r) * (1 + std::cos(pi * r * r / (sigma * sigma)));
  }
  KOKKOS_INLINE_FUNCTION static double slope(double r) {
    if (!(r < sigma)) return 0;
    const double angle = pi * r * r / (sigma * sigma), x = r / omega, x2 = x * x;
    return depth * decay(r) *
           (6 / omega * (x2 * x2 * x) * (1 + std::cos(angle)) +
            std::sin(angle) * 2 * pi * r / (sigma * sigma));
  }
  /// Psi(r) / r, of the sign of f.
  KOKKOS_INLINE_FUNCTION double angular_velocity(double r) const {
    if (!(r > 0)) return 0;
    const double pull = slope(r) / r;
    // (f/2) (sqrt(1 + 4 pull / f^2) - 1) without cancellation
    const double magnitude = coriolis < 0 ? -coriolis : coriolis;
    const double root = std::sqrt(magnitude * magnitude + 4 * pull);
    if (!(root > 0)) return 0;
    const double rate = 2 * pull / (magnitude + root);
    return coriolis < 0 ? -rate : rate;
  }
};

/// The nearest image where `length` is a period.
KOKKOS_INLINE_FUNCTION double nearest_image(double distance, double length) {
  return distance - length * std::floor(distance / length + 0.5);
}

/// Of a domain of length 1 along x.
inline double length_along_y(const Rectangle& rectangle) {
  return rectangle.ny / inverse_mesh_width(rectangle);
}

template <class Scalar>
struct FillVortex {
  int first;  ///< number of line 0
  double h, length_y;
  VortexData vortex;
  bool rotating;
  StateFields<Scalar> state;

  KOKKOS_FORCEINLINE_FUNCTION void cell(std::int64_t i, std::int64_t j) const {
    const VortexShape shape{vortex.coriolis};
    const double west = static_cast<double>(i) * h - 0.5, x = west + 0.5 * h,
                 south = static_cast<double>(first + j) * h - 0.5 * length_y, y = south + 0.5 * h;
    double u = vortex.velocity_x, v = vortex.velocity_y;
    if (rotating) {
      u -= y * shape.angular_velocity(std::sqrt(west * west + y * y));
      v += x * shape.angular_velocity(std::sqrt(x * x + south * south));
    }
    state.height(i, j) = static_cast<Scalar>(VortexShape::height(std::sqrt(x * x + y * y)));
    state.u(i, j) = static_cast<Scalar>(u);
    state.v(i, j) = static_cast<Scalar>(v);
  }
};

template <class Scalar>
struct HeightErrors {
  int width;  ///< nx
  int first;  ///< number of line 0
  double h, length_y;
  double centre_x, centre_y;
  GridField<const Scalar> height;
  double scale;  // keeps squares from underflow

  struct Largest {};
  struct Squares {};
  KOKKOS_FUNCTION double error(std::int64_t cell) const {
    const std::int64_t i = cell % width, j = cell / width;
    const double x = nearest_image((static_cast<double>(i) + 0.5) * h - centre_x, 1),
                 y = nearest_image((static_cast<double>(first + j) + 0.5) * h - centre_y, length_y);
    return static_cast<double>(height(i, j)) - VortexShape::height(std::sqrt(x * x + y * y));
  }
  KOKKOS_FUNCTION void operator()(Largest, std::int64_t cell, double& largest) const {
    const double value = error(cell), magnitude = value < 0 ? -value : value;
    if (magnitude > largest) largest = magnitude;
  }
  KOKKOS_FUNCTION void operator()(Squares, std::int64_t cell, double& sum) const {
    const double value = error(cell) * scale;
    sum += value * value;
  }
};

template <class Space, class Scalar>
void VortexKernels<Space, Scalar>::fill(const Space& space, const VortexLines& lines,
                                        const VortexData& vortex, bool rotating,
                                        const StateFields<Scalar>& state) {
  run_cells<Scalar>("Lamina::Vortex::fill", space, CellRange::all(lines.owned),
                    FillVortex<Scalar>{lines.first, 1 / inverse_mesh_width(lines.whole),
                                       length_along_y(lines.whole), vortex, rotating, state});
}

template <class Space, class Scalar>
HeightNorms VortexKernels<Space, Scalar>::error(const Space& space, const VortexLines& lines,
                                                const VortexData& vortex, double time,
                                                const GridField<const Scalar>& height) {
  using Errors = HeightErrors<Scalar>;
  using Index = Kokkos::IndexType<std::int64_t>;
  const char* label = "Lamina::Vortex::error";
  const std::int64_t cells = std::int64_t{lines.owned.nx} * lines.owned.ny;
  const double length_y = length_along_y(lines.whole);
  if (cells == 0) return {};
  Errors errors{lines.owned.nx,
                lines.first,
                1 / inverse_mesh_width(lines.whole),
                length_y,
                0.5 + vortex.velocity_x * time,
                0.5 * length_y + vortex.velocity_y * time,
                height,
                1};
  HeightNorms norms;
  Kokkos::parallel_reduce(
      label, Kokkos::RangePolicy<Space, Index, typename Errors::Largest>(space, 0, cells), errors,
      Kokkos::Max<double>(norms.largest));
  if (norms.largest > 0) errors.scale = 1 / norms.largest;
  double sum = 0;
  Kokkos::parallel_reduce(
      label, Kokkos::RangePolicy<Space, Index, typename Errors::Squares>(space, 0, cells), errors,
      sum);
  norms.norm = std::sqrt(sum) / errors.scale;
  // A comparison with NaN does not make it the largest; the sum has it.
  if (!std::isfinite(norms.norm)) norms.largest = norms.norm;
  return norms;
}

}  // namespace Lamina::Impl
