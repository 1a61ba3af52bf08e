// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What kernels of a cycle on a device look up of a level: a row of a table for each column, which the lanes that share it
// read together.

#include <lamina/columns/ColumnOperator.hpp>
#include <lamina/columns/impl/ColumnKernels.hpp>
#include <lamina/columns/impl/LineRow.hpp>
#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/HostTable.hpp>
#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/multigrid/impl/LevelPacks_Device.hpp>
#include <lamina/multigrid/impl/TransferTables.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace Lamina::Impl {

/// A table of rows of one length in the memory of a space.
template <class Memory, class Entry>
Kokkos::View<const Entry**, Kokkos::LayoutRight, Memory> row_table(
    const char* label, const std::vector<Entry>& entries, std::size_t rows, std::size_t length) {
  const Kokkos::View<Entry**, Kokkos::LayoutRight, Memory> table(
      Kokkos::view_alloc(std::string(label), Kokkos::WithoutInitializing), rows, length);
  Kokkos::deep_copy(table, Kokkos::View<const Entry**, Kokkos::LayoutRight, Kokkos::HostSpace>(
                               entries.data(), rows, length));
  return table;
}

/// What lines and neighbours of a level need.
template <class Scalar, class Memory>
struct LineTables {
  Kokkos::View<Scalar**, Kokkos::LayoutRight, Memory> inverses;  // of pivots; (owned column, level)
  ColumnLinks<Memory> links;
};

/// The inverse pivots of the line of a column.
template <class Coefficients>
struct InvertPivots {
  ColumnSystem<Coefficients> system;
  Kokkos::View<typename Coefficients::scalar_type**, Kokkos::LayoutRight,
               typename Coefficients::memory_space>
      inverses;

  KOKKOS_FUNCTION void operator()(int column) const {
    const auto held = hold_column<0>(system.coefficients, column);
    const int end = system.coefficients.ends()(column);
    typename Coefficients::scalar_type carry = 0;
    for (int k = 0; k < system.topology.num_levels; ++k) {
      inverses(column, k) = k < end ? eliminate(line_row(held, system, k), carry).inverse : 0;
    }
  }
};

/// These tables for an operator, and what a cycle asks of its lines. Copies share them.
template <class Coefficients>
class LevelLines {
 public:
  using Scalar = typename Coefficients::scalar_type;
  using Memory = typename Coefficients::memory_space;
  using Inverses = Kokkos::View<Scalar**, Kokkos::LayoutRight, Memory>;

  template <class Space>
  LevelLines(const Space& space, const ColumnOperator<Coefficients>& op)
      : m_system(op.system()),
        m_tables{Inverses("Lamina::ColumnMultigrid::inverse_pivots",
                          static_cast<std::size_t>(op.num_owned()),
                          static_cast<std::size_t>(op.num_levels())),
                 find_links(op.system())} {
    update(space);
  }
  template <class Space>
  void update(const Space& space) const {
    m_system.coefficients.update(space);
    Kokkos::parallel_for("Lamina::ColumnMultigrid::invert_pivots",
                         range_of(space, m_system.topology.num_owned),
                         InvertPivots<Coefficients>{m_system, m_tables.inverses});
  }
  template <class Space>
  SolveStatus status(const Space& space) const {
    return status_of_pivots(first_bad_column(space, m_system));
  }
  /// What kernels take, as of `ColumnLinePreconditioner`.
  const LineTables<Scalar, Memory>& workspace() const { return m_tables; }
  /// Bytes that a line solve reads beside fields: inverse pivots and vertical couplings.
  double bytes() const {
    return m_system.topology.cells() * (sizeof(Scalar) + sizeof(typename Coefficients::value_type));
  }

 private:
  static ColumnLinks<Memory> find_links(const ColumnSystem<Coefficients>& system) {
    const auto on_host = [](const auto& view) {
      return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
    };
    const auto neighbours = on_host(system.topology.neighbours),
               edges = on_host(system.coefficients.edges());
    const std::size_t slots = neighbours.extent(1), columns = neighbours.extent(0),
                      batches = (slots + LinkBatch::count - 1) / LinkBatch::count,
                      length = 2 * LinkBatch::count * (batches > 0 ? batches : 1);
    std::vector<int> links(columns * length, -1);
    for (std::size_t c = 0; c < columns; ++c) {
      int* next = links.data() + c * length;
      for (std::size_t n = 0; n < slots; ++n) {
        if (edges(c, n) < 0) continue;
        *next++ = neighbours(c, n);
        *next++ = edges(c, n);
      }
    }
    return row_table<Memory>("Lamina::ColumnMultigrid::links", links, columns, length);
  }

  ColumnSystem<Coefficients> m_system;
  LineTables<Scalar, Memory> m_tables;
};

/// An entry of P or of P^T, which a thread reads at once; weight 0: there is none, nor are there any behind it. Its row
/// may be read all the same.
template <class Scalar>
struct alignas(2 * sizeof(Scalar)) WeightedRow {
  Scalar weight;
  int row;
};
/// The entries of a table of rows and one of weights, without those of weight 0.
/// \param batch  rows of the table are multiples of it
template <class Scalar, class Memory, class Rows, class Weights>
auto weighted_rows(const char* label, const Rows& rows, const Weights& weights, std::size_t batch) {
  const std::size_t count = rows.extent(0), slots = rows.extent(1),
                    length = (slots > 0 ? (slots + batch - 1) / batch : 1) * batch;
  std::vector<WeightedRow<Scalar>> entries;
  entries.reserve(count * length);
  for (std::size_t c = 0; c < count; ++c) {
    for (std::size_t n = 0; n < slots; ++n) {
      if (weights(c, n) != 0) entries.push_back({weights(c, n), rows(c, n)});
    }
    const bool has_some = entries.size() > c * length;
    entries.resize((c + 1) * length, {0, has_some ? entries.back().row : 0});
  }
  return row_table<Memory>(label, entries, count, length);
}

/// P of a `ColumnTransfer`.
template <class Scalar, class Memory>
struct PackedProlongation {
  static constexpr int slots = ColumnTransfer::max_entries;
  Kokkos::View<const WeightedRow<Scalar>**, Kokkos::LayoutRight, Memory> entries;

  PackedProlongation() = default;
  explicit PackedProlongation(const ColumnTransfer& transfer) {
    const Prolongation<Scalar, Kokkos::HostSpace> table(transfer);
    entries = weighted_rows<Scalar, Memory>("Lamina::ColumnMultigrid::prolongation", table.columns,
                                            table.weights, slots);
  }
  double bytes() const { return static_cast<double>(entries.size() * sizeof(WeightedRow<Scalar>)); }
};
/// P^T by coarse columns, see `Restriction`.
template <class Scalar, class Memory>
struct PackedRestriction {
  Kokkos::View<const int*, Memory> coarse;  // (place)
  Kokkos::View<const WeightedRow<Scalar>**, Kokkos::LayoutRight, Memory> entries;

  PackedRestriction() = default;
  PackedRestriction(const ColumnTransfer& transfer, const std::vector<int>& tiles) {
    const Restriction<Scalar, Kokkos::HostSpace> table(transfer, tiles);
    coarse = Kokkos::create_mirror_view_and_copy(Memory(), table.coarse);
    entries = weighted_rows<Scalar, Memory>("Lamina::ColumnMultigrid::restriction", table.fine,
                                            table.weights, LevelPackTuning::restricted<Scalar>);
    m_bytes = table.bytes();
  }
  KOKKOS_FUNCTION int num_rows() const { return static_cast<int>(coarse.extent(0)); }
  double bytes() const { return m_bytes; }

 private:
  double m_bytes = 0;
};

}  // namespace Lamina::Impl
