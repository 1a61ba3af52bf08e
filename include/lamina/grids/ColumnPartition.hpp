// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/distributed/Partition.hpp>
#include <lamina/grids/ColumnMesh.hpp>

#include <vector>

namespace Lamina {

// Which rank owns which column of a graph that each rank holds as a whole. `local_columns` then
// cuts the graph. All functions are of the host, communicate nothing, and give the same on every
// rank.
//
// Weights are the work of columns, for example their levels above the bottom: of all columns, >= 0,
// with a finite sum. All columns are alike where there are none, or all weights are 0.

/// Cuts Hilbert's curve through the centres of columns into pieces of nearly equal weight, see
/// `along_hilbert_curve`. Most neighbours of a column are on its rank.
/// \throws InvalidArgument for a graph with halo columns or without centres, other weights, and
///   num_ranks < 1.
Partition partition_along_curve(const ColumnGraph& graph, int num_ranks,
                                const std::vector<double>& weights = {});

/// Whether `partition_by_metis` works: CMake found METIS (`Lamina_ENABLE_METIS`).
bool has_metis();

/// Splits the graph by METIS, so that ranks have nearly equal weights and few edges are cut.
/// Weights are rounded to a 2^30th of their sum. With no more columns than ranks each column has a
/// rank of its own. Otherwise a rank may own nothing, too.
///
/// Source: Karypis and Kumar (1998), multilevel k-way partitioning; `METIS_PartGraphKway` of METIS
/// 5, which other versions need not split alike.
/// \throws InvalidArgument where `has_metis()` is false, for a graph with halo columns or edges of
///   columns that it has not, other weights, and num_ranks < 1.
Partition partition_by_metis(const ColumnGraph& graph, int num_ranks,
                             const std::vector<double>& weights = {});

/// How well a partition suits a graph, see `PartitionQuality`.
/// \throws InvalidArgument for a partition of another number of columns, edges of columns that the
///   graph has not, and other weights.
PartitionQuality partition_quality(const ColumnGraph& graph, const Partition& partition,
                                   const std::vector<double>& weights = {});

}  // namespace Lamina
