// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/shallow_water/ShallowWaterDiagnostics.hpp>
#include <lamina/shallow_water/impl/StateKernels.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace Lamina::Impl {

/// How Kokkos joins parts; before 4.0 it passes them as volatile.
template <class Space>
struct DiagnosticsReducer {
  using reducer = DiagnosticsReducer;
  using value_type = DiagnosticsPart;
  using result_view_type =
      Kokkos::View<value_type, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  result_view_type result;

  KOKKOS_FUNCTION explicit DiagnosticsReducer(value_type& value) : result(&value) {}
  KOKKOS_FUNCTION void init(value_type& value) const { value.reset(); }
  KOKKOS_FUNCTION void join(value_type& to, const value_type& from) const { to.add(from); }
#if KOKKOS_VERSION < 40000
  KOKKOS_FUNCTION void join(volatile value_type& to, const volatile value_type& from) const {
    // No two threads are at work on these: Kokkos has put barriers between.
    const_cast<value_type&>(to).add(const_cast<const value_type&>(from));
  }
#endif
  KOKKOS_FUNCTION value_type& reference() const { return *result.data(); }
  KOKKOS_FUNCTION result_view_type view() const { return result; }
  KOKKOS_FUNCTION bool references_scalar() const { return true; }
};

/// Basin: `UniformBasin` or `BasinFields`.
template <class Scalar, class Basin>
struct DiagnoseCells {
  int width, num_lines;  ///< nx, ny
  double inverse_h;
  Basin basin;
  StateFields<const Scalar> state;

  KOKKOS_FUNCTION void operator()(CellLines, std::int64_t j, DiagnosticsPart& part) const {
    for (int i = 0; i < width; ++i) add(i, j, part);
  }
  KOKKOS_FUNCTION void operator()(SingleCells, std::int64_t cell, DiagnosticsPart& part) const {
    add(cell % width, cell / width, part);
  }

  /// rot u + f at a corner
  KOKKOS_FORCEINLINE_FUNCTION double vorticity(std::int64_t i, std::int64_t j) const {
    return inverse_h * ((v(i, j) - v(i - 1, j)) - (u(i, j) - u(i, j - 1))) +
           basin.coriolis_at(i, j);
  }
  KOKKOS_FORCEINLINE_FUNCTION double corner_height(std::int64_t i, std::int64_t j) const {
    return 0.25 * (height(i, j) + height(i - 1, j) + height(i, j - 1) + height(i - 1, j - 1));
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION double height(std::int64_t i, std::int64_t j) const {
    return static_cast<double>(state.height(i, j));
  }
  KOKKOS_FORCEINLINE_FUNCTION double u(std::int64_t i, std::int64_t j) const {
    return static_cast<double>(state.u(i, j));
  }
  KOKKOS_FORCEINLINE_FUNCTION double v(std::int64_t i, std::int64_t j) const {
    return static_cast<double>(state.v(i, j));
  }
  KOKKOS_FORCEINLINE_FUNCTION static double magnitude(double value) {
    return value < 0 ? -value : value;
  }

  KOKKOS_FORCEINLINE_FUNCTION void add(std::int64_t i, std::int64_t j,
                                       DiagnosticsPart& part) const {
    const double phi = height(i, j), x = u(i, j), y = v(i, j);
    const double flux_x = 0.5 * (height(i - 1, j) + phi) * x,
                 flux_y = 0.5 * (height(i, j - 1) + phi) * y;
    const double mass_x = (u(i - 1, j) + 4 * x + u(i + 1, j)) / 6,
                 mass_y = (v(i, j - 1) + 4 * y + v(i, j + 1)) / 6;
    part.mass += phi;
    part.energy += 0.5 * (phi * phi + flux_x * mass_x + flux_y * mass_y);
    if constexpr (Basin::is_uniform) {
      const double curl = vorticity(i, j);
      part.enstrophy += 0.5 * curl * curl / corner_height(i, j);
      part.circulation += curl;
    } else {
      part.energy += phi * basin.bottom_at(i, j);
      add_corner(i, j, basin.south_wall && j == 0 ? 0.5 : 1, part);
      if (basin.north_wall && j == num_lines - 1) add_corner(i, num_lines, 0.5, part);
    }
    if (magnitude(x) > part.largest_u) part.largest_u = magnitude(x);
    if (magnitude(y) > part.largest_v) part.largest_v = magnitude(y);
    if (phi < part.smallest_height) part.smallest_height = phi;
    const std::int64_t fault = JudgeCells<Scalar>{width, state}.code(i, j);
    if (fault < part.first_fault) part.first_fault = fault;
  }
  /// \param weight  the part of a corner that is water: half of it on a wall
  KOKKOS_FORCEINLINE_FUNCTION void add_corner(std::int64_t i, std::int64_t j, double weight,
                                              DiagnosticsPart& part) const {
    const double curl = vorticity(i, j);
    part.enstrophy += weight * 0.5 * curl * curl / corner_height(i, j);
    part.circulation += weight * curl;
  }
};

template <class Scalar, class Basin>
struct PotentialVorticityCells {
  DiagnoseCells<Scalar, Basin> cells;
  StridedCells<Scalar> out;

  KOKKOS_FORCEINLINE_FUNCTION void cell(std::int64_t i, std::int64_t j) const {
    out(i, j) = static_cast<Scalar>(cells.vorticity(i, j) / cells.corner_height(i, j));
  }
};

template <class Space, class Scalar>
DiagnosticsPart DiagnosticsKernels<Space, Scalar>::diagnose(const Space& space,
                                                            const Rectangle& rectangle,
                                                            const BasinFields<Scalar>& basin,
                                                            const State& state) {
  using Index = Kokkos::IndexType<std::int64_t>;
  const char* label = "Lamina::ShallowWaterDiagnostics::diagnose";
  const double inverse_h = inverse_mesh_width(rectangle);
  // Kokkos fences until the part is there.
  DiagnosticsPart part;
  part.reset();
  visit_basin(basin, [&](const auto& of_basin) {
    using Basin = std::decay_t<decltype(of_basin)>;
    const DiagnoseCells<Scalar, Basin> cells{rectangle.nx, rectangle.ny, inverse_h, of_basin,
                                             state};
    if constexpr (runs_on_host<Space>) {
      Kokkos::parallel_reduce(label,
                              Kokkos::RangePolicy<Space, Index, CellLines>(space, 0, rectangle.ny),
                              cells, DiagnosticsReducer<Space>(part));
    } else {
      Kokkos::parallel_reduce(label,
                              Kokkos::RangePolicy<Space, Index, SingleCells>(
                                  space, 0, std::int64_t{rectangle.nx} * rectangle.ny),
                              cells, DiagnosticsReducer<Space>(part));
    }
  });
  return part;
}

template <class Space, class Scalar>
void DiagnosticsKernels<Space, Scalar>::potential_vorticity(const Space& space,
                                                            const Rectangle& rectangle,
                                                            const BasinFields<Scalar>& basin,
                                                            const State& state,
                                                            const StridedCells<Scalar>& out) {
  visit_basin(basin, [&](const auto& of_basin) {
    using Basin = std::decay_t<decltype(of_basin)>;
    run_cells<Scalar>(
        "Lamina::ShallowWaterDiagnostics::potential_vorticity", space, CellRange::all(rectangle),
        PotentialVorticityCells<Scalar, Basin>{
            {rectangle.nx, rectangle.ny, inverse_mesh_width(rectangle), of_basin, state}, out});
  });
}

}  // namespace Lamina::Impl
