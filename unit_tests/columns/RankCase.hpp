// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Systems on columns as ranks have them.

#include <lamina/distributed/Decomposition.hpp>
#include <lamina/grids/LocalColumns.hpp>

#include <columns/ColumnCase.hpp>
#include <distributed/HaloCase.hpp>

#include <cmath>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace LaminaTest {

/// Calls visit(cell here, cell of the whole grid) for the owned cells of a rank.
template <class Visit>
void for_each_owned_cell(const Lamina::LocalColumns& local, int num_levels, const Visit& visit) {
  const auto levels = static_cast<std::size_t>(num_levels);
  for (std::size_t c = 0; c < static_cast<std::size_t>(local.halo.num_owned); ++c) {
    const auto whole = static_cast<std::size_t>(local.columns[c]);
    for (std::size_t k = 0; k < levels; ++k) visit(c * levels + k, whole * levels + k);
  }
}

/// What a rank has of values of the whole grid: NaN in halo columns.
inline Values values_of_rank(const Values& whole, const Lamina::LocalColumns& local,
                             int num_levels) {
  Values mine(local.graph.areas.size() * static_cast<std::size_t>(num_levels), std::nan(""));
  for_each_owned_cell(local, num_levels,
                      [&](std::size_t here, std::size_t there) { mine[here] = whole[there]; });
  return mine;
}
/// The reverse, into values that simulated ranks share.
inline void put_values(const Values& mine, const Lamina::LocalColumns& local, int num_levels,
                       Values& whole) {
  for_each_owned_cell(local, num_levels,
                      [&](std::size_t here, std::size_t there) { whole[there] = mine[here]; });
}

/// The part of a system that a rank has.
inline ColumnCase part_of(const ColumnCase& whole, const Lamina::LocalColumns& local) {
  const int levels = whole.num_levels;
  ColumnCase part{local.graph,
                  levels,
                  values_of_rank(whole.mass, local, levels),
                  values_of_rank(whole.vertical, local, levels),
                  {}};
  for (const int edge : Lamina::edges_of_rank(whole.graph, local)) {
    for (int k = 0; k < levels; ++k)
      part.horizontal.push_back(whole.horizontal[whole.place(edge, k)]);
  }
  return part;
}

/// The columns of a rank with their coefficients.
template <class Scalar, class Layout>
struct RankedCase {
  RankedCase(const Lamina::Transport& transport, const ColumnCase& whole,
             const Lamina::Partition& partition)
      : local(Lamina::local_columns(whole.graph, partition, transport.rank())),
        stored(part_of(whole, local)),
        ranks(transport, local.halo, static_cast<std::size_t>(whole.num_levels) * sizeof(double)) {}

  int num_columns() const { return stored.op.num_columns(); }
  /// A field with values of the whole grid: NaN in halo columns.
  TestField<Scalar, Layout> field(const Values& whole) const {
    const int levels = stored.op.num_levels();
    return {num_columns(), levels, values_of_rank(whole, local, levels)};
  }
  /// The operator with arithmetic in single precision.
  auto short_operator() const {
    using Short = Lamina::StoredCoefficients<float, Memory, Layout, Scalar>;
    return Lamina::ColumnOperator(stored.mesh, stored.op.num_levels(),
                                  Short(TEST_SPACE(), stored.mesh, stored.mass.view(),
                                        stored.vertical.view(), stored.horizontal.view()));
  }

  Lamina::LocalColumns local;
  StoredCase<Scalar, Layout, Scalar> stored;
  Lamina::Decomposition<Memory> ranks;
};

/// Types of tests with such systems.
template <class Type>
class RankedTest : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Layout = typename Type::layout;
  using Field = TestField<Scalar, Layout>;
  using Case = StoredCase<Scalar, Layout, Scalar>;
  using Ranked = RankedCase<Scalar, Layout>;
  static constexpr bool is_double = std::is_same_v<Scalar, double>;
};

/// One rank has no wet column, another one has no column.
inline Lamina::Partition land_apart(const ColumnCase& whole, int num_ranks) {
  std::vector<int> owners;
  for (int c = 0; c < whole.num_columns(); ++c) {
    bool wet = false;
    for (int k = 0; k < whole.num_levels; ++k) wet = wet || !whole.is_dry(whole.place(c, k));
    const int others = num_ranks - 2;
    owners.push_back(!wet || others < 1 ? 0 : 2 + c * others / whole.num_columns());
  }
  return Lamina::Partition::from_owners(std::move(owners), num_ranks);
}

}  // namespace LaminaTest
