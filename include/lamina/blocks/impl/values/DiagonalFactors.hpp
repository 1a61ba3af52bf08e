// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/SmallBlock.hpp>
#include <lamina/blocks/impl/BlockKernels.hpp>
#include <lamina/blocks/impl/rows/BlockRows.hpp>
#include <lamina/blocks/impl/values/PivotStatus.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>

namespace Lamina::Impl {

/// The diagonal blocks of a matrix, factored or inverted. Copies share them.
template <class Scalar, class Memory>
class DiagonalFactors {
 public:
  /// Allocates.
  template <class Space>
  DiagonalFactors(const Space& space, BlockInverse kind, int num_rows, int block_size)
      : m_kind(kind),
        m_num_slots(FactorKernels<Space, Scalar>::num_slots(space, num_rows, block_size)) {
    const auto label = [](const std::string& name) {
      return Kokkos::view_alloc("Lamina::PointImplicitSolver::" + name,
                                Kokkos::WithoutInitializing);
    };
    const auto rows = static_cast<std::size_t>(num_rows),
               size = static_cast<std::size_t>(block_size),
               slots = static_cast<std::size_t>(m_num_slots);
    const bool inverts = kind == BlockInverse::inverse;
    m_values = Blocks(label("factors"), size, size, rows);
    if (inverts) m_scratch = Blocks(label("scratch"), size, size, slots);
    if (kind != BlockInverse::lu) {
      m_pivots = decltype(m_pivots)(label("pivots"), size, inverts ? slots : rows);
    }
  }

  /// Enqueues the preparation. `status()` waits for its `publish`.
  template <class Space>
  void prepare(const Space& space, const DiagonalBlocks<Scalar>& diagonal) const {
    const PreparedBlocks<Scalar> blocks{m_kind,           static_cast<int>(m_values.extent(0)),
                                        m_num_slots,      m_values.data(),
                                        m_scratch.data(), m_pivots.data()};
    FactorKernels<Space, Scalar>::prepare(space, static_cast<int>(m_values.extent(2)), diagonal,
                                          blocks, m_status.restart(space));
  }

  const PivotStatus<Memory>& status() const { return m_status; }
  /// As kernels capture them.
  BlockFactors<Scalar> get() const { return {m_kind, m_values.data(), m_pivots.data()}; }

 private:
  using Blocks = Kokkos::View<Scalar***, Kokkos::LayoutLeft, Memory>;

  BlockInverse m_kind;
  int m_num_slots;  // blocks that are prepared at the same time
  PivotStatus<Memory> m_status;
  Blocks m_values, m_scratch;  // (block_size, block_size, rows), and of slots
  // (block_size, rows), for inverses (block_size, slots)
  Kokkos::View<int**, Kokkos::LayoutLeft, Memory> m_pivots;
};

}  // namespace Lamina::Impl
