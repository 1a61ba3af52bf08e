// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/lines/impl/LineTile_Host.hpp>

#include <algorithm>
#include <array>

namespace Lamina::Impl {

/// How a team of a device shares columns, or packs of columns: `columns` of them at a time,
/// `segments` threads to each, `levels` levels to a thread (fewer in the last segments).
struct SegmentShape {
  int columns = 0, segments = 0, levels = 0;

  KOKKOS_FUNCTION int team_size() const { return columns * segments; }
};

/// Threads of a team that shares columns. Half of it is the usual size.
inline constexpr int max_segment_team = 512;

/// The shape for columns of this height, in segments of one of the given lengths: the one that pads
/// least, of equals the first. None (columns = 0) where columns do not fit on chip.
template <std::size_t Count>
SegmentShape segment_shape(int num_levels, const std::array<int, Count>& lengths) {
  // Fewer columns than `least_columns` leave parts of a memory transaction unused; fewer than
  // `good_columns` cost more than the threads of a greater team, which wait for each other.
  constexpr int least_columns = 8, good_columns = 16, most_columns = 64;
  SegmentShape shape;
  for (const int length : lengths) {
    const int segments = std::max(1, (num_levels + length - 1) / length);
    if (segments * least_columns > max_segment_team) continue;
    if (shape.levels == 0 || segments * length < shape.segments * shape.levels) {
      shape.segments = segments;
      shape.levels = length;
    }
  }
  if (shape.levels == 0) return shape;
  shape.columns = most_columns;
  const auto most_threads = [&] {
    return shape.columns > good_columns ? max_segment_team / 2 : max_segment_team;
  };
  while (shape.columns > least_columns && shape.team_size() > most_threads()) shape.columns /= 2;
  // A team is made of whole warps; segments beyond the top are empty.
  while (shape.team_size() % 32 != 0) ++shape.segments;
  return shape;
}

/// The value of the pivots' recurrence at the beginning of each segment of each column, see
/// `eliminate`.
template <class Scalar, class Memory>
struct LineCarries {
  SegmentShape shape;
  Kokkos::View<Scalar**, Kokkos::LayoutRight, Memory> values;  // (segment, column)
};

/// Computes the carries of a matrix, of which row(column, k) gives the rows.
template <class Scalar, class Memory, class Rows>
struct ComputeCarries {
  Rows rows;
  LineCarries<Scalar, Memory> carries;
  int num_levels;

  KOKKOS_FUNCTION void operator()(int column) const {
    Scalar carry = 0;
    for (int k = 0; k < num_levels; ++k) {
      if (k % carries.shape.levels == 0) carries.values(k / carries.shape.levels, column) = carry;
      eliminate(rows.row(column, k), carry);
    }
  }
};

/// Scratch of the line solves. On the host each worker has room for one tile. On a device there are
/// the carries; columns that do not fit on chip have room for their factors instead.
template <class Scalar, class Memory>
class LineWorkspace {
 public:
  LineWorkspace() = default;

  /// \param segment_lengths  levels that a thread of a device may hold in registers
  template <ExecutionSpace Space, std::size_t Count>
  LineWorkspace(const Space& space, int num_columns, int num_levels,
                const std::array<int, Count>& segment_lengths)
      : m_num_workers(runs_on_host<Space> ? static_cast<int>(space.concurrency()) : 0) {
    if constexpr (!runs_on_host<Space>)
      m_carries.shape = segment_shape(num_levels, segment_lengths);
    if (on_chip()) {
      m_carries.values = Kokkos::View<Scalar**, Kokkos::LayoutRight, Memory>(
          "Lamina::LineWorkspace::carries",  // 0 in empty segments
          static_cast<std::size_t>(m_carries.shape.segments),
          static_cast<std::size_t>(num_columns));
      return;
    }
    const std::size_t size =
        runs_on_host<Space>
            ? static_cast<std::size_t>(m_num_workers) * tile_scratch_size<Scalar>(num_levels)
            : static_cast<std::size_t>(num_columns) * static_cast<std::size_t>(num_levels);
    m_values = Kokkos::View<Scalar*, Memory>(
        Kokkos::view_alloc("Lamina::LineWorkspace::values", Kokkos::WithoutInitializing), size);
  }

  /// Host: number of workers that solve tiles at a time, and the scratch of one of them.
  int num_workers() const { return m_num_workers; }
  Scalar* of_worker(std::int64_t worker, int num_levels) const {
    return m_values.data() +
           static_cast<std::size_t>(worker) * tile_scratch_size<Scalar>(num_levels);
  }

  /// Device: whether columns are solved on chip, and with which carries.
  bool on_chip() const { return m_carries.shape.columns > 0; }
  const LineCarries<Scalar, Memory>& carries() const { return m_carries; }

  /// Values per cell that a solve moves in addition, because columns do not fit on a device's chip.
  double values_off_chip() const { return on_device() && !on_chip() ? 4 : 0; }

  /// Device: computes the carries of a matrix again. Enqueued on `space`.
  template <class Space, class Rows>
  void prepare(const Space& space, const Rows& rows, int num_columns, int num_levels) const {
    if (!on_chip()) return;
    Kokkos::parallel_for("Lamina::LineWorkspace::prepare",
                         Kokkos::RangePolicy<Space>(space, 0, num_columns),
                         ComputeCarries<Scalar, Memory, Rows>{rows, m_carries, num_levels});
  }

  /// Device, columns off chip: one value per cell.
  template <class Layout>
  FieldView<Scalar, Layout, Memory> as_field(int num_columns, int num_levels) const {
    return FieldView<Scalar, Layout, Memory>(m_values.data(), static_cast<std::size_t>(num_columns),
                                             static_cast<std::size_t>(num_levels));
  }

 private:
  bool on_device() const { return m_num_workers == 0; }

  int m_num_workers = 0;  // 0 on a device
  Kokkos::View<Scalar*, Memory> m_values;
  LineCarries<Scalar, Memory> m_carries;
};

}  // namespace Lamina::Impl
