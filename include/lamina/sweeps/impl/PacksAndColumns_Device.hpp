// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Sweeps on a device over meshes that are not wholly packs: packs, or pairs of packs, and the columns
// beside them, in one kernel. A second kernel would cost more than the branch between teams: its
// launch, and an end of its own, with few teams on the device. Nothing is prepared before the sweep
// before has ended: registers are those of the hungrier of both walks.

#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/StencilChunks_Device.hpp>
#include <lamina/device/impl/TeamSums_Device.hpp>
#include <lamina/sweeps/impl/EdgeSums_Device.hpp>
#include <lamina/sweeps/impl/PackStencils_Device.hpp>
#include <lamina/sweeps/impl/Stencils_Device.hpp>
#include <lamina/sweeps/impl/Traversal_Device.hpp>

#include <type_traits>

namespace Lamina::Impl {

/// Packs, or pairs of them, and the columns in none.
template <class Scalar, class Memory, bool InPairs,
          class Coefficients = TensorCoefficients<Scalar, Memory>>
struct PacksAndColumns {
  using System = ColumnSystem<Coefficients>;
  using Stencils = StencilsOfPacks<Coefficients>;
  using Stencil = std::conditional_t<InPairs, typename Stencils::Pairs, typename Stencils::Packs>;
  using Sides = std::conditional_t<InPairs, TwoSidesOfPair<Scalar, Memory, Coefficients>,
                                   TwoSides<Scalar, Memory, pack_width<Scalar>, Coefficients>>;
  using RestStencil = ColumnStencil<Coefficients, many_slots>;
  using RestSides = FewSides<Scalar, Memory, true, Coefficients>;

  static int num_packs(const System& system) {
    const auto& packs = system.coefficients.packs;
    return static_cast<int>(InPairs ? packs.pairs.extent(0) : packs.packs.extent(0));
  }
  static int num_columns(const System& system) { return static_cast<int>(rest(system).extent(0)); }
  KOKKOS_FORCEINLINE_FUNCTION static int pack(const System& system, int item) {
    return InPairs ? item : system.coefficients.packs.packs(item);
  }
  KOKKOS_FORCEINLINE_FUNCTION static int column(const System& system, int item) {
    return rest(system)(item);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static const Kokkos::View<const int*, Memory>& rest(
      const System& system) {
    const auto& packs = system.coefficients.packs;
    return InPairs ? packs.rest_of_pairs : packs.rest;
  }
};

/// As `DeviceTraversal`.
template <class Items, class Sweep>
struct MixedTraversal {
  using System = typename Items::System;
  System system;
  Sweep sweep;
  ColumnAndPackChunks chunks;
  TeamParts<typename System::memory_space> parts;
  double* sums;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const bool leader = member.league_rank() == 0 && member.team_rank() == 0;
    const auto found = take(member, sweep.begin(leader));
    add_up_sweep<Sweep>(parts, member, found, sums);
  }

  /// The share of one thread.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION auto take(const Member& member, const PassOf<Sweep>& pass) const {
    using Stencil = typename Items::Stencil;
    using RestStencil = typename Items::RestStencil;
    SweepSums<double, SinkOf<Sweep>> found;
    if (!pass.active) return found;
    chunks.template for_each<typename Sweep::array_layout>(
        member,
        [&](int item, int begin, int end) {
          const SweepShare<System, RestStencil, Sweep> share{system, chunks.columns};
          share.take_piece(pass, RestStencil(system, Items::column(system, item)), begin, end,
                           found);
        },
        [&](int item, int begin, int end) {
          const SweepShare<System, Stencil, Sweep> share{system, chunks.packs};
          share.take_piece(pass, Stencil(system, Items::pack(system, item)), begin, end, found);
        });
    return found;
  }
};

/// As `DeviceEdgeSums`.
template <class Items, class Sweep>
struct MixedEdgeSums {
  using System = typename Items::System;
  using Memory = typename System::memory_space;
  using Scalar = typename System::scalar_type;
  System system;
  Sweep sweep;
  ColumnAndPackChunks chunks;
  TeamParts<Memory> parts;
  double* sums;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const double sum = take(member, sweep.begin(false));
    parts.template add_up<1>(member, static_cast<double*>(member.scratch()), &sum, sums);
  }

  /// The share of one thread.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION double take(const Member& member, const PassOf<Sweep>& pass) const {
    if (!pass.active) return 0;
    const Scalar unit = sweep.unit(sweep.energy());
    double sum = 0;
    chunks.template for_each<typename Sweep::array_layout>(
        member,
        [&](int item, int begin, int end) {
          take_piece<typename Items::RestSides>(chunks.columns, Items::column(system, item), pass,
                                                unit, begin, end, sum);
        },
        [&](int item, int begin, int end) {
          take_piece<typename Items::Sides>(chunks.packs, Items::pack(system, item), pass, unit,
                                            begin, end, sum);
        });
    return sum / (static_cast<double>(unit) * static_cast<double>(unit));
  }

 private:
  template <class Sides>
  KOKKOS_FORCEINLINE_FUNCTION void take_piece(const StencilChunks& own, int item,
                                              const PassOf<Sweep>& pass, Scalar unit, int begin,
                                              int end, double& sum) const {
    using Share = EdgeSumsShare<Scalar, Memory, Sides>;
    Share{system, own}.take_piece(pass.source, unit, typename Share::Tables(system, item), begin,
                                  end, sum);
  }
};

/// Sweeps over packs or pairs, and over single columns.
template <class Items, int LeastTeams, class Space, class System, class Sweep>
void traverse_mixed(const char* label, const Space& space, const System& system, const Sweep& sweep,
                    const TeamParts<typename System::memory_space>& parts) {
  const auto chunks = column_and_pack_chunks<typename Sweep::array_layout, LeastTeams>(
      space, Items::num_columns(system), Items::num_packs(system), longest_level_stride(sweep),
      system.topology.num_levels);
  launch_stencil<LeastTeams>(
      label, space, MixedTraversal<Items, Sweep>{system, sweep, chunks, parts, sums_of(sweep)},
      most_rounds<Sweep>);
}

/// <z, A z> over both.
template <class Items, class Space, class System, class Sweep>
void sum_edges_mixed(const char* label, const Space& space, const System& system,
                     const Sweep& sweep, const TeamParts<typename System::memory_space>& parts) {
  const auto chunks = column_and_pack_chunks<typename Sweep::array_layout>(
      space, Items::num_columns(system), Items::num_packs(system), longest_level_stride(sweep),
      system.topology.num_levels);
  launch_stencil(label, space,
                 MixedEdgeSums<Items, Sweep>{system, sweep, chunks, parts, sums_of(sweep)},
                 SweepTuning::reading_rounds);
}

}  // namespace Lamina::Impl
