// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Which kernel a sweep takes on a device: the one with the widest access that mesh and fields allow.

#include <lamina/device/impl/Pack.hpp>
#include <lamina/sweeps/FusedSweeps.hpp>
#include <lamina/sweeps/impl/EdgeSums_Device.hpp>
#include <lamina/sweeps/impl/Stencils_Device.hpp>
#include <lamina/sweeps/impl/Traversal_Device.hpp>

#include <cstdint>

namespace Lamina::Impl {

/// What threads of a device take at once.
enum class SweepPath {
  pairs,         ///< packs of two rows of columns
  packs,         ///< packs of columns
  columns,       ///< single columns, whose few neighbours are in registers
  many_columns,  ///< single columns with more neighbours
  pair_edges,
  pack_edges,
  column_edges,
  polygon_edges  ///< <z, A z> of them, each edge once
};

/// Whether sweeps may take packs of columns: where these are contiguous, of a tensor product.
template <class Coefficients, class Sweep>
inline constexpr bool in_packs = false;
template <class Scalar, class Memory, class Sweep>
inline constexpr bool in_packs<TensorCoefficients<Scalar, Memory>, Sweep> =
    !levels_contiguous<typename Sweep::array_layout>;

/// True where packs of columns may be read and written at once in every field of a sweep.
template <class Coefficients, class Sweep>
bool packs_aligned(const ColumnSystem<Coefficients>&, const Sweep& sweep) {
  using Scalar = typename Coefficients::scalar_type;
  return sweep.with_fields(
      [](const auto&... fields) { return packs_aligned<Scalar, pack_width<Scalar>>(fields...); });
}

template <class Sweep>
inline constexpr bool is_measure = false;
template <class Scalar, class Layout, class Memory>
inline constexpr bool is_measure<MeasureSweep<Scalar, Layout, Memory>> = true;

/// Teams that must fit at once, see `stencil_least_teams`, where a sweep goes over pairs of packs;
/// 0 where it goes over single packs. docs/developer/tuning.md says what pairs save.
template <class Sweep>
inline constexpr int pair_teams = 0;
template <class Scalar, class Layout, class Memory>
inline constexpr int pair_teams<ApplySweep<Scalar, Layout, Memory>> = 4;
template <class Scalar, class Layout, class Memory>
inline constexpr int pair_teams<ResidualSweep<Scalar, Layout, Memory>> = 4;
template <class Scalar, class Layout, class Memory>
inline constexpr int pair_teams<MeasureSweep<Scalar, Layout, Memory>> = stencil_least_teams;
template <class Scalar, class Layout, class Memory>
inline constexpr int pair_teams<AdvanceSweep<Scalar, Layout, Memory, false>> = 3;
template <class Layout, class Memory>
inline constexpr int pair_teams<AdvanceSweep<double, Layout, Memory, true>> = 2;

/// Whether a sweep goes over pairs of packs: where there are enough of them for long walks of all
/// threads that fit at once. Otherwise threads that are missing cost more than pairs save.
template <class Sweep, class Space, class Scalar, class Memory>
bool has_work_in_pairs(const Space& space, const TensorSystem<Scalar, Memory>& system) {
  constexpr int levels = 6;  // of a walk
  const std::int64_t threads =
      teams_that_fit(space, stencil_team_size, pair_teams<Sweep>) * stencil_team_size;
  const auto pairs = static_cast<std::int64_t>(system.coefficients.packs.pairs.extent(0));
  return pair_teams<Sweep> > 0 && pairs * system.topology.num_levels >= levels * threads;
}

/// The path of a sweep.
template <class Sweep, class Space, class Coefficients>
SweepPath best_path(const Space& space, const ColumnSystem<Coefficients>& system,
                    const Sweep& sweep) {
  if constexpr (in_packs<Coefficients, Sweep>) {
    const auto& packs = system.coefficients.packs;
    const bool aligned = packs.neighbours.extent(0) > 0 && packs_aligned(system, sweep);
    const bool paired = aligned && has_work_in_pairs<Sweep>(space, system);
    // An edge to a halo column would need both ranks to take this way.
    const bool has_halo = system.topology.num_columns > system.topology.num_owned;
    if (is_measure<Sweep> && !has_halo) {
      if (paired) return SweepPath::pair_edges;
      if (aligned && packs.edges_once) return SweepPath::pack_edges;
      const auto& edges = system.coefficients.edges.neighbours;
      if (edges.extent(0) > 0) {
        return edges.extent(1) == 2 ? SweepPath::column_edges : SweepPath::polygon_edges;
      }
    }
    if (paired && !is_measure<Sweep>) return SweepPath::pairs;
    if (aligned) return SweepPath::packs;
  }
  const bool few = system.topology.neighbours.extent(1) == few_slots;
  return few ? SweepPath::columns : SweepPath::many_columns;
}

/// Runs a sweep over all owned columns.
template <class Space, class Coefficients, class Sweep>
void run_device_sweep(const char* label, const Space& space,
                      const ColumnSystem<Coefficients>& system, const Sweep& sweep,
                      const TeamParts<typename Coefficients::memory_space>& parts) {
  using Scalar = typename Coefficients::scalar_type;
  using Memory = typename Coefficients::memory_space;
  const SweepPath path = best_path(space, system, sweep);
  if constexpr (in_packs<Coefficients, Sweep>) {
    constexpr int width = pack_width<Scalar>;
    if constexpr (is_measure<Sweep>) {
      const auto sum_edges = [&]<class Sides>(Sides) {
        sum_edges_on_device<Sides>(label, space, system, sweep, parts);
      };
      if (path == SweepPath::pair_edges) return sum_edges(TwoSidesOfPair<Scalar, Memory>());
      if (path == SweepPath::pack_edges) return sum_edges(TwoSides<Scalar, Memory, width>());
      if (path == SweepPath::column_edges) return sum_edges(TwoSides<Scalar, Memory, 1>());
      if (path == SweepPath::polygon_edges) return sum_edges(FewSides<Scalar, Memory>());
    } else if constexpr (pair_teams<Sweep> > 0) {
      if (path == SweepPath::pairs) {
        return traverse_on_device<PairStencil<Scalar, Memory>, pair_teams<Sweep>>(
            label, space, system, sweep, parts);
      }
    }
    if (path == SweepPath::packs) {
      return traverse_on_device<PackStencil<Scalar, Memory>>(label, space, system, sweep, parts);
    }
  }
  if (path == SweepPath::columns) {
    return traverse_on_device<ColumnStencil<Coefficients, few_slots>>(label, space, system, sweep,
                                                                      parts);
  }
  traverse_on_device<ColumnStencil<Coefficients, many_slots>>(label, space, system, sweep, parts);
}

}  // namespace Lamina::Impl
