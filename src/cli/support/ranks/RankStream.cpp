// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/ranks/RankStream.hpp"

#include <exception>

namespace Lamina::Cli {

void RankStream::run(const std::function<void()>& write) {
  std::exception_ptr failure;
  if (m_ranks.is_first()) {
    try {
      write();
    } catch (const TransportTimeout&) {
      throw;
    } catch (...) {
      failure = std::current_exception();
    }
    m_ranks.of_first(Request{.ends = true});
  } else {
    for (auto request = m_ranks.of_first(Request{}); !request.ends;
         request = m_ranks.of_first(Request{})) {
      m_ranks.gather_at_first(m_source(request.field, request.piece));
    }
  }
  m_ranks.agree(failure);
}

std::vector<std::vector<std::byte>> RankStream::fetch(std::size_t field, int piece) {
  m_ranks.of_first(Request{.field = field, .piece = piece});
  return m_ranks.gather_at_first(m_source(field, piece));
}

}  // namespace Lamina::Cli
