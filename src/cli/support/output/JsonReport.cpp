// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/output/JsonReport.hpp"

#include <lamina/Version.hpp>
#include <lamina/io/PendingFile.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "support/machine/KokkosSession.hpp"
#include "support/machine/Space.hpp"
#include "support/options/InputError.hpp"
#include "support/output/OutputPath.hpp"

namespace Lamina::Cli {

namespace {

Json kernel_list(const std::vector<KernelRecord>& kernels, double copy_gb_per_s) {
  Json list = Json::array();
  for (const KernelRecord& kernel : kernels) {
    list.push_back({{"name", kernel.name},
                    {"calls", kernel.calls},
                    {"seconds", kernel.seconds},
                    {"bytes", kernel.bytes},
                    {"flops", kernel.flops},
                    {"gb_per_s", kernel.gb_per_s()},
                    {"fraction_of_copy", kernel.gb_per_s() / copy_gb_per_s}});
    if (!kernel.path.empty()) list.back()["path"] = kernel.path;
    if (!kernel.reason.empty()) list.back()["reason"] = kernel.reason;
  }
  return list;
}

/// \param seconds_of  of a rank
template <class SecondsOf>
Json spread_object(const std::vector<RankRecord::OfRank>& ranks, const SecondsOf& seconds_of) {
  double least = seconds_of(ranks.front()), largest = least, sum = 0;
  for (const auto& rank : ranks) {
    least = std::min(least, seconds_of(rank));
    largest = std::max(largest, seconds_of(rank));
    sum += seconds_of(rank);
  }
  return {{"min", least}, {"mean", sum / static_cast<double>(ranks.size())}, {"max", largest}};
}

Json rank_list(const RankRecord& record) {
  Json list = Json::array();
  for (std::size_t n = 0; n < record.ranks.size(); ++n) {
    const RankRecord::OfRank& rank = record.ranks[n];
    list.push_back({{"rank", n},
                    {"host", record.hosts[n]},
                    {"device", record.devices[n]},
                    {"owned", rank.owned},
                    {"halo", rank.halo},
                    {"peers", rank.peers},
                    {"setup", rank.setup_seconds},
                    {"solve", rank.solve_seconds},
                    {"halo_wait", rank.messages.halo_wait_seconds},
                    {"reduction_wait", rank.messages.sum_wait_seconds}});
  }
  return list;
}

/// What a report of a solve over ranks has beside others.
Json rank_object(const RankRecord& record) {
  constexpr std::size_t most_listed = 64;
  Json candidates = Json::array();
  for (const auto& candidate : record.transport.candidates) {
    candidates.push_back({{"name", candidate.name}, {"usable", candidate.usable}});
    if (candidate.usable) {
      candidates.back().update({{"exchange_us", candidate.exchange_us},
                                {"reduction_us", candidate.reduction_us},
                                {"gb_per_s", candidate.gb_per_s}});
    } else {
      candidates.back()["reason"] = candidate.reason;
    }
  }
  const auto spread = [&](const auto& seconds_of) {
    return spread_object(record.ranks, seconds_of);
  };
  const RankMessages all = record.messages();
  Json json{
      {"ranks", record.ranks.size()},
      {"decomposition",
       {{"imbalance", record.imbalance()},
        {"largest_halo_fraction", record.largest_halo_fraction()},
        {"most_peers", record.most_peers()}}},
      {"transport",
       {{"name", record.transport.name},
        {"candidates", candidates},
        {"library", record.transport.library}}},
      {"rank_seconds",
       {{"setup", spread([](const auto& rank) { return rank.setup_seconds; })},
        {"solve", spread([](const auto& rank) { return rank.solve_seconds; })},
        {"halo_wait", spread([](const auto& rank) { return rank.messages.halo_wait_seconds; })},
        {"reduction_wait",
         spread([](const auto& rank) { return rank.messages.sum_wait_seconds; })}}},
      {"messages",
       {{"per_iteration", all.messages},
        {"bytes_per_iteration", all.bytes},
        {"reductions_per_iteration", all.sums}}}};
  if (record.partitioner.empty()) {
    json["decomposition"]["ranks"] = record.shape;
  } else {
    json["decomposition"]["partitioner"] = record.partitioner;
  }
  if (record.ranks.size() <= most_listed) json["per_rank"] = rank_list(record);
  return json;
}

}  // namespace

void add_criteria(Json& problem, const StoppingCriteria& criteria) {
  const bool to_rhs = criteria.relative_to == Reference::rhs;
  problem.update({{"tolerance", criteria.tolerance},
                  {"tolerance_relative_to", to_rhs ? "rhs" : "initial_residual"},
                  {"max_iterations", criteria.max_iterations}});
}

Json head_object(const char* command, const Space& space, std::string_view precision,
                 std::string_view layout, const Json& problem, SolveStatus status) {
  return {{"command", command},
          {"lamina_version", LAMINA_VERSION_STRING},
          {"kokkos_version", kokkos_version()},
          {"space", space.name},
          {"device", space.describe()},
          {"precision", precision},
          {"layout", layout},
          {"problem", problem},
          {"status", to_string(status)}};
}

void add_tail(Json& json, const SolveResult& result, double copy_gb_per_s) {
  if (result.error) json["error"] = {{"l2", result.error->l2}, {"linf", result.error->linf}};
  json.update({{"seconds", {{"setup", result.setup_seconds}, {"solve", result.solve_seconds}}},
               {"kernels", kernel_list(result.kernels, copy_gb_per_s)},
               {"copy_gb_per_s", copy_gb_per_s},
               {"ranks", 1}});
  if (result.ranks) json.update(rank_object(*result.ranks));
}

Json solve_object(const char* command, const Space& space, std::string_view precision,
                  std::string_view layout, const Json& problem, const SolveResult& result,
                  double copy_gb_per_s) {
  const SolveReport& report = result.report;
  Json json = head_object(command, space, precision, layout, problem, report.status);
  json.update({{"converged", report.converged()},
               {"iterations", report.iterations},
               {"relative_residual", report.relative_residual()},
               {"true_relative_residual", result.true_relative_residual},
               {"residual_history", report.residual_history}});
  if (report.restarts > 0) json["restarts"] = report.restarts;
  add_tail(json, result, copy_gb_per_s);
  return json;
}

void write_json(const std::filesystem::path& path, const Json& value) {
  // A terminal may be behind a descriptor: it sees no character that ASCII does not show.
  const bool in_ascii = named_descriptor(path).has_value();
  const std::string text = value.dump(2, ' ', in_ascii, Json::error_handler_t::replace) + '\n';
  for_option("--json", [&] { write_text(path, text); });
}

}  // namespace Lamina::Cli
