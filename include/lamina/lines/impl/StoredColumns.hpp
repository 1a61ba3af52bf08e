// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Lines with stored coefficients, as kernels capture them.

#include <lamina/core/Concepts.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/lines/CyclicTridiagonal.hpp>
#include <lamina/lines/Tridiagonal.hpp>
#include <lamina/lines/impl/FirstBadColumn.hpp>
#include <lamina/lines/impl/LineTile_Host.hpp>
#include <lamina/lines/impl/Tuning.hpp>

#include <cstdint>

namespace Lamina::Impl {

/// Right-hand sides and solutions of one launch.
template <class Scalar, class Layout, class Memory>
struct RhsBatch {
  using Input = FieldView<const Scalar, Layout, Memory>;
  using Output = FieldView<Scalar, Layout, Memory>;
  static constexpr int capacity = RhsBatchTuning::most_rhs;

  int count = 0;
  Input rhs[capacity];
  Output x[capacity];

  void add(const Input& b, const Output& solution) {
    rhs[count] = b;
    x[count] = solution;
    ++count;
  }
};

/// Coefficients of `LineSolver` as unmanaged Views, whatever Views the user holds.
template <class Coefficients>
struct StoredColumns;

template <template <class> class Form, class V>
struct StoredColumns<Form<V>> {
  using scalar_type = typename V::non_const_value_type;
  using memory_space = typename V::memory_space;
  using layout = typename V::array_layout;
  using field_type = FieldView<const scalar_type, layout, memory_space>;
  using fields_type = RhsBatch<scalar_type, layout, memory_space>;
  static constexpr bool is_cyclic = Form<V>::is_cyclic;
  static constexpr int num_fields = Form<V>::num_fields;
  /// Fields whose value at the first, or at the last, level has no effect. -1: none.
  static constexpr int field_below_first = Form<V>::field_below_first;
  static constexpr int field_above_last = Form<V>::field_above_last;

  field_type fields[extent_of<num_fields>];

  KOKKOS_INLINE_FUNCTION int num_columns() const { return static_cast<int>(fields[0].extent(0)); }
  KOKKOS_INLINE_FUNCTION int num_levels() const { return static_cast<int>(fields[0].extent(1)); }
  /// Levels of the tridiagonal matrix that is eliminated. A cyclic matrix leaves out its last
  /// level.
  KOKKOS_INLINE_FUNCTION int num_inner_levels() const {
    return is_cyclic && num_levels() > 0 ? num_levels() - 1 : num_levels();
  }

  template <class Value>
  KOKKOS_INLINE_FUNCTION static auto make_row(const Value* cell, const Value* below) {
    return Form<V>::row(cell, below);
  }

  /// Row k of a column. Level k - 1 counts as 0 for k = 0.
  KOKKOS_INLINE_FUNCTION auto row(std::int64_t column, int k) const {
    scalar_type cell[extent_of<num_fields>], below[extent_of<num_fields>];
    for (int i = 0; i < num_fields; ++i) {
      const bool beyond =
          (i == field_below_first && k == 0) || (i == field_above_last && k == num_levels() - 1);
      cell[i] = beyond ? scalar_type(0) : fields[i](column, k);
      below[i] = k > 0 ? fields[i](column, k - 1) : scalar_type(0);
    }
    return make_row(cell, below);
  }

  /// Whether all pivots of a column are usable.
  KOKKOS_INLINE_FUNCTION bool pivots_usable(std::int64_t column) const {
    scalar_type carry = 0;
    for (int k = 0; k < num_inner_levels(); ++k) {
      if (!eliminate(row(column, k), carry).usable()) return false;
    }
    return true;
  }
};

inline namespace LAMINA_LANES {

/// Rows of a tile in vector lanes, see `solve_tile`.
template <class Columns>
class StoredTileRows {
  using Scalar = typename Columns::scalar_type;
  using Vector = Lanes<Scalar>;
  using Block = TileBlock<Scalar, typename Columns::layout>;

 public:
  StoredTileRows(const Columns& columns, const TileColumns& tile,
                 const FirstBadColumn<Kokkos::HostSpace>& first_bad)
      : m_columns(columns), m_tile(tile), m_first_bad(first_bad) {
    for (auto& field : m_below) {
      for (auto& group : field) group = Vector{};
    }
  }
  void stage(int first_level, int num_levels) {
    if (first_level > 0) {  // blocks are staged in order, all but the last one full
      for (int i = 0; i < Columns::num_fields; ++i) {
        for (int g = 0; g < Block::groups; ++g)
          m_below[i][g] = m_blocks[i].values[g][Block::lanes - 1];
      }
    }
    for (int i = 0; i < Columns::num_fields; ++i) {
      m_blocks[i].load(m_columns.fields[i], m_tile, first_level, num_levels);
    }
    if (first_level == 0) clear(Columns::field_below_first, 0);
    if (first_level + num_levels == m_columns.num_levels()) {
      clear(Columns::field_above_last, num_levels - 1);
    }
  }
  int level(int l) const { return l; }
  auto row(int l, int g) const {
    Vector cell[Columns::num_fields], below[Columns::num_fields];
    for (int i = 0; i < Columns::num_fields; ++i) {
      cell[i] = m_blocks[i].values[g][l];
      below[i] = l > 0 ? m_blocks[i].values[g][l - 1] : m_below[i][g];
    }
    return Columns::make_row(cell, below);
  }
  Scalar scale(int) const { return 1; }

  /// Checks column by column, and notes the first bad one.
  void note_bad_pivots() const {
    for (std::int64_t column = m_tile.first; column < m_tile.first + m_tile.count; ++column) {
      if (!m_columns.pivots_usable(column)) return note(column);
    }
  }
  void note(std::int64_t column) const { m_first_bad.note(static_cast<int>(column)); }

 private:
  void clear(int field, int l) {
    if (field < 0) return;
    for (auto& group : m_blocks[field].values) group[l] = Vector{};
  }

  const Columns& m_columns;
  TileColumns m_tile;
  const FirstBadColumn<Kokkos::HostSpace>& m_first_bad;
  Block m_blocks[Columns::num_fields];
  Vector m_below[Columns::num_fields][Block::groups];
};

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
