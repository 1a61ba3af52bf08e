// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/ranks/LineStream.hpp"

#include <algorithm>
#include <exception>
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
    : m_ranks(ranks),
      m_blocks(ranks.gather(block)),
      m_bytes_per_cell(bytes_per_cell),
      m_sources(std::move(sources)) {}

LineStream::LineStream(const Ranks& ranks, const Block& block, const std::vector<Values>& sources)
    : LineStream(ranks, block, sizeof(double), Cli::bytes_of(sources)) {}

void LineStream::run(const std::function<void()>& write) {
  std::exception_ptr failure;
  if (m_ranks.is_first()) {
    try {
      write();
    } catch (...) {
      failure = std::current_exception();
    }
    m_ranks.of_first(Request{.ends = true});
  } else {
    for (auto request = m_ranks.of_first(Request{}); !request.ends;
         request = m_ranks.of_first(Request{})) {
      (void)collect(request);
    }
  }
  m_ranks.agree(failure);
}

void LineStream::fetch(std::size_t field, int i, std::byte* line) {
  const auto parts = collect(m_ranks.of_first(Request{.field = field, .line = i}));
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    const auto offset = static_cast<std::size_t>(m_blocks[rank].first_y) * m_bytes_per_cell;
    std::copy(parts[rank].begin(), parts[rank].end(), line + offset);
  }
}

std::vector<std::vector<std::byte>> LineStream::collect(const Request& request) {
  const Block& mine = m_blocks[static_cast<std::size_t>(m_ranks.rank())];
  std::vector<std::byte> bytes(has(mine, request.line) ? bytes_of(mine) : 0);
  if (!bytes.empty()) m_sources[request.field](request.line, bytes.data());
  return m_ranks.gather_at_first(std::move(bytes));
}

}  // namespace Lamina::Cli
