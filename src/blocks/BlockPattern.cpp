// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/blocks/impl/BlockPattern.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/core/impl/Index.hpp>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

namespace Lamina::Impl {
namespace {

int num_rows_of(const BlockPattern& pattern) {
  return static_cast<int>(pattern.offsets.size()) - 1;
}

std::string row_name(int row) { return "row " + std::to_string(row) + ": "; }

/// Calls on_block(row, number of the block).
template <class OnBlock>
void for_each_block(const BlockPattern& pattern, const OnBlock& on_block) {
  for (int row = 0; row < num_rows_of(pattern); ++row) {
    for (std::int64_t k = pattern.offsets[index(row)]; k < pattern.offsets[index(row) + 1]; ++k) {
      on_block(row, k);
    }
  }
}

}  // namespace

void require_block_rows(const char* function, const BlockPattern& pattern) {
  const int num_rows = num_rows_of(pattern);
  const auto num_blocks = static_cast<std::int64_t>(pattern.columns.size());
  LAMINA_REQUIRE(
      pattern.offsets.front() == 0, function,
      "argument row_offsets: expected to begin with 0, got " + std::to_string(pattern.offsets[0]));
  LAMINA_REQUIRE(pattern.offsets.back() == num_blocks, function,
                 "argument row_offsets: expected to end with " + std::to_string(num_blocks) +
                     ", the number of columns, got " + std::to_string(pattern.offsets.back()));
  for (int row = 0; row < num_rows; ++row) {
    LAMINA_REQUIRE(pattern.offsets[index(row)] <= pattern.offsets[index(row) + 1], function,
                   "argument row_offsets: " + row_name(row) + "expected no decrease, got " +
                       std::to_string(pattern.offsets[index(row)]) + " and " +
                       std::to_string(pattern.offsets[index(row) + 1]));
  }
  const int num_columns = num_rows + pattern.num_halo;
  std::vector<int> last_row(index(num_columns), -1);
  for_each_block(pattern, [&](int row, std::int64_t k) {
    const int column = pattern.columns[index(k)];
    LAMINA_REQUIRE(column >= 0 && column < num_columns, function,
                   "argument columns: " + row_name(row) + "expected 0 to " +
                       std::to_string(num_columns - 1) + ", got " + std::to_string(column));
    LAMINA_REQUIRE(last_row[index(column)] != row, function,
                   "argument columns: " + row_name(row) + "expected each column once, got " +
                       std::to_string(column) + " again");
    last_row[index(column)] = row;
  });
}

void require_off_diagonal(const char* function, const BlockPattern& pattern) {
  require_block_rows(function, pattern);
  for_each_block(pattern, [&](int row, std::int64_t k) {
    LAMINA_REQUIRE(pattern.columns[index(k)] != row, function,
                   "argument columns: " + row_name(row) +
                       "expected blocks off the diagonal only, got the diagonal one");
  });
}

MovedBlocks split_pattern(const char* function, const BlockPattern& pattern,
                          std::vector<std::int64_t>& diagonal) {
  require_block_rows(function, pattern);
  diagonal.assign(index(num_rows_of(pattern)), -1);
  MovedBlocks off_diagonal;
  off_diagonal.pattern.num_halo = pattern.num_halo;
  off_diagonal.pattern.offsets.assign(pattern.offsets.size(), 0);
  for_each_block(pattern, [&](int row, std::int64_t k) {
    const int column = pattern.columns[index(k)];
    if (column == row) {
      diagonal[index(row)] = k;
      return;
    }
    off_diagonal.pattern.columns.push_back(column);
    off_diagonal.sources.push_back(k);
    ++off_diagonal.pattern.offsets[index(row) + 1];
  });
  for (int row = 0; row < num_rows_of(pattern); ++row) {
    LAMINA_REQUIRE(diagonal[index(row)] >= 0, function,
                   "argument columns: " + row_name(row) + "expected a diagonal block, got none");
    off_diagonal.pattern.offsets[index(row) + 1] += off_diagonal.pattern.offsets[index(row)];
  }
  return off_diagonal;
}

BlockGraph graph_of_rows(const BlockPattern& pattern) {
  std::vector<std::int64_t> offsets{0};
  std::vector<int> columns;
  for (int row = 0; row < num_rows_of(pattern); ++row) {
    for (std::int64_t k = pattern.offsets[index(row)]; k < pattern.offsets[index(row) + 1]; ++k) {
      const int column = pattern.columns[index(k)];
      if (column < num_rows_of(pattern)) columns.push_back(column);
    }
    offsets.push_back(static_cast<std::int64_t>(columns.size()));
  }
  return BlockGraph::of_pattern(offsets, columns);
}

MovedBlocks renumber_pattern(const BlockPattern& pattern, const ColourOrdering& ordering) {
  MovedBlocks moved;
  moved.pattern.num_halo = pattern.num_halo;
  moved.pattern.offsets.reserve(pattern.offsets.size());
  moved.pattern.offsets.push_back(0);
  moved.pattern.columns.reserve(pattern.columns.size());
  moved.sources.reserve(pattern.columns.size());
  std::vector<std::tuple<int, int, std::int64_t>> blocks;  // place, column, source
  for (const int old_row : ordering.old_rows()) {
    blocks.clear();
    for (std::int64_t k = pattern.offsets[index(old_row)]; k < pattern.offsets[index(old_row) + 1];
         ++k) {
      const int old_column = pattern.columns[index(k)];
      const int column =
          old_column < num_rows_of(pattern) ? ordering.new_rows()[index(old_column)] : old_column;
      blocks.emplace_back(ordering.place(column), column, k);
    }
    std::sort(blocks.begin(), blocks.end());
    for (const auto& [place, column, source] : blocks) {
      moved.pattern.columns.push_back(column);
      moved.sources.push_back(source);
    }
    moved.pattern.offsets.push_back(static_cast<std::int64_t>(moved.sources.size()));
  }
  return moved;
}

std::vector<int> places_in_row(const std::vector<std::int64_t>& offsets, const MovedBlocks& moved,
                               const std::vector<int>& old_rows) {
  std::vector<int> places(moved.sources.size());
  for_each_block(moved.pattern, [&](int row, std::int64_t k) {
    const std::int64_t first = offsets[index(old_rows[index(row)])];
    places[index(k)] = static_cast<int>(moved.sources[index(k)] - first);
  });
  return places;
}

std::vector<int> places_in_row(const std::vector<std::int64_t>& offsets,
                               const std::vector<std::int64_t>& sources) {
  std::vector<int> places(sources.size());
  for (std::size_t row = 0; row < places.size(); ++row) {
    places[row] = static_cast<int>(sources[row] - offsets[row]);
  }
  return places;
}

}  // namespace Lamina::Impl
