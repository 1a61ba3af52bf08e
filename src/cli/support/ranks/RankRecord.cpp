// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/ranks/RankRecord.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "support/SolveResult.hpp"
#include "support/ranks/RankLink.hpp"

namespace Lamina::Cli {
namespace {

using Json = nlohmann::json;

template <class Number>
double sum(const std::vector<RankRecord::OfRank>& ranks, Number RankRecord::OfRank::*member) {
  double result = 0;
  for (const auto& rank : ranks) result += static_cast<double>(rank.*member);
  return result;
}

Json list_of(const std::vector<KernelRecord>& kernels) {
  Json list = Json::array();
  for (const KernelRecord& kernel : kernels) {
    list.push_back({kernel.name, kernel.calls, kernel.seconds, kernel.bytes, kernel.flops,
                    kernel.path, kernel.reason});
  }
  return list;
}

KernelRecord record_of(const Json& entry) {
  return {.name = entry[0],
          .calls = entry[1],
          .seconds = entry[2],
          .bytes = entry[3],
          .flops = entry[4],
          .path = entry[5],
          .reason = entry[6]};
}

void add(std::vector<KernelRecord>& kernels, const KernelRecord& other) {
  const auto place = std::find_if(kernels.begin(), kernels.end(), [&](const KernelRecord& kernel) {
    return kernel.name == other.name;
  });
  if (place == kernels.end()) {
    kernels.push_back(other);
    return;
  }
  place->calls = std::max(place->calls, other.calls);
  place->seconds = std::max(place->seconds, other.seconds);
  place->bytes += other.bytes;
  place->flops += other.flops;
  if (place->reason.empty() && !other.reason.empty()) {
    place->path = other.path;
    place->reason = other.reason;
  }
}

/// The kernels of all ranks as one list on rank 0; elsewhere the own ones.
std::vector<KernelRecord> kernels_of_all(const Ranks& ranks,
                                         const std::vector<KernelRecord>& kernels) {
  const auto binary = Json::to_cbor(list_of(kernels));
  std::vector<std::byte> mine(binary.size());
  std::transform(binary.begin(), binary.end(), mine.begin(),
                 [](std::uint8_t byte) { return std::byte{byte}; });
  const auto lists = ranks.gather_at_first(std::move(mine));
  if (!ranks.is_first()) return kernels;
  std::vector<KernelRecord> all;
  for (const auto& bytes : lists) {
    std::vector<std::uint8_t> list(bytes.size());
    std::transform(bytes.begin(), bytes.end(), list.begin(),
                   [](std::byte byte) { return std::to_integer<std::uint8_t>(byte); });
    for (const Json& entry : Json::from_cbor(list)) add(all, record_of(entry));
  }
  return all;
}

}  // namespace

double RankRecord::imbalance() const {
  std::int64_t largest = 0;
  for (const OfRank& rank : ranks) largest = std::max(largest, rank.owned);
  const double all = sum(ranks, &OfRank::owned);
  return all > 0 ? static_cast<double>(largest) * static_cast<double>(ranks.size()) / all : 1;
}

double RankRecord::largest_halo_fraction() const {
  double largest = 0;
  for (const OfRank& rank : ranks) {
    if (rank.owned == 0) continue;
    largest = std::max(largest, static_cast<double>(rank.halo) / static_cast<double>(rank.owned));
  }
  return largest;
}

std::int64_t RankRecord::most_peers() const {
  std::int64_t most = 0;
  for (const OfRank& rank : ranks) most = std::max(most, rank.peers);
  return most;
}

RankMessages RankRecord::messages() const {
  RankMessages all;
  for (const OfRank& rank : ranks) {
    all.messages += rank.messages.messages;
    all.bytes += rank.messages.bytes;
    all.sums = rank.messages.sums;
  }
  return all;
}

void RankMessages::add_waits(const TransportUse& use) {
  halo_wait_seconds += use.halo_seconds;
  sum_wait_seconds += use.sum_seconds;
}

void RankMessages::set_traffic(const TransportUse& use, int iterations) {
  const double count = std::max(iterations, 1);
  messages = static_cast<double>(use.messages) / count;
  bytes = static_cast<double>(use.bytes) / count;
  sums = static_cast<double>(use.sums) / count;
}

void RankMessages::set_traffic_of_solve(const TransportUse& use, int iterations) {
  const auto rounded = [&](std::int64_t calls) {
    return static_cast<double>(calls / std::max(iterations, 1));
  };
  const double exchanges = static_cast<double>(std::max<std::int64_t>(use.exchanges, 1));
  messages = static_cast<double>(use.messages) / exchanges * rounded(use.exchanges);
  bytes = static_cast<double>(use.bytes) / exchanges * rounded(use.exchanges);
  sums = rounded(use.sums);
}

RankRecord::OfRank rank_part(const Ranks& ranks, const HaloPattern& halo) {
  RankRecord::OfRank part{.owned = halo.num_owned};
  for (const HaloPattern::Peer& peer : halo.peers) {
    part.halo += static_cast<std::int64_t>(peer.receive.size());
    if (peer.rank != ranks.rank()) part.peers += 1;
  }
  return part;
}

void combine_over_ranks(SolveResult& result, const RankLink& link, const std::string& device,
                        RankRecord::OfRank mine) {
  if (link.ranks() == nullptr) return;
  const Ranks& ranks = *link.ranks();
  mine.setup_seconds = result.setup_seconds;
  mine.solve_seconds = result.solve_seconds;
  mine.messages = result.messages;
  result.ranks = RankRecord{.shape = link.grid().shape,
                            .partitioner = link.grid().partitioner,
                            .transport = link.transport().report(),
                            .hosts = ranks.hosts(),
                            .devices = ranks.gather_at_first(device),
                            .ranks = ranks.gather(mine)};
  for (const RankRecord::OfRank& rank : result.ranks->ranks) {
    result.setup_seconds = std::max(result.setup_seconds, rank.setup_seconds);
    result.solve_seconds = std::max(result.solve_seconds, rank.solve_seconds);
  }
  result.bytes_per_iteration = sum_of_all(&ranks, result.bytes_per_iteration);
  result.kernels = kernels_of_all(ranks, result.kernels);
}

}  // namespace Lamina::Cli
