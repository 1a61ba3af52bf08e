// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/distributed/HaloPattern.hpp>
#include <lamina/distributed/Transport.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "support/ranks/RankGrid.hpp"

namespace Lamina::Cli {

struct SolveResult;

/// How a solve was split over ranks, and what each of them did.
struct RankRecord {
  /// What a rank has and did. Items are columns or cells.
  struct OfRank {
    std::int64_t owned = 0, halo = 0, sent = 0, messages = 0;  ///< the latter two of an exchange
    std::int64_t peers = 0;
    double setup_seconds = 0, solve_seconds = 0;
  };
  std::array<int, 2> shape{1, 1};  ///< as of `RankGrid`
  TransportReport transport;
  std::vector<std::string> hosts, devices;  ///< of the ranks; devices on rank 0 only
  std::vector<OfRank> ranks;
  std::size_t bytes_per_item = 0;     ///< of an exchange
  int exchanges = 0, reductions = 0;  ///< of an iteration

  double imbalance() const;              ///< items of the largest rank over the mean
  double largest_halo_fraction() const;  ///< of the ranks that own items
  std::int64_t most_peers() const;
  double messages_per_iteration() const;  ///< of all ranks
  double bytes_per_iteration() const;     ///< of all messages
};

/// Messages and items of a rank, without times.
RankRecord::OfRank rank_part(const Ranks& ranks, const HaloPattern& halo);

/// Makes times, kernels and traffic those of all ranks: the slowest rank's seconds, and bytes and flops
/// added up. Kernels on rank 0 only. Collective.
/// \param result  with a record
void combine_over_ranks(SolveResult& result, const Ranks& ranks);

}  // namespace Lamina::Cli
