// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The asymmetry of a matrix over ranks: blocks in halo columns have their counterparts elsewhere.

#include <lamina/blocks/Asymmetry.hpp>
#include <lamina/distributed/impl/TransportCalls.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace Lamina {
namespace Impl {

/// The blocks of own rows in halo columns.
struct CutBlocks {
  std::vector<std::int64_t> places;  ///< among the blocks of the matrix
  std::vector<int> rows, columns;    ///< local numbers
  std::vector<double> values;        ///< of all blocks, column-major
};

/// For each of these blocks the one in its row and column exchanged, from the rank that has it; zeros
/// where there is none. Collective.
std::vector<double> counterparts_of(const Transport& transport, const LocalBlockRows& local,
                                    VectorOrder order, const CutBlocks& cut,
                                    std::size_t block_values);

/// Copies blocks, one after the other.
template <class Value>
struct CopyCutBlocks {
  const Value* blocks;
  const std::int64_t* places;
  std::int64_t block_values;
  double* copies;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    copies[n] =
        static_cast<double>(blocks[places[n / block_values] * block_values + n % block_values]);
  }
};

/// The largest |A_ij - A_ji^T| of a block in a halo column.
struct LargestOfCut {
  const double *blocks, *counterparts;
  int size;

  KOKKOS_FUNCTION void operator()(std::int64_t n, double& largest) const {
    const std::int64_t first = n * size * size;
    take_largest(size, blocks + first, counterparts + first, largest);
  }
};

/// The same of all blocks in halo columns. Collective.
template <class Space, class Matrix>
double largest_of_cut(const Space& space, const Matrix& matrix, const Transport& transport,
                      const LocalBlockRows& local, VectorOrder order) {
  using Memory = typename Matrix::memory_space;
  const auto rows = matrix.block_rows();
  const auto offsets =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), matrix.row_offsets());
  const auto columns = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), matrix.columns());
  CutBlocks cut;
  for (int row = 0; row < matrix.num_rows(); ++row) {
    const auto at = static_cast<std::size_t>(row);
    for (std::int64_t k = offsets(at); k < offsets(at + 1); ++k) {
      const int column = columns(static_cast<std::size_t>(k));
      if (column < matrix.num_rows()) continue;
      cut.places.push_back(k);
      cut.rows.push_back(row);
      cut.columns.push_back(column);
    }
  }
  const auto block_values = static_cast<std::size_t>(rows.block_values());
  const std::size_t count = cut.places.size() * block_values;
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  const Kokkos::View<std::int64_t*, Memory> places("Lamina::asymmetry::places", cut.places.size());
  const Kokkos::View<double*, Memory> blocks("Lamina::asymmetry::blocks", count),
      counterparts("Lamina::asymmetry::counterparts", count);
  Kokkos::deep_copy(places, Kokkos::View<const std::int64_t*, Kokkos::HostSpace, Unmanaged>(
                                cut.places.data(), cut.places.size()));
  using Value = typename Matrix::off_diagonal_type;
  using Values = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for(
      "Lamina::asymmetry", Values(space, 0, static_cast<std::int64_t>(count)),
      CopyCutBlocks<Value>{rows.off_diagonal, places.data(), rows.block_values(), blocks.data()});
  space.fence();
  cut.values.resize(count);
  Kokkos::deep_copy(Kokkos::View<double*, Kokkos::HostSpace, Unmanaged>(cut.values.data(), count),
                    blocks);
  const auto others = counterparts_of(transport, local, order, cut, block_values);
  Kokkos::deep_copy(counterparts, Kokkos::View<const double*, Kokkos::HostSpace, Unmanaged>(
                                      others.data(), count));
  double result = 0;
  if (count > 0) {
    Kokkos::parallel_reduce(
        "Lamina::asymmetry", Values(space, 0, static_cast<std::int64_t>(cut.places.size())),
        LargestOfCut{blocks.data(), counterparts.data(), rows.size}, Kokkos::Max<double>(result));
  }
  return result;
}

}  // namespace Impl

template <ExecutionSpace Space, class Matrix>
requires WorksIn<Space, typename Matrix::memory_space> &&
    FieldScalar<typename Matrix::off_diagonal_type>
double asymmetry(const Space& space, const Matrix& matrix, const Transport& transport,
                 const LocalBlockRows& local, VectorOrder order) {
  const Impl::ProfilingRegion region("Lamina::asymmetry");
  Impl::run_agreed(transport, [&] {
    Impl::require_extent("asymmetry", "matrix", "rows", local.num_owned(), matrix.num_rows());
    Impl::require_extent("asymmetry", "matrix", "halo columns", local.num_halo(),
                         matrix.num_halo());
  });
  const auto rows = matrix.block_rows();
  const auto of_all = [&](double mine) {
    const auto all = Impl::gather_values(transport, mine);
    return *std::max_element(all.begin(), all.end());
  };
  const double difference =
      of_all(std::max(Impl::largest_of_rows(space, rows, true),
                      Impl::largest_of_cut(space, matrix, transport, local, order)));
  const double largest = of_all(Impl::largest_of_rows(space, rows, false));
  return difference == 0 ? 0 : difference / largest;
}

}  // namespace Lamina
