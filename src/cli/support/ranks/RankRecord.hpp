// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/distributed/HaloPattern.hpp>
#include <lamina/distributed/Transport.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "support/ranks/MeteredTransport.hpp"
#include "support/ranks/Ranks.hpp"

namespace Lamina::Cli {

class RankLink;
struct SolveResult;

/// What a rank sends in an iteration, and how long the host of a solve waited for others.
struct RankMessages {
  double messages = 0, bytes = 0, sums = 0;
  double halo_wait_seconds = 0, sum_wait_seconds = 0;

  void add_waits(const TransportUse& use);
  /// \param use  in so many iterations
  void set_traffic(const TransportUse& use, int iterations);

  /// The same without what a solve does at its start or end only, less often than there are
  /// iterations: exchanges and sums of an iteration are rounded down. All exchanges are alike.
  void set_traffic_of_solve(const TransportUse& use, int iterations);
};

/// How a solve was split over ranks, and what each of them did.
struct RankRecord {
  /// What a rank has and did. Items are columns, lines or block rows.
  struct OfRank {
    std::int64_t owned = 0, halo = 0, peers = 0;
    double setup_seconds = 0, solve_seconds = 0;
    RankMessages messages{};
  };
  std::array<int, 2> shape{1, 1};  ///< as of `RankGrid`, as is the next
  std::string partitioner;
  TransportReport transport;
  std::vector<std::string> hosts, devices;  ///< of the ranks; devices on rank 0 only
  std::vector<OfRank> ranks;

  double imbalance() const;              ///< items of the largest rank over the mean
  double largest_halo_fraction() const;  ///< of the ranks that own items
  std::int64_t most_peers() const;
  RankMessages messages() const;  ///< of all ranks; sums are those of each
};

/// Items of a rank.
RankRecord::OfRank rank_part(const Ranks& ranks, const HaloPattern& halo);

/// Makes times, kernels and traffic those of all ranks: the slowest rank's seconds, and bytes and flops
/// added up. Kernels on rank 0 only. Adds the record. Nothing of one process. Collective.
/// \param device  that this rank works on
/// \param mine    what this rank has; times and messages are those of the result
void combine_over_ranks(SolveResult& result, const RankLink& link, const std::string& device,
                        RankRecord::OfRank mine);

}  // namespace Lamina::Cli
