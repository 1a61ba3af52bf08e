// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/ColumnPartition.hpp>
#include <lamina/grids/LocalColumns.hpp>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "helmholtz/HelmholtzTask.hpp"

namespace Lamina::Cli {

class CommandLine;

/// How the columns of a grid other than a panel are split over ranks.
struct GridPartition {
  std::string partitioner;  ///< as of `--partitioner`
  Partition columns;        ///< in the order of the grid
  PartitionQuality quality;
  /// Whether ranks hardly have two neighbouring columns: then each has the whole of the finest level of multigrid,
  /// as `ColumnHierarchy` says.
  bool is_scattered = false;
};

/// `--partitioner` and `--partition`.
void declare_partition(CommandLine& line);

/// The file of `--partition`; empty: none was given.
std::filesystem::path partition_path(const CommandLine& line);

/// How the columns of a problem are split over the processes of the launch, whose partition is set
/// on a grid other than a panel. Before they are connected.
/// \param weights  the work of each column; empty: all are alike
/// \throws InputError, also for options of a panel on another grid, and the reverse
RankGrid read_rank_columns(const CommandLine& line, HelmholtzProblem& problem,
                           const std::vector<double>& weights = {});

/// The columns of a rank of several: a rectangle of a panel, or what the partition gives it.
LocalColumns columns_of_rank(const HelmholtzProblem& problem, const RankGrid& grid);

/// A number that others hardly have.
template <class Value>
std::size_t fingerprint(const std::vector<Value>& values) {
  return std::hash<std::string_view>()(
      {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value)});
}

/// Grids, partitions, bottoms and coefficients come from files that each rank reads: it compares what all of them
/// have. Collective.
/// \throws SharedError unless they are the same on all ranks
void require_same_columns(const HelmholtzProblem& problem, const Ranks& ranks);

}  // namespace Lamina::Cli
