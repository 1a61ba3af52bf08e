// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "support/ranks/Ranks.hpp"

namespace Lamina::Cli {

/// Brings fields that are split over ranks to rank 0, piece by piece and as it asks for them, so
/// that it writes them as one process would. No rank holds more than a piece of others.
class RankStream {
 public:
  /// The bytes that this rank has of a piece of a field.
  using Source = std::function<std::vector<std::byte>(std::size_t field, int piece)>;

  RankStream(const Ranks& ranks, Source source) : m_ranks(ranks), m_source(std::move(source)) {}

  /// Rank 0 calls `write`, which may `fetch`; the others answer. Collective.
  /// \throws SharedError on all ranks where `write` throws
  void run(const std::function<void()>& write);

  /// To be called by `write`: the bytes of each rank.
  std::vector<std::vector<std::byte>> fetch(std::size_t field, int piece);

 private:
  struct Request {
    std::size_t field = 0;
    int piece = 0;
    bool ends = false;
  };

  const Ranks& m_ranks;
  Source m_source;
};

}  // namespace Lamina::Cli
