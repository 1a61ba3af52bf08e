// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Which kernel a sweep takes on a device: the one with the widest access that mesh and fields allow;
// and what is told about it.

#include <lamina/core/impl/KernelPath.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/Pack.hpp>
#include <lamina/device/impl/StencilChunks_Device.hpp>
#include <lamina/sweeps/FusedSweeps.hpp>
#include <lamina/sweeps/TensorCoefficients.hpp>
#include <lamina/sweeps/impl/MixedSweeps.hpp>
#include <lamina/sweeps/impl/Stencils_Device.hpp>
#include <lamina/sweeps/impl/Tuning.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace Lamina::Impl {

/// What threads of a device take at once.
enum class SweepPath {
  pairs,              ///< packs of two rows of columns
  pairs_and_columns,  ///< the same, and the columns in no pair one by one
  packs,              ///< packs of columns
  packs_and_columns,  ///< the same, and the columns in no pack one by one
  columns,            ///< single columns, whose few neighbours are in registers
  many_columns,       ///< single columns with more neighbours
  level_packs,        ///< packs of contiguous levels of such columns
  many_level_packs,
  // <z, A z>, each edge once
  pair_edges,
  pair_and_column_edges,
  pack_edges,
  pack_and_column_edges,
  column_edges,
  polygon_edges,
  many_edges  ///< of single columns that list more than `FewSides` holds
};

/// Whether sweeps may take packs of columns: where these are contiguous, of coefficients that have their
/// tables.
template <class Coefficients, class Sweep>
inline constexpr bool in_packs =
    !levels_contiguous<typename Sweep::array_layout> && requires(const Coefficients& coefficients) {
  coefficients.packs;
  coefficients.edges;
};

/// The same of packs of levels, where these are contiguous.
template <class Coefficients>
inline constexpr bool has_level_stencils = false;
template <class Scalar, class Memory>
inline constexpr bool has_level_stencils<TensorCoefficients<Scalar, Memory>> = true;
template <class Coefficients, class Sweep>
inline constexpr bool in_level_packs =
    levels_contiguous<typename Sweep::array_layout>&& has_level_stencils<Coefficients>;

/// Teams on a multiprocessor, at least, of a sweep in packs of levels.
template <class Sweep, class Scalar>
inline constexpr int level_pack_teams = LevelPackTuning::sweep_teams<Scalar>;
template <class Layout, class Memory>
inline constexpr int level_pack_teams<AdvanceAndUpdateSweep<Layout, Memory>, float> =
    LevelPackTuning::updating_teams;

/// True where packs of columns, or of levels, may be read and written at once in every field of a sweep.
template <class Coefficients, class Sweep>
bool packs_aligned(const ColumnSystem<Coefficients>& system, const Sweep& sweep) {
  using Scalar = typename Coefficients::scalar_type;
  constexpr bool of_levels = levels_contiguous<typename Sweep::array_layout>;
  constexpr int width = of_levels ? LevelPackTuning::levels : pack_width<Scalar>;
  return (!of_levels || system.topology.num_levels % width == 0) &&
         sweep.with_fields(
             [](const auto&... fields) { return packs_aligned<Scalar, width>(fields...); });
}

template <class Sweep>
inline constexpr bool is_measure = false;
template <class Scalar, class Layout, class Memory>
inline constexpr bool is_measure<MeasureSweep<Scalar, Layout, Memory>> = true;

/// Teams that must fit at once, see `StencilTuning::least_teams`, where a sweep goes over pairs of packs;
/// 0 where it goes over single packs. docs/developer/tuning.md says what pairs save.
template <class Sweep>
inline constexpr int pair_teams = 0;
template <class Scalar, class Layout, class Memory>
inline constexpr int pair_teams<ApplySweep<Scalar, Layout, Memory>> = PairTuning::apply;
template <class Scalar, class Layout, class Memory>
inline constexpr int pair_teams<ResidualSweep<Scalar, Layout, Memory>> = PairTuning::residual;
template <class Scalar, class Layout, class Memory>
inline constexpr int pair_teams<MeasureSweep<Scalar, Layout, Memory>> = PairTuning::measure;
template <class Scalar, class Layout, class Memory>
inline constexpr int pair_teams<AdvanceSweep<Scalar, Layout, Memory, false>> = PairTuning::advance;
template <class Layout, class Memory>
inline constexpr int pair_teams<AdvanceSweep<double, Layout, Memory, true>> =
    PairTuning::advance_and_update;

/// Whether a sweep goes over pairs of packs: where there are enough of them for long walks of all
/// threads that fit at once.
template <class Sweep, class Space, class Coefficients>
bool has_work_in_pairs(const Space& space, const ColumnSystem<Coefficients>& system) {
  const std::int64_t threads =
      teams_that_fit(space, StencilTuning::threads, pair_teams<Sweep>) * StencilTuning::threads;
  const auto pairs = static_cast<std::int64_t>(system.coefficients.packs.pairs.extent(0));
  return pair_teams<Sweep> > 0 &&
         pairs * system.topology.num_levels >= PairTuning::least_levels * threads;
}

/// The path of <z, A z>. A sum over edges is taken wherever columns are contiguous, so that an edge
/// between two ranks is counted once, whichever path each of them takes.
template <class Coefficients>
SweepPath best_edge_path(const ColumnSystem<Coefficients>& system, bool paired, bool packed) {
  const auto& packs = system.coefficients.packs;
  if (paired) {
    return packs.rest_of_pairs.extent(0) > 0 ? SweepPath::pair_and_column_edges
                                             : SweepPath::pair_edges;
  }
  if (packed) {
    return packs.rest.extent(0) > 0 ? SweepPath::pack_and_column_edges : SweepPath::pack_edges;
  }
  const std::size_t slots = system.coefficients.edges.neighbours.extent(1);
  if (slots <= 2) return SweepPath::column_edges;
  return slots <= ListedEdges::most ? SweepPath::polygon_edges : SweepPath::many_edges;
}

/// The path of a sweep.
/// \param aligned  see `packs_aligned`
template <class Sweep, class Space, class Coefficients>
SweepPath best_path(const Space& space, const ColumnSystem<Coefficients>& system, bool aligned) {
  if constexpr (in_packs<Coefficients, Sweep>) {
    const auto& packs = system.coefficients.packs;
    const bool packed = aligned && !packs.empty();
    const bool worth_pairing = packed && has_work_in_pairs<Sweep>(space, system);
    if constexpr (is_measure<Sweep>) return best_edge_path(system, worth_pairing, packed);
    // Where packs are all there is, single columns beside pairs cost more than pairs save.
    const bool paired =
        worth_pairing && (packs.rest_of_pairs.extent(0) == 0 || packs.rest.extent(0) > 0);
    if (paired) {
      return packs.rest_of_pairs.extent(0) > 0 ? SweepPath::pairs_and_columns : SweepPath::pairs;
    }
    if (packed) {
      return packs.rest.extent(0) > 0 ? SweepPath::packs_and_columns : SweepPath::packs;
    }
  }
  const bool few = system.topology.neighbours.extent(1) == few_slots;
  if constexpr (in_level_packs<Coefficients, Sweep>) {
    if (aligned) return few ? SweepPath::level_packs : SweepPath::many_level_packs;
  }
  return few ? SweepPath::columns : SweepPath::many_columns;
}
/// "3 of 5 columns".
inline std::string share_text(std::size_t part, int whole, const char* what) {
  return std::to_string(part) + " of " + std::to_string(whole) + " " + what;
}

/// Why a sweep goes over single columns.
template <class Sweep, class Coefficients>
std::string why_single(const ColumnSystem<Coefficients>& system) {
  if constexpr (in_level_packs<Coefficients, Sweep>) {
    return "columns of a field are not whole packs of levels";
  } else if constexpr (levels_contiguous<typename Sweep::array_layout>) {
    return "levels are contiguous";
  } else if constexpr (!in_packs<Coefficients, Sweep>) {
    return "coefficients differ from cell to cell";
  } else {
    if (!system.coefficients.packs.empty()) return "levels of a field do not begin with a pack";
    return "fewer than half of the columns fit packs of " +
           std::to_string(pack_width<typename Coefficients::scalar_type>);
  }
}

/// A path in words.
template <class Sweep, class Coefficients>
KernelPath path_text(SweepPath path, const ColumnSystem<Coefficients>& system) {
  if constexpr (in_packs<Coefficients, Sweep>) {
    const auto& packs = system.coefficients.packs;
    const int columns = system.topology.num_owned;
    switch (path) {
      case SweepPath::pairs:
      case SweepPath::pair_edges: return {"pairs of packs"};
      case SweepPath::pairs_and_columns:
      case SweepPath::pair_and_column_edges:
        return {"pairs of packs, single columns",
                share_text(packs.rest_of_pairs.extent(0), columns, "columns are in no pair")};
      case SweepPath::packs:
      case SweepPath::pack_edges:
        if (pair_teams<Sweep> == 0) return {"packs"};
        if (packs.pairs.extent(0) == 0) return {"packs", "rows do not go into pairs"};
        if (is_measure<Sweep> || packs.rest_of_pairs.extent(0) == 0) {
          return {"packs", "too few cells for pairs"};
        }
        return {"packs",
                share_text(packs.rest_of_pairs.extent(0), columns, "columns would be in no pair")};
      case SweepPath::packs_and_columns:
      case SweepPath::pack_and_column_edges:
        return {"packs, single columns",
                share_text(packs.rest.extent(0), columns, "columns are in no pack")};
      default: break;
    }
  }
  if (path == SweepPath::level_packs || path == SweepPath::many_level_packs) {
    return {"packs of levels"};
  }
  return {levels_contiguous<typename Sweep::array_layout> ? "shared columns" : "single columns",
          why_single<Sweep>(system)};
}

}  // namespace Lamina::Impl
