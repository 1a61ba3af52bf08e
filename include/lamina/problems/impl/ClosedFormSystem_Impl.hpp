// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/impl/values/BlockCopies.hpp>
#include <lamina/problems/ClosedFormSystem.hpp>

namespace Lamina {
namespace Impl {

// Remainders of the formulas.
inline constexpr int coupling_period = 101, diagonal_period = 29, shift_period = 17,
                     solution_period = 127;

/// sin or, with `cosine`, cos of step m + u p + v q as blocks, for m < period and p, q < size.
std::vector<double> wave_table(bool cosine, int period, int size, int columns, double step,
                               double u, double v);

template <class OffDiagonal>
struct FillOffDiagonal {
  int block_values, size;
  const std::int64_t* offsets;
  const int *columns, *ids, *row_of_block;
  const double* table;
  OffDiagonal* values;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const std::int64_t block = n / block_values, row = row_of_block[block];
    const std::int64_t wave =
        (7 * std::int64_t{ids[row]} + 13 * std::int64_t{ids[columns[block]]}) % coupling_period;
    const auto degree = static_cast<double>(offsets[row + 1] - offsets[row]);
    const double value = table[wave * block_values + n % block_values] * (0.8 / (degree * size));
    values[n] = static_cast<OffDiagonal>(static_cast<float>(value));
  }
};

struct FillDiagonal {
  int block_values, size;
  const int* ids;
  const double* table;
  double* values;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const std::int64_t id = ids[n / block_values];
    const auto entry = static_cast<int>(n % block_values);
    const double shift =
        entry / size == entry % size ? 1 + 0.01 * static_cast<double>(3 * id % shift_period) : 0.0;
    values[n] = shift + (0.25 / size) * table[id % diagonal_period * block_values + entry];
  }
};

struct FillSolution {
  int size;
  const int* ids;
  const double* table;
  BlockVector<double> x;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const std::int64_t row = n / size, p = n % size;
    x.row(row)[p] = table[ids[row] % solution_period * size + p] + 0.5;
  }
};

template <class Space>
auto entries(const Space& space, std::int64_t count) {
  return Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, count);
}

}  // namespace Impl

template <MemorySpace Memory>
ClosedFormSystem<Memory>::ClosedFormSystem(const BlockGraph& graph, const std::vector<int>& ids,
                                           int block_size)
    : m_block_size(block_size) {
  const char* name = "ClosedFormSystem";
  Impl::require_initialized(name);
  Impl::require_extent(name, "ids", "rows", graph.num_rows(), static_cast<long long>(ids.size()));
  LAMINA_REQUIRE(block_size >= 1 && block_size <= max_block_size, name,
                 "argument block_size: expected 1 to " + std::to_string(max_block_size) + ", got " +
                     std::to_string(block_size));
  std::vector<int> row_of_block;
  row_of_block.reserve(graph.columns.size());
  for (int row = 0; row < graph.num_rows(); ++row) {
    const int id = ids[static_cast<std::size_t>(row)];
    LAMINA_REQUIRE(id >= 0, name, "argument ids: expected values >= 0, got " + std::to_string(id));
    row_of_block.insert(row_of_block.end(), static_cast<std::size_t>(graph.degree(row)), row);
  }
  m_offsets = Impl::to_memory<Memory>("row_offsets", graph.offsets);
  m_columns = Impl::to_memory<Memory>("columns", graph.columns);
  m_ids = Impl::to_memory<Memory>("ids", ids);
  m_row_of_block = Impl::to_memory<Memory>("row_of_block", row_of_block);
  const auto table = [&](bool cosine, int period, int columns, double step, double u, double v) {
    return Impl::to_memory<Memory>(
        "table", Impl::wave_table(cosine, period, block_size, columns, step, u, v));
  };
  m_off_diagonal_table = table(false, Impl::coupling_period, block_size, 0.1, 0.7, 1.3);
  m_diagonal_table = table(true, Impl::diagonal_period, block_size, 0.3, 0.5, 0.9);
  m_solution_table = table(false, Impl::solution_period, 1, 0.05, 0.4, 0);
}

template <MemorySpace Memory>
template <FieldScalar OffDiagonal, ExecutionSpace Space>
requires WorksIn<Space, Memory> BlockSparseMatrix<double, OffDiagonal, Memory>
ClosedFormSystem<Memory>::matrix(const Space& space)
const {
  const int size = m_block_size, values = size * size;
  const auto label = [](const char* name) {
    return Kokkos::view_alloc(std::string("Lamina::ClosedFormSystem::") + name,
                              Kokkos::WithoutInitializing);
  };
  const auto extent = static_cast<std::size_t>(size);
  const Kokkos::View<double***, Kokkos::LayoutLeft, Memory> diagonal(label("diagonal"), extent,
                                                                     extent, m_ids.extent(0));
  const Kokkos::View<OffDiagonal***, Kokkos::LayoutLeft, Memory> off_diagonal(
      label("off_diagonal"), extent, extent, m_columns.extent(0));
  Kokkos::parallel_for(
      "Lamina::ClosedFormSystem::off_diagonal",
      Impl::entries(space, static_cast<std::int64_t>(off_diagonal.size())),
      Impl::FillOffDiagonal<OffDiagonal>{values, size, m_offsets.data(), m_columns.data(),
                                         m_ids.data(), m_row_of_block.data(),
                                         m_off_diagonal_table.data(), off_diagonal.data()});
  Kokkos::parallel_for(
      "Lamina::ClosedFormSystem::diagonal",
      Impl::entries(space, static_cast<std::int64_t>(diagonal.size())),
      Impl::FillDiagonal{values, size, m_ids.data(), m_diagonal_table.data(), diagonal.data()});
  return {space, m_offsets, m_columns, diagonal, off_diagonal};
}

template <MemorySpace Memory>
template <ExecutionSpace Space, BlockField<double, Memory> Solution>
requires WorksIn<Space, Memory> && WritableField<Solution>
void ClosedFormSystem<Memory>::fill_solution(const Space& space, const Solution& x) const {
  Impl::require_block_field("ClosedFormSystem::fill_solution", "x", x,
                            static_cast<long long>(m_ids.extent(0)), m_block_size);
  Kokkos::parallel_for(
      "Lamina::ClosedFormSystem::solution",
      Impl::entries(space, static_cast<std::int64_t>(m_ids.extent(0)) * m_block_size),
      Impl::FillSolution{m_block_size, m_ids.data(), m_solution_table.data(),
                         Impl::BlockVector<double>(x)});
}

}  // namespace Lamina
