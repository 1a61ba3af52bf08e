// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/ranks/LineStream.hpp"

#include <algorithm>
#include <utility>

namespace Lamina::Cli {
namespace {

std::vector<LineStream::Source> bytes_of(const std::vector<LineStream::Values>& sources) {
  std::vector<LineStream::Source> list;
  for (const auto& values : sources) {
    list.emplace_back(
        [values](int i, std::byte* bytes) { values(i, reinterpret_cast<double*>(bytes)); });
  }
  return list;
}

}  // namespace

LineStream::LineStream(const Ranks& ranks, const Block& block, std::size_t bytes_per_cell,
                       std::vector<Source> sources)
    : m_blocks(ranks.gather(block)),
      m_mine(block),
      m_bytes_per_cell(bytes_per_cell),
      m_sources(std::move(sources)),
      m_stream(ranks, [this](std::size_t field, int line) { return own_bytes(field, line); }) {}

LineStream::LineStream(const Ranks& ranks, const Block& block, const std::vector<Values>& sources)
    : LineStream(ranks, block, sizeof(double), Cli::bytes_of(sources)) {}

void LineStream::fetch(std::size_t field, int i, std::byte* line) {
  const auto parts = m_stream.fetch(field, i);
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    const auto offset = static_cast<std::size_t>(m_blocks[rank].first_y) * m_bytes_per_cell;
    std::copy(parts[rank].begin(), parts[rank].end(), line + offset);
  }
}

std::vector<std::byte> LineStream::own_bytes(std::size_t field, int line) const {
  const bool has_cells = line >= m_mine.first_x && line < m_mine.first_x + m_mine.num_x;
  if (!has_cells) return {};
  std::vector<std::byte> bytes(static_cast<std::size_t>(m_mine.num_y) * m_bytes_per_cell);
  m_sources[field](line, bytes.data());
  return bytes;
}

}  // namespace Lamina::Cli
