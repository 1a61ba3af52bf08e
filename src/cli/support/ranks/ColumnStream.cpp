// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/ranks/ColumnStream.hpp"

#include <algorithm>

namespace Lamina::Cli {
namespace {

constexpr std::size_t bytes_per_piece = std::size_t{1} << 20;

std::size_t index(int n) { return static_cast<std::size_t>(n); }

}  // namespace

ColumnStream::ColumnStream(const Ranks& ranks, std::vector<int> owners, std::vector<int> own,
                           std::size_t bytes_per_column, std::vector<Source> sources)
    : m_owners(std::move(owners)),
      m_own(std::move(own)),
      m_bytes_per_column(bytes_per_column),
      m_columns_per_piece(std::max<std::size_t>(1, bytes_per_piece / bytes_per_column)),
      m_sources(std::move(sources)),
      m_stream(ranks, [this](std::size_t field, int piece) { return own_bytes(field, piece); }) {
  std::size_t before = 0;
  for (std::size_t number = 0; number < m_owners.size(); ++number) {
    if (number % m_columns_per_piece == 0) m_firsts.push_back(before);
    if (m_owners[number] == ranks.rank()) ++before;
  }
  m_firsts.push_back(before);
}

void ColumnStream::fetch(std::size_t field, int number, std::byte* bytes) {
  const auto piece = static_cast<int>(index(number) / m_columns_per_piece);
  if (m_taken != std::pair(field, piece)) take_piece(field, piece);
  const std::size_t place = index(number) % m_columns_per_piece * m_bytes_per_column;
  std::copy_n(m_bytes.data() + place, m_bytes_per_column, bytes);
}

void ColumnStream::take_piece(std::size_t field, int piece) {
  const auto parts = m_stream.fetch(field, piece);
  std::vector<const std::byte*> next;
  for (const auto& part : parts) next.push_back(part.data());
  const std::size_t first = index(piece) * m_columns_per_piece,
                    last = std::min(first + m_columns_per_piece, m_owners.size());
  m_bytes.resize((last - first) * m_bytes_per_column);
  std::byte* to = m_bytes.data();
  for (std::size_t number = first; number < last; ++number, to += m_bytes_per_column) {
    const std::byte*& from = next[index(m_owners[number])];
    std::copy_n(from, m_bytes_per_column, to);
    from += m_bytes_per_column;
  }
  m_taken = {field, piece};
}

std::vector<std::byte> ColumnStream::own_bytes(std::size_t field, int piece) const {
  const std::size_t first = m_firsts[index(piece)], last = m_firsts[index(piece) + 1];
  std::vector<std::byte> bytes((last - first) * m_bytes_per_column);
  for (std::size_t n = first; n < last; ++n) {
    m_sources[field](m_own[n], bytes.data() + (n - first) * m_bytes_per_column);
  }
  return bytes;
}

}  // namespace Lamina::Cli
