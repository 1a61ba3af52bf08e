// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/lines/impl/LineTile_Host.hpp>

namespace Lamina::Impl {

/// Scratch of the line solves. On the host each worker has room for one tile; on a device every
/// column has room for its factors.
template <class Scalar, class Memory>
class LineWorkspace {
 public:
  LineWorkspace() = default;

  template <ExecutionSpace Space>
  LineWorkspace(const Space& space, int num_columns, int num_levels)
      : m_num_workers(runs_on_host<Space> ? static_cast<int>(space.concurrency()) : 0) {
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

  /// Device: one value per cell.
  template <class Layout>
  FieldView<Scalar, Layout, Memory> as_field(int num_columns, int num_levels) const {
    return FieldView<Scalar, Layout, Memory>(m_values.data(), static_cast<std::size_t>(num_columns),
                                             static_cast<std::size_t>(num_levels));
  }

 private:
  int m_num_workers = 0;
  Kokkos::View<Scalar*, Memory> m_values;
};

}  // namespace Lamina::Impl
