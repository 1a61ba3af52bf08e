// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/impl/Instantiate.hpp>
#include <lamina/lines/Tridiagonal.hpp>
#include <lamina/lines/impl/LineTile_Host.hpp>
#include <lamina/lines/impl/LineWorkspace.hpp>
#include <lamina/lines/impl/StoredLines_Device.hpp>

#include <limits>

namespace Lamina::Impl {

/// Coefficients of `LineSolver` as unmanaged Views, whatever Views the user holds.
template <class Coefficients>
struct StoredColumns;

template <template <class> class Form, class V>
struct StoredColumns<Form<V>> {
  using scalar_type = typename V::non_const_value_type;
  using memory_space = typename V::memory_space;
  using layout = typename V::array_layout;
  using field_type = FieldView<const scalar_type, layout, memory_space>;
  static constexpr int num_fields = Form<V>::num_fields;

  field_type fields[num_fields];

  template <class Value>
  KOKKOS_INLINE_FUNCTION static auto make_row(const Value* cell, const Value* below) {
    return Form<V>::row(cell, below);
  }

  /// Row k of a column. Level k - 1 counts as 0 for k = 0.
  KOKKOS_INLINE_FUNCTION auto row(std::int64_t column, int k) const {
    scalar_type cell[num_fields], below[num_fields];
    for (int i = 0; i < num_fields; ++i) {
      cell[i] = fields[i](column, k);
      below[i] = k > 0 ? fields[i](column, k - 1) : scalar_type(0);
    }
    return make_row(cell, below);
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
  StoredTileRows(const Columns& columns, const TileColumns& tile)
      : m_columns(columns), m_tile(tile) {
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

 private:
  const Columns& m_columns;
  TileColumns m_tile;
  Block m_blocks[Columns::num_fields];
  Vector m_below[Columns::num_fields][Block::groups];
};

}  // namespace LAMINA_LANES

template <class Space, class Columns>
struct LineSolverKernels {
  using Scalar = typename Columns::scalar_type;
  using Layout = typename Columns::layout;
  using Memory = typename Columns::memory_space;
  using Input = FieldView<const Scalar, Layout, Memory>;
  using Output = FieldView<Scalar, Layout, Memory>;
  using Workspace = LineWorkspace<Scalar, Memory>;

  // Defined outside, as the others: a function that is inline is compiled by all who call it.
  static void solve(const Space& space, const Columns& columns, const Input& rhs, const Output& x,
                    const Workspace& workspace);

  /// First column with a pivot that is zero or not finite, or -1. Prepares `workspace` for
  /// solves with these coefficients. Fences `space`.
  static int prepare(const Space& space, const Columns& columns, const Workspace& workspace,
                     int num_columns, int num_levels);
};

// traffic: reads (num_fields + 1) n, writes n; flops: 9n
template <class Space, class Columns>
void LineSolverKernels<Space, Columns>::solve(const Space& space, const Columns& columns,
                                              const Input& rhs, const Output& x,
                                              const Workspace& workspace) {
  const int num_columns = static_cast<int>(x.extent(0)), num_levels = static_cast<int>(x.extent(1));
  if (num_columns == 0 || num_levels == 0) return;
  if constexpr (runs_on_host<Space>) {
    // In place, the line to be overwritten is in cache already.
    const TileStore store = x.data() == rhs.data() ? TileStore::plain : tile_store<Layout>(x);
    const int workers = workspace.num_workers();
    Kokkos::parallel_for(
        "Lamina::LineSolver::solve", Kokkos::RangePolicy<Space>(space, 0, workers),
        [=](int worker) {
          for_each_tile<Scalar, Layout>(worker, workers, num_columns, [&](const TileColumns& tile) {
            StoredTileRows<Columns> rows(columns, tile);
            const std::int64_t next = tile.first + tile_width<Scalar, Layout>;
            solve_tile<false, Scalar, Layout>(
                tile, num_levels, rows, rhs, x, workspace.of_worker(worker, num_levels), store,
                [&](int step) {
                  prefetch_tiles<Layout>(columns.fields, next, num_levels, step);
                  prefetch_tile<Layout>(rhs, next, step);
                });
          });
          if (store != TileStore::plain) finish_streaming();
        });
  } else {
    const char* label = "Lamina::LineSolver::solve";
    if (workspace.on_chip()) {
      run_line_segments(label, space, StoredLines<Columns>{columns, rhs, x}, workspace.carries(),
                        TeamParts<Memory>(), nullptr);
    } else {
      Kokkos::parallel_for(
          label, Kokkos::RangePolicy<Space>(space, 0, num_columns),
          StoredThreadLines<Columns>{columns, rhs, x,
                                     workspace.template as_field<Layout>(num_columns, num_levels)});
    }
  }
}

template <class Space, class Columns>
int LineSolverKernels<Space, Columns>::prepare(const Space& space, const Columns& columns,
                                               const Workspace& workspace, int num_columns,
                                               int num_levels) {
  workspace.prepare(space, columns, num_columns, num_levels);
  int first = std::numeric_limits<int>::max();
  Kokkos::parallel_reduce("Lamina::LineSolver::check",
                          Kokkos::RangePolicy<Space>(space, 0, num_columns),
                          FindBadColumn<Columns>{columns, num_levels}, Kokkos::Min<int>(first));
  return first == std::numeric_limits<int>::max() ? -1 : first;
}

#define LAMINA_EXTERN_LINE_SOLVER(Space, Scalar, Layout)                                          \
  extern template struct LineSolverKernels<                                                       \
      Space, StoredColumns<                                                                       \
                 GeneralTridiagonal<Kokkos::View<const Scalar**, Layout, Space::memory_space>>>>; \
  extern template struct LineSolverKernels<                                                       \
      Space, StoredColumns<SymmetricTridiagonal<                                                  \
                 Kokkos::View<const Scalar**, Layout, Space::memory_space>>>>;
LAMINA_FOR_EACH_FIELD(LAMINA_EXTERN_LINE_SOLVER)
#undef LAMINA_EXTERN_LINE_SOLVER

}  // namespace Lamina::Impl
