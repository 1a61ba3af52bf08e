// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "helmholtz/columns/SharedEdges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "helmholtz/columns/HelmholtzColumns.hpp"
#include "helmholtz/columns/OwnColumns.hpp"
#include "support/options/InputError.hpp"
#include "support/ranks/Ranks.hpp"

namespace Lamina::Cli {
namespace {

using Sides = std::pair<std::size_t, std::size_t>;  // faces, the lower one first

/// An edge with a column of another rank.
struct SharedEdge {
  Sides sides;
  std::size_t number;  ///< here
};

/// For each rank the edges with columns of it, in the same order on both sides.
std::vector<std::vector<SharedEdge>> shared_edges(const OwnColumns& own, const LocalColumns& local,
                                                  int num_ranks) {
  std::vector<int> owner(own.num_columns(), -1);
  for (const HaloPattern::Peer& peer : local.halo.peers) {
    for (const int column : peer.receive) owner[static_cast<std::size_t>(column)] = peer.rank;
  }
  std::vector<std::vector<SharedEdge>> shared(static_cast<std::size_t>(num_ranks));
  for (std::size_t e = 0; e < own.graph().edges.size(); ++e) {
    const auto first = static_cast<std::size_t>(own.graph().edges[e].first),
               second = static_cast<std::size_t>(own.graph().edges[e].second);
    const int other = std::max(owner[first], owner[second]);  // one of them is here
    if (other < 0) continue;
    shared[static_cast<std::size_t>(other)].push_back(
        {std::minmax(own.face(first), own.face(second)), e});
  }
  for (auto& edges : shared) {
    std::sort(edges.begin(), edges.end(), [](const SharedEdge& a, const SharedEdge& b) {
      return std::pair(a.sides, a.number) < std::pair(b.sides, b.number);
    });
  }
  return shared;
}

/// The values of an edge: at each level, or the factor of all of them.
std::span<const double> values_of(const HelmholtzColumns& columns, const SharedEdge& edge) {
  const bool stored = columns.kind == ColumnsClass::stored;
  const auto& all = stored ? columns.stored.horizontal : columns.profiled.edge_factors;
  const std::size_t count = stored ? static_cast<std::size_t>(columns.num_levels) : 1;
  return std::span(all).subspan(edge.number * count, count);
}

std::vector<std::byte> bytes_of(const HelmholtzColumns& columns,
                                const std::vector<SharedEdge>& edges) {
  std::vector<std::byte> bytes;
  for (const SharedEdge& edge : edges) {
    const auto values = std::as_bytes(values_of(columns, edge));
    bytes.insert(bytes.end(), values.begin(), values.end());
  }
  return bytes;
}

/// \param theirs  values that a rank has sent
void require_same(const HelmholtzColumns& columns, const std::vector<SharedEdge>& edges, int rank,
                  const std::vector<std::byte>& theirs) {
  std::size_t begin = 0;
  for (const SharedEdge& edge : edges) {
    const auto mine = values_of(columns, edge);
    for (std::size_t k = 0; k < mine.size(); ++k, begin += sizeof(double)) {
      double expected = 0;
      if (begin + sizeof expected <= theirs.size()) {
        std::memcpy(&expected, theirs.data() + begin, sizeof expected);
        if (expected == mine[k]) continue;
      }
      const std::string level = mine.size() > 1 ? fmt::format(", level {}", k) : "";
      throw InputError(
          fmt::format("--coefficients: edge between faces {} and {}, counted from 0{}: expected "
                      "the coupling {} of rank {}, got {}",
                      edge.sides.first, edge.sides.second, level, expected, rank, mine[k]));
    }
  }
}

}  // namespace

void require_same_edges(const HelmholtzProblem& problem, const Ranks& ranks,
                        const LocalColumns& local) {
  const HelmholtzColumns& columns = *problem.columns;
  const bool stored = columns.kind == ColumnsClass::stored;
  // A rank without edges has no factors either.
  const auto factors = ranks.gather(columns.profiled.edge_factors.size());
  const bool any =
      std::any_of(factors.begin(), factors.end(), [](auto count) { return count > 0; });
  if (!stored && !any) return;
  std::vector<std::vector<SharedEdge>> shared;
  std::vector<std::vector<std::byte>> sent(static_cast<std::size_t>(ranks.size()));
  run_agreed(&ranks, [&] {
    shared = shared_edges(OwnColumns(*problem.grid, &local), local, ranks.size());
    for (int rank = ranks.rank() + 1; rank < ranks.size(); ++rank) {
      const auto other = static_cast<std::size_t>(rank);
      sent[other] = bytes_of(columns, shared[other]);
    }
  });
  const auto received = ranks.transport().all_to_all(sent);
  run_agreed(&ranks, [&] {
    for (int rank = 0; rank < ranks.rank(); ++rank) {
      const auto other = static_cast<std::size_t>(rank);
      require_same(columns, shared[other], rank, received[other]);
    }
  });
}

}  // namespace Lamina::Cli
