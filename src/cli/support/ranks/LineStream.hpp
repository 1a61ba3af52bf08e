// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "support/ranks/RankStream.hpp"
#include "support/ranks/Ranks.hpp"

namespace Lamina::Cli {

/// Brings fields on a plane of cells (i, j) that is split into rectangles to rank 0, line by line
/// (all cells of one i), see `RankStream`.
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
  LineStream(const LineStream&) = delete;
  LineStream& operator=(const LineStream&) = delete;

  /// As of `RankStream`. Collective.
  void run(const std::function<void()>& write) { m_stream.run(write); }

  /// To be called by `write`: the bytes of all cells in line i.
  void fetch(std::size_t field, int i, std::byte* line);
  /// The same of numbers.
  Values values(std::size_t field) {
    return [this, field](int i, double* values) {
      fetch(field, i, reinterpret_cast<std::byte*>(values));
    };
  }

 private:
  std::vector<std::byte> own_bytes(std::size_t field, int line) const;

  std::vector<Block> m_blocks;
  Block m_mine;
  std::size_t m_bytes_per_cell;
  std::vector<Source> m_sources;
  RankStream m_stream;
};

}  // namespace Lamina::Cli
