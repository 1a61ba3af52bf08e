// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "helmholtz/parts/GridPartition.hpp"

#include <lamina/io/PartitionFile.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <utility>
#include <vector>

#include "helmholtz/columns/HelmholtzColumns.hpp"
#include "support/options/CommandLine.hpp"
#include "support/ranks/Ranks.hpp"

namespace Lamina::Cli {
namespace {

enum class Partitioner { curve, metis, file };
const Choices<Partitioner> partitioners{
    {"curve", Partitioner::curve}, {"metis", Partitioner::metis}, {"file", Partitioner::file}};

void refuse_all(const CommandLine& line, std::initializer_list<const char*> options,
                const std::string& expected) {
  for (const char* option : options) {
    if (!line.given(option)) continue;
    CommandLine::fail(option, expected, fmt::format("{}", fmt::join(line.texts(option), " ")));
  }
}

/// The one that was asked for, or that a file implies.
Partitioner read_partitioner(const CommandLine& line) {
  const bool has_file = line.given("--partition");
  const auto given = line.choice("--partitioner", partitioners);
  const Partitioner partitioner = given.value_or(has_file ? Partitioner::file : Partitioner::curve);
  if (has_file != (partitioner == Partitioner::file)) {
    CommandLine::fail("--partitioner",
                      has_file ? "file with --partition FILE" : "--partition FILE with file",
                      std::string(name_of(partitioners, partitioner)));
  }
  if (partitioner == Partitioner::metis && !has_metis()) {
    CommandLine::fail("--partitioner", "curve|file, as this program was built without METIS",
                      "metis");
  }
  return partitioner;
}

/// Columns of the file are in the order of the mesh, or of the generator.
Partition from_file(const CommandLine& line, const HelmholtzGrid& grid, int num_ranks) {
  const std::vector<int> in_file = for_option("--partition", [&] {
    return read_owners(partition_path(line), static_cast<int>(grid.original.size()), num_ranks);
  });
  std::vector<int> owners;
  owners.reserve(in_file.size());
  for (const int number : grid.original) {
    owners.push_back(in_file[static_cast<std::size_t>(number)]);
  }
  return Partition::from_owners(std::move(owners), num_ranks);
}

Partition read_partition(const CommandLine& line, Partitioner partitioner,
                         const HelmholtzGrid& grid, int num_ranks,
                         const std::vector<double>& weights) {
  if (partitioner == Partitioner::file) return from_file(line, grid, num_ranks);
  if (partitioner == Partitioner::metis) return partition_by_metis(grid.graph, num_ranks, weights);
  std::vector<int> along_curve(grid.graph.areas.size());
  std::iota(along_curve.begin(), along_curve.end(), 0);
  return Partition::along_order(along_curve, weights, num_ranks);
}

/// Whether more than a tenth of the columns has neighbours on other ranks alone. Ranks that coarsen by aggregates of
/// three or four stop at a third, those of pairs sooner.
bool is_scattered(const ColumnGraph& graph, const Partition& partition,
                  const std::vector<double>& weights) {
  const auto is_wet = [&](int column) {
    return weights.empty() || weights[static_cast<std::size_t>(column)] > 0;
  };
  std::vector<bool> has_near(graph.areas.size()), has_any(graph.areas.size());
  for (const ColumnGraph::Edge& edge : graph.edges) {
    if (!is_wet(edge.first) || !is_wet(edge.second)) continue;
    const bool is_near = partition.owner(edge.first) == partition.owner(edge.second);
    for (const int column : {edge.first, edge.second}) {
      has_any[static_cast<std::size_t>(column)] = true;
      if (is_near) has_near[static_cast<std::size_t>(column)] = true;
    }
  }
  const auto count = [](const std::vector<bool>& columns) {
    return std::count(columns.begin(), columns.end(), true);
  };
  return 10 * (count(has_any) - count(has_near)) > count(has_any);
}

std::string text_of(Partitioner partitioner, const GridPartition& partition, std::size_t edges) {
  const char* const parts = partitioner == Partitioner::curve   ? "pieces of the curve"
                            : partitioner == Partitioner::metis ? "parts by METIS"
                                                                : "parts of a file";
  const PartitionQuality& quality = partition.quality;
  const double cut = 100.0 * static_cast<double>(quality.cut_edges) /
                     static_cast<double>(std::max<std::size_t>(edges, 1));
  return fmt::format(
      "{}: imbalance {:.2f}, {:.1f} % of edges cut, at most {} peers and {:.0f} % halo", parts,
      quality.imbalance, cut, quality.most_peers, 100 * quality.largest_halo_fraction);
}

}  // namespace

void declare_partition(CommandLine& line) {
  line.option("--partitioner", "NAME",
              "Who has which columns of a grid other than a panel: " + list_names(partitioners) +
                  " [curve; with --partition file]");
  line.option("--partition", "FILE",
              "The process of each column from 0, one a line in the order of the mesh, as METIS "
              "writes it");
}

std::filesystem::path partition_path(const CommandLine& line) {
  return line.text("--partition", "");
}

RankGrid read_rank_columns(const CommandLine& line, HelmholtzProblem& problem,
                           const std::vector<double>& weights) {
  if (!problem.grid) {
    refuse_all(line, {"--partitioner", "--partition"}, "a --grid other than panel");
    return read_rank_grid(line);
  }
  const HelmholtzGrid& grid = *problem.grid;
  refuse_all(line, {"--ranks"}, "--partitioner with --grid " + grid.name);
  const Partitioner partitioner = read_partitioner(line);
  RankGrid ranks = read_rank_strips(line, 0, "");
  ranks.partitioner = name_of(partitioners, partitioner);
  GridPartition partition{
      .partitioner = ranks.partitioner,
      .columns = read_partition(line, partitioner, grid, ranks.shape[0], weights),
      .quality = {},
      .is_scattered = false};
  partition.quality = partition_quality(grid.graph, partition.columns, weights);
  partition.is_scattered = is_scattered(grid.graph, partition.columns, weights);
  ranks.parts = text_of(partitioner, partition, grid.graph.edges.size());
  problem.partition = std::make_shared<const GridPartition>(std::move(partition));
  return ranks;
}

LocalColumns columns_of_rank(const HelmholtzProblem& problem, const RankGrid& grid) {
  const int rank = grid.ranks->rank();
  if (problem.grid) return local_columns(problem.grid->graph, problem.partition->columns, rank);
  // Packs of columns are found where rectangles begin at multiples of these.
  constexpr std::array<int, 2> align{2, 16};
  const auto partition = Partition::grid({problem.num_x, problem.num_y}, grid.shape, align);
  return problem.panel().local(partition, rank, problem.edge);
}

void require_same_columns(const HelmholtzProblem& problem, const Ranks& ranks) {
  if (!problem.grid) return;
  std::vector<int> owners;
  for (std::int64_t column = 0; column < problem.num_columns(); ++column) {
    owners.push_back(problem.partition->columns.owner(column));
  }
  const HelmholtzGrid& grid = *problem.grid;
  const auto grids = ranks.gather(std::array{
      fingerprint(grid.graph.edges), fingerprint(grid.graph.areas), fingerprint(grid.original)});
  const auto partitions = ranks.gather(fingerprint(owners));
  // Those of a file may be others on another node.
  const auto levels = ranks.gather(
      std::array{static_cast<std::size_t>(problem.num_levels), fingerprint(problem.interfaces)});
  const ColumnBottoms none;
  const ColumnBottoms& mine = problem.columns ? problem.columns->bottoms : none;
  const auto bottoms =
      ranks.gather(std::array{fingerprint(mine.first_wet), fingerprint(mine.height)});
  const auto coefficients =
      ranks.gather(problem.columns ? problem.columns->file_fingerprint : std::size_t{0});
  const char* const option =
      problem.partition->partitioner == "file" ? "--partition" : "--partitioner";
  run_agreed(&ranks, [&] {
    for (std::size_t rank = 1; rank < grids.size(); ++rank) {
      const bool same_grid = grids[rank] == grids[0];
      const bool same_levels = levels[rank] == levels[0],
                 same_bottoms = bottoms[rank] == bottoms[0],
                 same_coefficients = coefficients[rank] == coefficients[0],
                 same_partition = partitions[rank] == partitions[0];
      if (same_grid && same_levels && same_bottoms && same_coefficients && same_partition) continue;
      CommandLine::fail(!same_grid        ? "--grid"
                        : !same_levels    ? "--levels"
                        : !same_bottoms   ? "--bottom"
                        : !same_partition ? option
                                          : "--coefficients",
                        "the same on all ranks",
                        fmt::format("another on rank {} than on rank 0", rank));
    }
  });
}

}  // namespace Lamina::Cli
