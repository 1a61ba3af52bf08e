// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Sweeps on a device. One thread takes a few levels of one column, or of a pack of columns, and walks
// upwards: values of the level above become those of the next one.

#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/StencilChunks_Device.hpp>
#include <lamina/device/impl/TeamSums_Device.hpp>
#include <lamina/sweeps/impl/SweepTraits.hpp>
#include <lamina/sweeps/impl/Tuning.hpp>

#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

/// A source or sink whose level 0 is the given one, if it has such a form.
template <class Field>
inline constexpr bool has_rows = requires(const Field& field) {
  field.from(0);
};

/// A stencil that walks across levels by itself, see `GridStencil`.
template <class Stencil, class Pass>
inline constexpr bool walks_itself = requires(const Stencil& stencil,
                                              const typename Stencil::System& system,
                                              const Pass& pass,
                                              SweepSums<double, typename Pass::sink_type>& sums) {
  stencil.walk(system, pass.source, pass.sink, 0, 0, sums);
};

/// What a thread holds of columns changes at levels where cells or edges end: see `ProfileColumns`.
template <class Columns>
concept closes_cells = requires(const Columns& columns) {
  columns.next_end();
};

/// What a walk knows of a level: whether something ends there, and whether some of the columns have ended.
template <bool Closes, bool HasDry>
struct LevelKind {
  static constexpr bool closes = Closes, has_dry = HasDry;
};

/// take_level(k, kind) of first <= k < last. `Together`: levels whose loads are in flight at once.
template <int Together, class Columns, class TakeLevel>
KOKKOS_FORCEINLINE_FUNCTION void walk_up(const Columns& columns, int offset, int first, int last,
                                         const TakeLevel& take_level) {
  if constexpr (closes_cells<Columns>) {
    for (int k = first; k < last;) {
      if (k + offset >= columns.next_end()) take_level(k++, LevelKind<true, true>());
      const int end = columns.next_end() - offset, stop = end < last ? end : last;
      if (columns.has_dry()) {
        for (; k < stop; ++k) take_level(k, LevelKind<false, true>());
      } else {
        LAMINA_DEVICE_UNROLL(Together)
        for (; k < stop; ++k) take_level(k, LevelKind<false, false>());
      }
    }
  } else {
    LAMINA_DEVICE_UNROLL(Together)
    for (int k = first; k < last; ++k) take_level(k, LevelKind<false, false>());
  }
}

/// Levels of a column that a stencil takes at once, where these are contiguous.
template <class Stencil>
inline constexpr int levels_at_once = 1;
template <class Stencil>
requires requires { Stencil::levels; }
inline constexpr int levels_at_once<Stencil> = Stencil::levels;
template <class Stencil>
inline constexpr bool takes_level_packs = (levels_at_once<Stencil>) > 1;

/// One thread's share of a sweep.
template <class System, class Stencil, class Sweep>
struct SweepShare {
  using Value = typename Stencil::Value;
  using Layout = typename Sweep::array_layout;
  using Sums = SweepSums<double, SinkOf<Sweep>>;

  static constexpr bool walks = walks_itself<Stencil, PassOf<Sweep>>;
  static constexpr bool prepares = Stencil::width > 1 && !walks;

  const System& system;
  const StencilChunks& chunks;

  /// The stencil of the thread's first piece, for packs of columns. Single columns are taken when their turn
  /// comes; see docs/developer/tuning.md.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION Stencil prepare(const Member& member) const {
    if constexpr (!prepares) {
      return Stencil();
    } else {
      Stencil stencil;
      chunks.template for_first<Layout>(
          member, [&](int item, int, int) { stencil = Stencil(system, item); });
      return stencil;
    }
  }
  /// What it sums up. `pass` is what `begin` of the sweep gave, `prepared` what `prepare` did.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION Sums take(const Member& member, const PassOf<Sweep>& pass,
                                        const Stencil& prepared) const {
    Sums sums;
    if (!pass.active) return sums;
    Stencil stencil = prepared;
    bool is_prepared = prepares;
    chunks.template for_each<Layout>(member, [&](int item, int begin, int end) {
      if (!is_prepared) stencil = Stencil(system, item);
      is_prepared = false;
      take_piece(pass, stencil, begin, end, sums);
    });
    return sums;
  }
  /// Levels begin <= k < end of what a stencil holds, or every `step`-th of them, or of their packs, where levels are
  /// contiguous.
  KOKKOS_FORCEINLINE_FUNCTION void take_piece(const PassOf<Sweep>& pass, const Stencil& stencil,
                                              int begin, int end, Sums& sums) const {
    if constexpr (walks) {
      static_assert(!levels_contiguous<Layout>, "such stencils take consecutive lines");
      stencil.walk(system, pass.source, pass.sink, begin, end, sums);
    } else if constexpr (levels_contiguous<Layout>) {
      const int step = chunks.template step<Layout>();
      for (int k = begin; k < end; k += step) {
        if constexpr (takes_level_packs<Stencil>) {
          take_levels(pass, stencil, k * levels_at_once<Stencil>, sums);
        } else {
          walk(pass.source, pass.sink, stencil, 0, k, k + 1, sums);
        }
      }
    } else if constexpr (!has_rows<SourceOf<Sweep>> || !has_rows<SinkOf<Sweep>>) {
      walk(pass.source, pass.sink, stencil, 0, begin, end, sums);
    } else {
      walk(pass.source.from(begin), pass.sink.from(begin), stencil, begin, 0, end - begin, sums);
    }
  }

 private:
  /// A pack of levels of a column.
  KOKKOS_FORCEINLINE_FUNCTION void take_levels(const PassOf<Sweep>& pass, const Stencil& stencil,
                                               int first, Sums& sums) const {
    if constexpr (has_rows<SourceOf<Sweep>> && has_rows<SinkOf<Sweep>>) {
      take_pack(pass.source.from(first), pass.sink.from(first), stencil, first, 0, sums);
    } else {
      take_pack(pass.source, pass.sink, stencil, 0, first, sums);
    }
  }
  /// The same, from level k of source and sink on, which is level k + offset of the mesh. Beyond either end of the
  /// column the coupling is 0: any finite value will do.
  template <class Source, class Sink>
  KOKKOS_FORCEINLINE_FUNCTION void take_pack(const Source& source, const Sink& sink,
                                             const Stencil& stencil, int offset, int k,
                                             Sums& sums) const {
    using Scalar = std::remove_cvref_t<decltype(Value()[0])>;
    constexpr int levels = levels_at_once<Stencil>;
    const auto& column = stencil.columns();
    const int last = k + levels - 1;
    // What the sink reads is on its way while the image is computed.
    sink.prefetch(column, k, 0);
    const Scalar before = source.template value<Scalar>(column, k + offset > 0 ? k - 1 : k);
    const Scalar behind = source.template value<Scalar>(
        column, last + offset + 1 < system.topology.num_levels ? last + 1 : last);
    const Value x = source.template value<Value>(column, k);
    Value below, above;
    LAMINA_DEVICE_UNROLL()
    for (int i = 0; i < levels; ++i) {
      below[i] = i > 0 ? x[i > 0 ? i - 1 : 0] : before;
      above[i] = i + 1 < levels ? x[i + 1 < levels ? i + 1 : i] : behind;
    }
    sink(column, k, x, stencil.image(system, source, k, k + offset, x, above, below), sums);
  }
  /// Levels first <= k < last of source and sink, which are levels k + offset of the mesh.
  template <class Source, class Sink>
  KOKKOS_FORCEINLINE_FUNCTION void walk(const Source& source, const Sink& sink,
                                        const Stencil& stencil, int offset, int first, int last,
                                        Sums& sums) const {
    const auto& columns = stencil.columns();
    Value below = source.template value<Value>(columns, first + offset > 0 ? first - 1 : first);
    Value x = source.template value<Value>(columns, first);
    // Single columns have too little under way by themselves.
    constexpr int ahead = SweepTuning::levels_ahead;
    const auto take_level = [&](int k, auto kind) {
      if constexpr (Stencil::width == 1) {
        if (k + ahead < last) {
          source.prefetch(columns, k + ahead, 0);
          sink.prefetch(columns, k + ahead, 0);
        }
      }
      const Value above = source.template value<Value>(
          columns, k + offset + 1 < system.topology.num_levels ? k + 1 : k);
      const auto image_of = [&] {
        if constexpr (closes_cells<Stencil>) {
          Value reached = above;
          if constexpr (kind.closes) stencil.close(system, k + offset, x, reached);
          return stencil.image(system, source, k, k + offset, x, reached, below, kind);
        } else {
          return stencil.image(system, source, k, k + offset, x, above, below);
        }
      };
      sink(columns, k, x, image_of(), sums);
      below = x;
      x = above;
    };
    // Without stores, loads of several levels are in flight.
    walk_up<SinkOf<Sweep>::stores ? 1 : SweepTuning::levels_together>(stencil, offset, first, last,
                                                                      take_level);
  }
};

/// The sums of a sweep go to their entries of `sums`, once all teams have theirs. See `TeamParts`.
template <class Sweep, class Memory, class Member>
KOKKOS_FORCEINLINE_FUNCTION void add_up_sweep(const TeamParts<Memory>& parts, const Member& member,
                                              const SweepSums<double, SinkOf<Sweep>>& found,
                                              double* sums) {
  if constexpr (SinkOf<Sweep>::num_sums > 0) {
    parts.template add_up<SinkOf<Sweep>::num_sums>(
        member, static_cast<double*>(member.scratch()), found.of, [=](int n, double sum) {
          using Entries = SumEntries<Sweep>;
          for (int i = 0; i < Entries::entries_of(n); ++i) sums[Entries::entry_of(n, i)] = sum;
        });
  }
}

template <class System, class Stencil, class Sweep>
struct DeviceTraversal {
  System system;
  Sweep sweep;
  StencilChunks chunks;
  TeamParts<typename System::memory_space> parts;
  double* sums;  // where they go

  using Share = SweepShare<System, Stencil, Sweep>;

  template <class Member>
  KOKKOS_FUNCTION auto prepare(const Member& member) const {
    return Share{system, chunks}.prepare(member);
  }
  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, const Stencil& prepared) const {
    const bool leader = member.league_rank() == 0 && member.team_rank() == 0;
    const auto found = Share{system, chunks}.take(member, sweep.begin(leader), prepared);
    add_up_sweep<Sweep>(parts, member, found, sums);
  }
};

/// Teams on a multiprocessor, at least.
template <class Layout>
inline constexpr int least_sweep_teams =
    levels_contiguous<Layout> ? CellTuning::least_teams : StencilTuning::least_teams;

/// Rounds that teams of a sweep may go, see `launch_stencil`. Where levels are contiguous all that teams read at a
/// time is together anyway.
template <class Sweep>
inline constexpr int most_rounds = levels_contiguous<typename Sweep::array_layout>
                                       ? any_number_of_rounds
                                       : (SinkOf<Sweep>::stores ? 1 : SweepTuning::reading_rounds);

/// Threads of a column of contiguous levels that need few levels each: a warp where coefficients are read for each cell
/// (`fields`), as then little is read once for a column.
template <class System>
constexpr int few_threads_of_column() {
  if constexpr (requires { System::coefficients_type::fields; }) {
    if (System::coefficients_type::fields > 0) return CellTuning::few_threads_with_stored;
  }
  return CellTuning::few_threads;
}

/// Sweeps over all items of a stencil, in the given pieces. See `launch_stencil`.
template <class Stencil, int LeastTeams = StencilTuning::least_teams, class Space, class System,
          class Sweep>
void traverse_chunks(const char* label, const Space& space, const System& system,
                     const Sweep& sweep, const TeamParts<typename System::memory_space>& parts,
                     const StencilChunks& chunks, int rounds,
                     KernelStart start = KernelStart::overlapped) {
  constexpr int threads =
      takes_level_packs<Stencil> ? LevelPackTuning::sweep_threads : StencilTuning::threads;
  launch_stencil<LeastTeams, threads>(
      label, space,
      DeviceTraversal<System, Stencil, Sweep>{system, sweep, chunks, parts, sums_of(sweep)}, rounds,
      start);
}

/// The same in pieces of the best length. `Teams`: on a multiprocessor, at least; 0: `least_sweep_teams`.
template <class Stencil, int Teams = 0, class Space, class System, class Sweep>
void traverse_on_device(const char* label, const Space& space, const System& system,
                        const Sweep& sweep, const TeamParts<typename System::memory_space>& parts) {
  using Layout = typename Sweep::array_layout;
  constexpr int LeastTeams = Teams > 0 ? Teams : least_sweep_teams<Layout>;
  const auto chunks = stencil_chunks<Layout, LeastTeams>(
      space, Stencil::count(system), longest_level_stride(sweep),
      system.topology.num_levels / levels_at_once<Stencil>, few_threads_of_column<System>());
  traverse_chunks<Stencil, LeastTeams>(label, space, system, sweep, parts, chunks,
                                       most_rounds<Sweep>);
}

}  // namespace Lamina::Impl
