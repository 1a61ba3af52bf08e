// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Sweeps on CPU cores: lanes run along the contiguous index of the layout.

#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/sweeps/impl/Rows_Host.hpp>
#include <lamina/sweeps/impl/SweepPath_Host.hpp>
#include <lamina/sweeps/impl/SweepTraits.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

template <class Coefficients, class Layout, class Source, class Sink>
class HostTraversal {
 public:
  using Scalar = typename Coefficients::scalar_type;
  using System = ColumnSystem<Coefficients>;
  using Sums = SweepSums<double, Sink>;

  HostTraversal(const System& system, const Source& source, const Sink& sink)
      : m_system(system), m_source(source), m_sink(sink) {}

  /// What workers share.
  static int num_items(const System& system) { return system.topology.num_owned; }
  /// Sweeps over columns and returns what the sink summed up.
  Sums sweep(const WorkRange& columns) const {
    // Quadrilaterals are worth their own instantiation: the loop over neighbours is unrolled. Where
    // some columns have more neighbours, the others still take it.
    const std::size_t slots = m_system.topology.neighbours.extent(1);
    if (slots == quadrilateral) return sweep_columns<Slots::four>(columns);
    return slots < quadrilateral ? sweep_columns<Slots::any>(columns)
                                 : sweep_columns<Slots::four_and_more>(columns);
  }

 private:
  using Rows = RowsOnHost<Coefficients>;
  using Vector = Lanes<Scalar>;
  using LaneSumsOfSink = SweepSums<LaneSums<Scalar>, Sink>;
  static constexpr int lanes = lane_count<Scalar>;
  /// Neighbours of the columns of a mesh.
  enum class Slots { four, four_and_more, any };
  struct NoSlots {
    constexpr int operator[](std::int64_t) const { return quadrilateral; }
  };
  /// Where neighbouring columns are contiguous they are swept in tiles.
  static constexpr std::int64_t tile = HostSweepTuning::tile_bytes / sizeof(Scalar);

  template <Slots OfMesh>
  Sums sweep_columns(const WorkRange& columns) const {
    Sums sums;
    if constexpr (levels_contiguous<Layout>) {
      LaneSumsOfSink lane_sums;
      for (std::int64_t column = columns.begin; column < columns.end; ++column) {
        if constexpr (OfMesh == Slots::four) {
          sweep_column<OfMesh, quadrilateral>(column, quadrilateral, lane_sums, sums);
        } else {
          const int slots = used_slots(m_system.topology, column);
          if (OfMesh == Slots::four_and_more && slots <= quadrilateral) {
            sweep_column<OfMesh, quadrilateral>(column, slots, lane_sums, sums);
          } else if (slots <= most_held) {
            sweep_column<OfMesh, most_held>(column, slots, lane_sums, sums);
          } else {
            sweep_column<OfMesh, 0>(column, slots, lane_sums, sums);
          }
        }
      }
      sums.add_total(lane_sums);
    } else {
      for (std::int64_t begin = columns.begin; begin < columns.end; begin += tile) {
        sweep_tile<OfMesh>({begin, std::min(begin + tile, columns.end)}, sums);
      }
    }
    return sums;
  }

  /// Lanes along the levels of one column. What lies above and below comes from the vectors before
  /// and after: a load at an odd address crosses cache lines, and where fields lie a multiple of
  /// 4 KiB apart it waits for stores that have nothing to do with it.
  /// `OfMesh`: each kind of mesh has its own, which the compiler then inlines.
  template <Slots OfMesh, int Held>
  void sweep_column(std::int64_t column, int slots, LaneSumsOfSink& lane_sums, Sums& sums) const {
    // Copies: stores to a field cannot change them.
    const Source source = m_source;
    const Sink sink = m_sink;
    const int num_levels = m_system.topology.num_levels, full = num_levels / lanes * lanes;
    const typename Rows::template Column<Held> rows(m_system, column, slots);
    LaneSumsOfSink column_sums;
    // Beyond either end the coupling is 0: any finite value will do.
    Vector previous{}, x = full > 0 ? source.template value<Vector>(column, 0) : Vector{};
    for (int k = 0; k < full; k += lanes) {
      const int after = k + lanes;
      Vector next{};
      if (after < full) {
        next = source.template value<Vector>(column, after);
      } else if (after < num_levels) {
        next[0] = source.template value<Scalar>(column, after);
      }
      sink.prefetch(column, k, host_prefetch_distance<Scalar>);
      const Vector image = rows.template image<Vector>(source, k, x, shift_down<Scalar>(x, next),
                                                       shift_up<Scalar>(previous, x));
      sink(column, k, x, image, column_sums);
      previous = x;
      x = next;
    }
    lane_sums += column_sums;
    for (int k = full; k < num_levels; ++k) take_cell(column, k, slots, sums);
  }

  /// Lanes along the columns of a tile, level by level.
  template <Slots OfMesh>
  void sweep_tile(const WorkRange& columns, Sums& sums) const {
    const int num_levels = m_system.topology.num_levels;
    const std::int64_t full = columns.begin + (columns.end - columns.begin) / lanes * lanes;
    // By group of columns. `slots` are those that it uses, where not all have four.
    bool contiguous[extent_of<tile / lanes>];
    std::conditional_t<OfMesh == Slots::four, NoSlots, int[extent_of<tile / lanes>]> slots;
    for (std::int64_t column = columns.begin; column < full; column += lanes) {
      const std::int64_t group = (column - columns.begin) / lanes;
      contiguous[group] = neighbours_contiguous<Scalar>(m_system.topology, column);
      if constexpr (OfMesh != Slots::four) {
        slots[group] = used_slots_of_lanes<Scalar>(m_system.topology, column);
      }
    }
    for (int k = 0; k < num_levels; ++k) {
      const std::int64_t next_level =
          k + 1 < num_levels ? static_cast<std::int64_t>(m_system.topology.num_columns) : 0;
      const int above = k + 1 < num_levels ? k + 1 : k, below = k > 0 ? k - 1 : k;
      const typename Rows::template Level<quadrilateral> four(m_system, k);
      const typename Rows::template Level<0> any(m_system, k);
      LaneSumsOfSink lane_sums;
      for (std::int64_t column = columns.begin; column < full; column += lanes) {
        const Vector x = at<Vector>(column, k);
        m_sink.prefetch(column, k, next_level);
        const std::int64_t group = (column - columns.begin) / lanes;
        const auto image_by = [&](const auto& rows) {
          return rows.image(m_source, column, contiguous[group], slots[group], x,
                            at<Vector>(column, above), at<Vector>(column, below));
        };
        if constexpr (OfMesh == Slots::four) {
          m_sink(column, k, x, image_by(four), lane_sums);
        } else {
          const bool few = OfMesh == Slots::four_and_more && slots[group] <= quadrilateral;
          m_sink(column, k, x, few ? image_by(four) : image_by(any), lane_sums);
        }
      }
      sums.add_total(lane_sums);
      for (std::int64_t column = full; column < columns.end; ++column) {
        take_cell(column, k, used_slots(m_system.topology, column), sums);
      }
    }
  }

  /// One cell, where lanes do not fit. Neighbours are a loop in all layouts: its sums then round in one
  /// way wherever a cell is.
  void take_cell(std::int64_t column, int k, int slots, Sums& sums) const {
    const typename Rows::template Column<0> rows(m_system, column, slots);
    const Scalar x = at<Scalar>(column, k);
    const Scalar image = rows.template image<Scalar>(
        m_source, k, x, at<Scalar>(column, k + 1 < m_system.topology.num_levels ? k + 1 : k),
        at<Scalar>(column, k > 0 ? k - 1 : k));
    m_sink(column, k, x, image, sums);
  }

  template <class Value>
  Value at(std::int64_t column, int level) const {
    return m_source.template value<Value>(column, level);
  }

  const System& m_system;
  const Source& m_source;
  const Sink& m_sink;
};

/// The traversal of a system.
template <class System, class Sweep>
struct HostTraversalOf;
template <class Coefficients, class Sweep>
struct HostTraversalOf<ColumnSystem<Coefficients>, Sweep> {
  using type =
      HostTraversal<Coefficients, typename Sweep::array_layout, SourceOf<Sweep>, SinkOf<Sweep>>;
};

/// The share of one worker.
template <class System, class Sweep>
struct HostSweepShare {
  using value_type = double[];
  const int value_count = SumEntries<Sweep>::count;

  System system;
  Sweep sweep;
  int workers;

  void operator()(int worker) const { run(worker); }
  void operator()(int worker, double* sums) const {
    const auto found = run(worker);
    for (int n = 0; n < SinkOf<Sweep>::num_sums; ++n) {
      using Entries = SumEntries<Sweep>;
      for (int i = 0; i < Entries::entries_of(n); ++i) {
        sums[Entries::entry_of(n, i)] += found.of[n];
      }
    }
  }

 private:
  using Traversal = typename HostTraversalOf<System, Sweep>::type;

  typename Traversal::Sums run(int worker) const {
    const auto pass = sweep.begin(worker == 0);
    if (!pass.active) return {};
    return Traversal(system, pass.source, pass.sink)
        .sweep(share_of(worker, workers, Traversal::num_items(system)));
  }
};

/// The path of a system, for a sweep of `Layout`. One that tells none has one path.
template <class Layout, class System>
void tell_host_path(const char*, const System&) {}
template <class Layout, class Coefficients>
void tell_host_path(const char* label, const ColumnSystem<Coefficients>& system) {
  if (wants_path(label)) keep_path(label, host_path_text<Layout>(system));
}

template <class Space, class System, class Sweep>
void run_host_sweep(const char* label, const Space& space, const System& system,
                    const Sweep& sweep) {
  using Share = HostSweepShare<System, Sweep>;
  const int workers = static_cast<int>(space.concurrency());
  const auto policy = range_of(space, workers);
  const Share share{.system = system, .sweep = sweep, .workers = workers};
  tell_host_path<typename Sweep::array_layout>(label, system);
  if constexpr (SinkOf<Sweep>::num_sums > 0) {
    using Sums = Kokkos::View<double*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    Kokkos::parallel_reduce(label, policy, share,
                            Sums(sweep.sums(), static_cast<std::size_t>(share.value_count)));
  } else {
    Kokkos::parallel_for(label, policy, share);
  }
}

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
