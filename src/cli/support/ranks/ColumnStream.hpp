// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "support/ranks/RankStream.hpp"
#include "support/ranks/Ranks.hpp"

namespace Lamina::Cli {

/// Brings fields on columns that any rank may own to rank 0, some columns of consecutive numbers at
/// a time, see `RankStream`.
class ColumnStream {
 public:
  /// Writes the bytes of an own column, by its local number.
  using Source = std::function<void(int column, std::byte* bytes)>;

  /// \param owners   the rank of each column, by number; the same on all ranks
  /// \param own      the local number of each own column, by ascending number
  /// \param sources  of the fields, the same number on all ranks
  ColumnStream(const Ranks& ranks, std::vector<int> owners, std::vector<int> own,
               std::size_t bytes_per_column, std::vector<Source> sources);
  ColumnStream(const ColumnStream&) = delete;
  ColumnStream& operator=(const ColumnStream&) = delete;

  /// As of `RankStream`. Collective.
  void run(const std::function<void()>& write) { m_stream.run(write); }

  /// To be called by `write`: the bytes of a column. Fast for ascending numbers.
  void fetch(std::size_t field, int number, std::byte* bytes);

 private:
  std::vector<std::byte> own_bytes(std::size_t field, int piece) const;
  void take_piece(std::size_t field, int piece);

  std::vector<int> m_owners, m_own;
  std::vector<std::size_t> m_firsts;  // of each piece: the number of own columns before it
  std::size_t m_bytes_per_column, m_columns_per_piece;
  std::vector<Source> m_sources;
  RankStream m_stream;
  std::pair<std::size_t, int> m_taken{0, -1};  // field and piece
  std::vector<std::byte> m_bytes;              // of this piece
};

}  // namespace Lamina::Cli
