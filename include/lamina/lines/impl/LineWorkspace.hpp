// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/lines/impl/FirstBadColumn.hpp>
#include <lamina/lines/impl/LineTile_Host.hpp>
#include <lamina/lines/impl/Tuning.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace Lamina::Impl {

/// How a device cuts a column into segments: `count` segments of `levels` levels, the last one
/// shorter. A thread holds a segment in registers. There is no cut where columns do not fit on
/// chip.
struct LineCut {
  int count = 0, levels = 0;

  bool exists() const { return count > 0; }
  /// Segments with the empty ones beyond the top that fill the warps of a team.
  int padded_count() const {
    constexpr int multiple = warp_lanes / LineSegmentTuning::least_columns;
    return (count + multiple - 1) / multiple * multiple;
  }
};

/// The cut of a column into segments of one of the given lengths: the length that pads least, the
/// first of equal ones.
template <std::size_t Count>
LineCut line_cut(int num_levels, const std::array<int, Count>& lengths) {
  LineCut cut;
  for (const int length : lengths) {
    const int segments = std::max(1, (num_levels + length - 1) / length);
    if (segments * LineSegmentTuning::least_columns > LineSegmentTuning::max_threads) continue;
    if (!cut.exists() || segments * length < cut.count * cut.levels) cut = {segments, length};
  }
  return cut;
}

/// The shape of a team of a device: `columns` columns, or packs of columns, with `segments` threads
/// each.
struct SegmentShape {
  int columns = 0, segments = 0;

  KOKKOS_FUNCTION int team_size() const { return columns * segments; }
};

/// \param cut   one that exists
/// \param good  the shape takes fewer columns only where the team would exceed `max_threads`, and
///   more threads only where it would have fewer columns
inline SegmentShape segment_shape(const LineCut& cut, const LineSegmentTuning::Team& good) {
  SegmentShape shape{LineSegmentTuning::most_columns, cut.count};
  const auto most_threads = [&] {
    return shape.columns > good.columns ? good.threads : LineSegmentTuning::max_threads;
  };
  while (shape.columns > LineSegmentTuning::least_columns && shape.team_size() > most_threads()) {
    shape.columns /= 2;
  }
  while (shape.team_size() % warp_lanes != 0) ++shape.segments;  // whole warps
  return shape;
}

template <class Scalar, class Memory>
using LineCarryView = Kokkos::View<Scalar**, Kokkos::LayoutRight, Memory>;

/// The carries: the value of the pivots' recurrence at the beginning of each segment of each
/// column, see `eliminate`.
template <class Scalar, class Memory>
struct LineCarries {
  LineCut cut;
  LineCarryView<Scalar, Memory> values;  // (segment, column)
};

/// Computes the carries of a matrix whose rows are rows.row(column, k). It also checks the pivots:
/// solves on chip need not do so.
// traffic: reads the coefficients, writes a value a segment
template <class Scalar, class Memory, class Rows>
struct ComputeCarries {
  Rows rows;
  LineCarries<Scalar, Memory> carries;
  int num_levels;
  FirstBadColumn<Memory> first_bad;

  KOKKOS_FUNCTION void operator()(int column) const {
    Scalar carry = 0;
    bool usable = true;
    for (int k = 0; k < num_levels; ++k) {
      if (k % carries.cut.levels == 0) carries.values(k / carries.cut.levels, column) = carry;
      usable &= eliminate(rows.row(column, k), carry).usable();
    }
    if (!usable) first_bad.note(column);
  }
};

/// The scratch that a solve needs.
struct LineScratch {
  int tile_fields = 3;  ///< on the host: fields of a tile, for each worker
  int fields = 1;       ///< on a device, where columns do not fit on chip: fields of all columns
};

/// Scratch of the line solves. On the host each worker has scratch for one tile. On a device the
/// workspace holds the carries, or the factors of columns that do not fit on chip.
template <class Scalar, class Memory>
class LineWorkspace {
 public:
  LineWorkspace() = default;

  /// \param segment_lengths  levels that a thread of a device may hold in registers
  template <ExecutionSpace Space, std::size_t Count>
  LineWorkspace(const Space& space, int num_columns, int num_levels,
                const std::array<int, Count>& segment_lengths, const LineScratch& scratch = {})
      : m_num_workers(runs_on_host<Space> ? static_cast<int>(space.concurrency()) : 0),
        m_scratch(scratch),
        m_first_bad("Lamina::LineWorkspace::first_bad_column") {
    if constexpr (!runs_on_host<Space>) m_carries.cut = line_cut(num_levels, segment_lengths);
    if (on_chip()) {
      m_carries.values =
          LineCarryView<Scalar, Memory>("Lamina::LineWorkspace::carries",  // 0 in empty segments
                                        static_cast<std::size_t>(m_carries.cut.padded_count()),
                                        static_cast<std::size_t>(num_columns));
      return;
    }
    const std::size_t size =
        runs_on_host<Space>
            ? static_cast<std::size_t>(m_num_workers) * size_of_worker(num_levels)
            : static_cast<std::size_t>(scratch.fields) * static_cast<std::size_t>(num_columns) *
                  static_cast<std::size_t>(num_levels);
    m_values = Kokkos::View<Scalar*, Memory>(
        Kokkos::view_alloc("Lamina::LineWorkspace::values", Kokkos::WithoutInitializing), size);
  }

  /// Bytes in `Memory` of a workspace.
  template <ExecutionSpace Space, std::size_t Count>
  static double required_bytes(const Space& space, std::int64_t num_columns, int num_levels,
                               const std::array<int, Count>& segment_lengths,
                               const LineScratch& scratch = {}) {
    double values;
    if constexpr (runs_on_host<Space>) {
      values = static_cast<double>(space.concurrency()) * scratch.tile_fields *
               static_cast<double>(tile_field_size<Scalar>(num_levels));
    } else {
      const LineCut cut = line_cut(num_levels, segment_lengths);
      values = static_cast<double>(num_columns) *
               (cut.exists() ? cut.padded_count() : scratch.fields * num_levels);
    }
    return values * sizeof(Scalar) + sizeof(int);
  }

  /// Host: the number of workers, each of which solves one tile at a time, and the scratch of a
  /// worker.
  int num_workers() const { return m_num_workers; }
  Scalar* of_worker(std::int64_t worker, int num_levels) const {
    return m_values.data() + static_cast<std::size_t>(worker) * size_of_worker(num_levels);
  }

  /// Device: whether columns are solved on chip, and the carries.
  bool on_chip() const { return m_carries.cut.exists(); }
  const LineCarries<Scalar, Memory>& carries() const { return m_carries; }

  /// Values per cell that a solve moves in addition where columns do not fit on chip: it writes and
  /// reads each field of scratch, and writes and reads the solution once more.
  double values_off_chip() const {
    return on_device() && !on_chip() ? 2 + 2 * m_scratch.fields : 0;
  }

  /// Where solves note bad pivots.
  const FirstBadColumn<Memory>& first_bad_column() const { return m_first_bad; }

  /// Prepares for a matrix: forgets bad pivots, and computes the carries on a device. Enqueued on
  /// `space`.
  template <class Space, class Rows>
  void prepare(const Space& space, const Rows& rows, int num_columns, int num_levels) const {
    const char* label = "Lamina::LineWorkspace::prepare";
    m_first_bad.reset(label, space);
    if (!on_chip()) return;
    Kokkos::parallel_for(
        label, range_of(space, num_columns),
        ComputeCarries<Scalar, Memory, Rows>{rows, m_carries, num_levels, m_first_bad});
  }

  /// Device, columns off chip: field `n` of scratch.
  template <class Layout>
  FieldView<Scalar, Layout, Memory> as_field(int num_columns, int num_levels, int n = 0) const {
    const auto columns = static_cast<std::size_t>(num_columns),
               levels = static_cast<std::size_t>(num_levels);
    return FieldView<Scalar, Layout, Memory>(
        m_values.data() + static_cast<std::size_t>(n) * columns * levels, columns, levels);
  }

 private:
  bool on_device() const { return m_num_workers == 0; }
  std::size_t size_of_worker(int num_levels) const {
    return static_cast<std::size_t>(m_scratch.tile_fields) * tile_field_size<Scalar>(num_levels);
  }

  int m_num_workers = 0;  // 0 on a device
  LineScratch m_scratch;
  FirstBadColumn<Memory> m_first_bad;
  Kokkos::View<Scalar*, Memory> m_values;
  LineCarries<Scalar, Memory> m_carries;
};

}  // namespace Lamina::Impl
