// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/lines/impl/FactoredSegments_Device.hpp>
#include <lamina/lines/impl/LineTile_Host.hpp>
#include <lamina/lines/impl/LineWorkspace.hpp>
#include <lamina/lines/impl/StoredColumns.hpp>
#include <lamina/lines/impl/StoredLines_Device.hpp>
#include <lamina/lines/impl/TileFactors_Host.hpp>

namespace Lamina::Impl {

/// The kernels of `LineSolver`.
template <class Space, class Columns>
struct LineSolverKernels {
  using Scalar = typename Columns::scalar_type;
  using Layout = typename Columns::layout;
  using Memory = typename Columns::memory_space;
  using Fields = typename Columns::fields_type;
  using Workspace = LineWorkspace<Scalar, Memory>;
  static constexpr const char* label = "Lamina::LineSolver::solve";

  static constexpr LineScratch scratch_fields{.tile_fields = Columns::is_cyclic ? 6 : 5,
                                              .fields = Columns::is_cyclic ? 2 : 1};

  /// Solves for all right-hand sides of `fields`. Enqueued on `space`.
  // Not defined in the class: every source that calls an inline function compiles it.
  static void solve(const Space& space, const Columns& columns, const Fields& fields,
                    const Workspace& workspace);

  /// Prepares `workspace` for solves with these coefficients. Enqueued on `space`.
  static void prepare(const Space& space, const Columns& columns, const Workspace& workspace);

 private:
  static void solve_one(const Space& space, const Columns& columns, const Fields& fields,
                        const Workspace& workspace);
  /// One right-hand side on a device, one thread per column.
  static void solve_off_chip(const Space& space, const Columns& columns, const Fields& fields,
                             int n, const Workspace& workspace);
};

inline namespace LAMINA_LANES {

/// Plain stores where x is rhs: its cache lines are in cache already.
template <class Fields>
TileStore stored_tile_store(const Fields& fields, int n) {
  using Layout = typename Fields::Output::array_layout;
  return fields.x[n].data() == fields.rhs[n].data() ? TileStore::plain
                                                    : tile_store<Layout>(fields.x[n]);
}

/// The share of one worker of the host, for one right-hand side.
template <class Columns>
struct StoredTileLines {
  using Scalar = typename Columns::scalar_type;
  using Layout = typename Columns::layout;

  Columns columns;
  typename Columns::fields_type::Input rhs;
  typename Columns::fields_type::Output x;
  LineWorkspace<Scalar, Kokkos::HostSpace> workspace;
  TileStore store;

  void operator()(int worker) const {
    const int workers = workspace.num_workers(), num_levels = columns.num_levels();
    Scalar* const scratch = workspace.of_worker(worker, num_levels);
    for_each_tile<Scalar, Layout>(
        worker, workers, columns.num_columns(), [&](const TileColumns& tile) {
          StoredTileRows<Columns> rows(columns, tile, workspace.first_bad_column());
          const std::int64_t next = tile.first + tile_width<Scalar, Layout>;
          solve_tile<false, Scalar, Layout>(
              tile, num_levels, rows, rhs, x, scratch, store, [&](int step) {
                prefetch_tiles<Layout>(columns.fields, next, num_levels, step);
                prefetch_tile<Layout>(rhs, next, step);
              });
        });
    if (store != TileStore::plain) finish_streaming();
  }
};

/// The same for several right-hand sides, and for cyclic lines.
template <class Columns>
struct FactoredTileLines {
  using Scalar = typename Columns::scalar_type;
  using Layout = typename Columns::layout;

  Columns columns;
  typename Columns::fields_type fields;
  LineWorkspace<Scalar, Kokkos::HostSpace> workspace;

  void operator()(int worker) const {
    const int workers = workspace.num_workers(), num_levels = columns.num_levels();
    Scalar* const scratch = workspace.of_worker(worker, num_levels);
    for_each_tile<Scalar, Layout>(worker, workers, columns.num_columns(),
                                  [&](const TileColumns& tile) { solve(tile, scratch); });
    finish_streaming();
  }

 private:
  void solve(const TileColumns& tile, Scalar* scratch) const {
    const std::int64_t next = tile.first + tile_width<Scalar, Layout>;
    TileFactors<Columns> factors(
        columns, tile, workspace.first_bad_column(), scratch,
        [&](int step) { prefetch_tile<Layout>(fields.rhs[0], tile.first, step); });
    for (int n = 0; n < fields.count; ++n) {
      factors.solve(fields.rhs[n], fields.x[n], stored_tile_store(fields, n), [&](int step) {
        if (n + 1 < fields.count) {
          prefetch_tile<Layout>(fields.rhs[n + 1], tile.first, step);
        } else {
          prefetch_tiles<Layout>(columns.fields, next, columns.num_levels(), step);
        }
      });
    }
  }
};

}  // namespace LAMINA_LANES

// traffic, m right-hand sides: reads (num_fields + m) n, writes m n; flops: (4 + 5m) n
template <class Space, class Columns>
void LineSolverKernels<Space, Columns>::solve(const Space& space, const Columns& columns,
                                              const Fields& fields, const Workspace& workspace) {
  if (columns.num_columns() == 0 || columns.num_levels() == 0) return;
  if constexpr (!Columns::is_cyclic) {
    if (fields.count == 1) return solve_one(space, columns, fields, workspace);
  }
  if constexpr (runs_on_host<Space>) {
    Kokkos::parallel_for(label, range_of(space, workspace.num_workers()),
                         FactoredTileLines<Columns>{columns, fields, workspace});
  } else if (workspace.on_chip()) {
    run_factored_segments(label, space, columns, fields, workspace);
  } else {
    for (int n = 0; n < fields.count; ++n) solve_off_chip(space, columns, fields, n, workspace);
  }
}

template <class Space, class Columns>
void LineSolverKernels<Space, Columns>::solve_one(const Space& space, const Columns& columns,
                                                  const Fields& fields,
                                                  const Workspace& workspace) {
  if constexpr (runs_on_host<Space>) {
    Kokkos::parallel_for(label, range_of(space, workspace.num_workers()),
                         StoredTileLines<Columns>{columns, fields.rhs[0], fields.x[0], workspace,
                                                  stored_tile_store(fields, 0)});
  } else if (workspace.on_chip()) {
    run_line_segments(label, space, StoredLines<Columns>{columns, fields.rhs[0], fields.x[0]},
                      workspace.carries(), TeamParts<Memory>(), nullptr);
  } else {
    solve_off_chip(space, columns, fields, 0, workspace);
  }
}

template <class Space, class Columns>
void LineSolverKernels<Space, Columns>::solve_off_chip(const Space& space, const Columns& columns,
                                                       const Fields& fields, int n,
                                                       const Workspace& workspace) {
  if constexpr (!runs_on_host<Space>) {
    const auto scratch = [&](int field) {
      return workspace.template as_field<Layout>(columns.num_columns(), columns.num_levels(),
                                                 field);
    };
    Kokkos::parallel_for(label, range_of(space, columns.num_columns()),
                         StoredThreadLines<Columns>{columns, fields.rhs[n], fields.x[n], scratch(0),
                                                    scratch(scratch_fields.fields - 1),
                                                    workspace.first_bad_column()});
  }
}

template <class Space, class Columns>
void LineSolverKernels<Space, Columns>::prepare(const Space& space, const Columns& columns,
                                                const Workspace& workspace) {
  workspace.prepare(space, columns, columns.num_columns(), columns.num_inner_levels());
}

#define LAMINA_EXTERN_LINE_SOLVER(Space, Scalar, Layout)                                          \
  extern template struct LineSolverKernels<                                                       \
      Space, StoredColumns<                                                                       \
                 GeneralTridiagonal<Kokkos::View<const Scalar**, Layout, Space::memory_space>>>>; \
  extern template struct LineSolverKernels<                                                       \
      Space, StoredColumns<SymmetricTridiagonal<                                                  \
                 Kokkos::View<const Scalar**, Layout, Space::memory_space>>>>;                    \
  extern template struct LineSolverKernels<                                                       \
      Space, StoredColumns<                                                                       \
                 CyclicTridiagonal<Kokkos::View<const Scalar**, Layout, Space::memory_space>>>>;
LAMINA_FOR_EACH_FIELD(LAMINA_EXTERN_LINE_SOLVER)
#undef LAMINA_EXTERN_LINE_SOLVER

}  // namespace Lamina::Impl
