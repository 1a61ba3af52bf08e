// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Runs the kernel of a sweep that is on its path.

#include <lamina/core/impl/KernelPath.hpp>
#include <lamina/sweeps/impl/EdgeSums_Device.hpp>
#include <lamina/sweeps/impl/PackStencils_Device.hpp>
#include <lamina/sweeps/impl/PacksAndColumns_Device.hpp>
#include <lamina/sweeps/impl/Stencils_Device.hpp>
#include <lamina/sweeps/impl/SweepPath_Device.hpp>
#include <lamina/sweeps/impl/Traversal_Device.hpp>

namespace Lamina::Impl {

/// Runs a sweep that takes packs where it can, on any path with packs or edges. False for others.
template <class Space, class Coefficients, class Sweep>
bool run_in_packs(SweepPath path, const char* label, const Space& space,
                  const ColumnSystem<Coefficients>& system, const Sweep& sweep,
                  const TeamParts<typename Coefficients::memory_space>& parts) {
  using Scalar = typename Coefficients::scalar_type;
  using Memory = typename Coefficients::memory_space;
  using Stencils = StencilsOfPacks<Coefficients>;
  using Packs = PacksAndColumns<Scalar, Memory, false, Coefficients>;
  using Pairs = PacksAndColumns<Scalar, Memory, true, Coefficients>;
  if constexpr (pair_teams < Sweep >> 0) {
    constexpr int teams = pair_teams<Sweep>;
    if (path == SweepPath::pairs) {
      traverse_on_device<typename Stencils::Pairs, teams>(label, space, system, sweep, parts);
      return true;
    }
    if (path == SweepPath::pairs_and_columns) {
      traverse_mixed<Pairs, teams>(label, space, system, sweep, parts);
      return true;
    }
  }
  if (path == SweepPath::packs) {
    traverse_on_device<typename Stencils::Packs>(label, space, system, sweep, parts);
  } else if (path == SweepPath::packs_and_columns) {
    traverse_mixed<Packs, StencilTuning::least_teams>(label, space, system, sweep, parts);
  } else {
    return false;
  }
  return true;
}

/// Runs a sweep on the paths of packs of levels. False for others.
template <class Space, class Coefficients, class Sweep>
bool run_in_level_packs(SweepPath path, const char* label, const Space& space,
                        const ColumnSystem<Coefficients>& system, const Sweep& sweep,
                        const TeamParts<typename Coefficients::memory_space>& parts) {
  constexpr int levels = LevelPackTuning::levels,
                teams = level_pack_teams<Sweep, typename Coefficients::scalar_type>;
  if (path == SweepPath::level_packs) {
    traverse_on_device<ColumnStencil<Coefficients, few_slots, levels>, teams>(label, space, system,
                                                                              sweep, parts);
  } else if (path == SweepPath::many_level_packs) {
    traverse_on_device<ColumnStencil<Coefficients, many_slots, levels>, teams>(label, space, system,
                                                                               sweep, parts);
  } else {
    return false;
  }
  return true;
}

/// <z, A z> on the path of edges.
template <class Space, class Coefficients, class Sweep>
void run_over_edges(SweepPath path, const char* label, const Space& space,
                    const ColumnSystem<Coefficients>& system, const Sweep& sweep,
                    const TeamParts<typename Coefficients::memory_space>& parts) {
  using Scalar = typename Coefficients::scalar_type;
  using Memory = typename Coefficients::memory_space;
  constexpr int width = pack_width<Scalar>;
  const auto sum_edges = [&]<class Sides>(Sides) {
    sum_edges_on_device<Sides>(label, space, system, sweep, parts);
  };
  switch (path) {
    case SweepPath::pair_edges: return sum_edges(TwoSidesOfPair<Scalar, Memory, Coefficients>());
    case SweepPath::pack_edges: return sum_edges(TwoSides<Scalar, Memory, width, Coefficients>());
    case SweepPath::column_edges: return sum_edges(TwoSides<Scalar, Memory, 1, Coefficients>());
    case SweepPath::polygon_edges:
      return sum_edges(FewSides<Scalar, Memory, false, Coefficients>());
    case SweepPath::pair_and_column_edges:
      return sum_edges_mixed<PacksAndColumns<Scalar, Memory, true, Coefficients>>(
          label, space, system, sweep, parts);
    case SweepPath::pack_and_column_edges:
      return sum_edges_mixed<PacksAndColumns<Scalar, Memory, false, Coefficients>>(
          label, space, system, sweep, parts);
    default: return sum_edges(FewSides<Scalar, Memory, true, Coefficients>());
  }
}

/// Whether a sweep is a sum over edges that single columns list.
template <class Coefficients, class Sweep>
inline constexpr bool over_listed_edges =
    is_measure<Sweep> && !levels_contiguous<typename Sweep::array_layout> && requires {
  typename ListedSides<Coefficients>::Two;
};

/// <z, A z> over such edges.
template <class Space, class Coefficients, class Sweep>
void run_over_listed_edges(const char* label, const Space& space,
                           const ColumnSystem<Coefficients>& system, const Sweep& sweep,
                           const TeamParts<typename Coefficients::memory_space>& parts) {
  using Sides = ListedSides<Coefficients>;
  const int slots = Sides::slots(system);
  if (slots <= 2) {
    sum_edges_on_device<typename Sides::Two>(label, space, system, sweep, parts);
  } else if (slots <= static_cast<int>(ListedEdges::most)) {
    sum_edges_on_device<typename Sides::Few>(label, space, system, sweep, parts);
  } else {
    sum_edges_on_device<typename Sides::Many>(label, space, system, sweep, parts);
  }
}

/// Runs a sweep over all owned columns.
template <class Space, class Coefficients, class Sweep>
void run_device_sweep(const char* label, const Space& space,
                      const ColumnSystem<Coefficients>& system, const Sweep& sweep,
                      const TeamParts<typename Coefficients::memory_space>& parts) {
  const bool aligned = packs_aligned(system, sweep);
  const SweepPath path = best_path<Sweep>(space, system, aligned);
  if (wants_path(label)) keep_path(label, path_text<Sweep>(path, system));
  if constexpr (in_packs<Coefficients, Sweep> && is_measure<Sweep>) {
    run_over_edges(path, label, space, system, sweep, parts);
  } else if constexpr (over_listed_edges<Coefficients, Sweep>) {
    run_over_listed_edges(label, space, system, sweep, parts);
  } else {
    if constexpr (in_packs<Coefficients, Sweep>) {
      if (run_in_packs(path, label, space, system, sweep, parts)) return;
    }
    if constexpr (in_level_packs<Coefficients, Sweep>) {
      if (run_in_level_packs(path, label, space, system, sweep, parts)) return;
    }
    if (path == SweepPath::columns) {
      return traverse_on_device<ColumnStencil<Coefficients, few_slots>>(label, space, system, sweep,
                                                                        parts);
    }
    // What is known of so many neighbours needs the registers.
    traverse_on_device<ColumnStencil<Coefficients, many_slots>, StencilTuning::least_teams>(
        label, space, system, sweep, parts);
  }
}

}  // namespace Lamina::Impl
