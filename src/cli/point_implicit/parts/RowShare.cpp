// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "point_implicit/parts/RowShare.hpp"

#include <lamina/io/MatrixMarketFile.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "point_implicit/PointImplicitLimits.hpp"
#include "support/machine/HostMachine.hpp"
#include "support/machine/MemoryNeed.hpp"
#include "support/options/InputError.hpp"
#include "support/ranks/ByteList.hpp"
#include "support/ranks/Ranks.hpp"

namespace Lamina::Cli {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

/// What rank 0 knows of all rows.
struct AllRows {
  PointImplicitInput input;
  std::vector<int> colours;
  std::vector<int> places;  ///< where rows stand in the order of the colours
  std::optional<Partition> partition;
};

AllRows find_rows(const PointImplicitTask& task, int num_ranks) {
  AllRows all;
  all.input = point_implicit_graph(task.problem);
  const ColourOrdering ordering = ordering_of(all.input, task.variant);
  all.places = ordering.new_rows();
  all.colours.resize(all.places.size());
  for (int colour = 0; colour < ordering.num_colours(); ++colour) {
    for (int n = ordering.offsets()[at(colour)]; n < ordering.offsets()[at(colour) + 1]; ++n) {
      all.colours[at(ordering.old_rows()[at(n)])] = colour;
    }
  }
  all.partition = partition_of(all.input, task.variant, num_ranks);
  return all;
}

/// What a rank is told.
struct RowShare {
  OwnBlockRows own;  ///< without columns until it has arrived
  std::vector<int> columns;
  std::vector<int> lattice_ids, ids_of_columns;  ///< of a generated system

  std::vector<std::byte> message() const {
    std::vector<std::byte> bytes;
    append(bytes, own.rows);
    append(bytes, own.colours);
    append(bytes, own.offsets);
    append(bytes, columns);
    append(bytes, own.places);
    append(bytes, lattice_ids);
    append(bytes, ids_of_columns);
    return bytes;
  }
  static RowShare of(const std::vector<std::byte>& message) {
    MessageReader reader(message);
    RowShare share;
    share.own.rows = reader.take<std::int64_t>();
    share.own.colours = reader.take<int>();
    share.own.offsets = reader.take<std::int64_t>();
    const auto columns = reader.take<int>();
    share.own.columns.assign(columns.begin(), columns.end());
    share.own.places = reader.take<std::int64_t>();
    share.lattice_ids = reader.take<int>();
    share.ids_of_columns = reader.take<int>();
    return share;
  }
};

RowShare share_of(const AllRows& all, int rank) {
  RowShare share;
  const BlockGraph& graph = all.input.graph;
  const std::vector<int>& ids = all.input.lattice_ids;
  share.own.rows = all.partition->items(rank);
  share.own.offsets = {0};
  for (const std::int64_t row : share.own.rows) {
    share.own.colours.push_back(all.colours[at(row)]);
    share.own.places.push_back(all.places[at(row)]);
    const auto first = graph.columns.begin() + graph.offsets[at(row)],
               end = graph.columns.begin() + graph.offsets[at(row) + 1];
    share.columns.insert(share.columns.end(), first, end);
    share.own.offsets.push_back(static_cast<std::int64_t>(share.columns.size()));
    if (ids.empty()) continue;
    share.lattice_ids.push_back(ids[at(row)]);
    for (auto column = first; column != end; ++column) {
      share.ids_of_columns.push_back(ids[at(*column)]);
    }
  }
  return share;
}

/// The graph of own rows with local columns, then rows without any.
PointImplicitInput input_of(const RowShare& share, const LocalBlockRows& local) {
  PointImplicitInput input;
  input.graph.offsets = local.offsets;
  input.graph.columns = local.columns;
  input.num_halo = local.num_halo();
  input.graph.offsets.resize(local.offsets.size() + at(local.num_halo()), local.offsets.back());
  if (share.lattice_ids.empty()) return input;
  input.lattice_ids = share.lattice_ids;
  input.lattice_ids.resize(local.numbers.size());
  for (std::size_t n = 0; n < local.columns.size(); ++n) {
    input.lattice_ids[at(local.columns[n])] = share.ids_of_columns[n];
  }
  return input;
}

/// Finds local numbers.
class LocalNumbers {
 public:
  explicit LocalNumbers(const std::vector<std::int64_t>& numbers) {
    for (std::size_t n = 0; n < numbers.size(); ++n) {
      m_sorted.emplace_back(numbers[n], static_cast<int>(n));
    }
    std::sort(m_sorted.begin(), m_sorted.end());
  }
  int of(std::int64_t number) const {
    const auto place = std::lower_bound(m_sorted.begin(), m_sorted.end(), std::pair(number, 0));
    if (place == m_sorted.end() || place->first != number) {
      throw InputError("--matrix: expected the same file all the time, got another one");
    }
    return place->second;
  }

 private:
  std::vector<std::pair<std::int64_t, int>> m_sorted;
};

/// Right-hand sides of halo rows are 0.
void read_values(const PointImplicitTask& task, const PointImplicitRows& rows,
                 PointImplicitInput& input) {
  const PointImplicitProblem& problem = task.problem;
  const LocalBlockRows& local = rows.local;
  const std::vector<std::int64_t> own(local.numbers.begin(),
                                      local.numbers.begin() + local.num_owned());
  MatrixMarketBlocks matrix = for_option("--matrix", [&] {
    return read_matrix_market_rows(problem.matrix, problem.block_size, own, [&] {
      return HostMachine::available_bytes() / sharers_of(task.variant.rank_grid.ranks);
    });
  });
  const LocalNumbers numbers(local.numbers);
  for (int& column : matrix.columns) column = numbers.of(column);
  input.row_offsets = std::move(matrix.row_offsets);
  input.columns = std::move(matrix.columns);
  input.blocks = std::move(matrix.blocks);
  if (problem.rhs.empty()) return;
  const std::size_t size = at(problem.block_size);
  input.rhs = for_option("--rhs", [&] {
    return read_matrix_market_vector_rows(problem.rhs, at(rows.num_rows) * size, problem.block_size,
                                          own);
  });
  input.rhs.resize(local.numbers.size() * size, 0.0);
}

}  // namespace

void share_input(PointImplicitTask& task) {
  const Ranks& ranks = *task.variant.rank_grid.ranks;
  const auto require_room = [&](double num_rows, double num_blocks) {
    run_agreed(&ranks, [&] { require_share_fits(task, num_rows, num_blocks); });
  };
  const bool on_box = task.problem.on_box();
  if (on_box) {  // before the graph is made
    const auto num_rows = static_cast<double>(task.problem.num_vertices());
    require_room(num_rows, most_neighbours_on_box * num_rows);
  }
  AllRows all;
  run_on_first(ranks, [&] { all = find_rows(task, ranks.size()); });
  const auto rows = std::make_shared<PointImplicitRows>();
  rows->num_rows = ranks.of_first(all.input.graph.num_rows());
  const auto num_blocks = static_cast<double>(ranks.of_first(all.input.graph.columns.size()));
  if (!on_box) require_room(rows->num_rows, num_blocks);

  RowShare share = RowShare::of(
      ranks.scatter_from_first([&](int rank) { return share_of(all, rank).message(); }));
  if (ranks.is_first()) {
    rows->partition = std::move(all.partition);
    rows->lattice_ids = std::move(all.input.lattice_ids);
    rows->places = std::move(all.input.places);
  }
  all = {};
  rows->local = make_local_block_rows(ranks.transport(), share.own);
  const auto input = std::make_shared<PointImplicitInput>(input_of(share, rows->local));
  share = {};
  if (!task.problem.generated()) run_agreed(&ranks, [&] { read_values(task, *rows, *input); });
  task.rows = rows;
  task.input = input;
}

}  // namespace Lamina::Cli
