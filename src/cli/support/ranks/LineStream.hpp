// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "support/ranks/Ranks.hpp"

namespace Lamina::Cli {

/// Brings fields on a plane of cells (i, j) that is split into rectangles to rank 0, line by line
/// (all cells of one i), so that it writes them as one process would. No rank holds more than a line
/// of others.
class LineStream {
 public:
  /// The cells of a rank: first_x <= i < first_x + num_x, and so in y.
  struct Block {
    int first_x = 0, first_y = 0, num_x = 0, num_y = 0;
  };
  /// Writes the bytes of this rank's cells in line i, by ascending j.
  using Source = std::function<void(int i, std::byte* bytes)>;
  /// The same as numbers.
  using Values = std::function<void(int i, double* values)>;

  /// Collective.
  /// \param sources  of the fields, the same number on all ranks
  LineStream(const Ranks& ranks, const Block& block, std::size_t bytes_per_cell,
             std::vector<Source> sources);
  /// Of numbers.
  LineStream(const Ranks& ranks, const Block& block, const std::vector<Values>& sources);

  /// Rank 0 calls `write`, which may `fetch`; the others answer. Collective.
  /// \throws SharedError on all ranks where `write` throws
  void run(const std::function<void()>& write);

  /// To be called by `write`: the bytes of all cells in line i.
  void fetch(std::size_t field, int i, std::byte* line);
  /// The same of numbers.
  Values values(std::size_t field) {
    return [this, field](int i, double* values) {
      fetch(field, i, reinterpret_cast<std::byte*>(values));
    };
  }

 private:
  struct Request {
    std::size_t field = 0;
    int line = 0;
    bool ends = false;
  };
  std::vector<std::vector<std::byte>> collect(const Request& request);
  bool has(const Block& block, int line) const {
    return line >= block.first_x && line < block.first_x + block.num_x;
  }
  std::size_t bytes_of(const Block& block) const {
    return static_cast<std::size_t>(block.num_y) * m_bytes_per_cell;
  }

  const Ranks& m_ranks;
  std::vector<Block> m_blocks;
  std::size_t m_bytes_per_cell;
  std::vector<Source> m_sources;
};

}  // namespace Lamina::Cli
