// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/Colouring.hpp>
#include <lamina/blocks/LocalBlockRows.hpp>
#include <lamina/blocks/PointImplicitSolver.hpp>
#include <lamina/core/Concepts.hpp>
#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/io/PointFile.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "support/SolveResult.hpp"
#include "support/options/Choices.hpp"
#include "support/ranks/RankGrid.hpp"

namespace Lamina::Cli {

struct Space;

enum class Storage { single_precision, half_precision, double_precision };
enum class RowOrder { none, rcm };
enum class Colours { greedy, balanced };
/// What sweeps are the preconditioner of.
enum class Krylov { none, pcg, gmres };

inline const Choices<Storage> storages{{"float", Storage::single_precision},
                                       {"half", Storage::half_precision},
                                       {"double", Storage::double_precision}};
inline const Choices<BlockInverse> block_inverses{{"lu", BlockInverse::lu},
                                                  {"lu-pivoted", BlockInverse::lu_pivoted},
                                                  {"inverse", BlockInverse::inverse}};
inline const Choices<RowOrder> row_orders{{"none", RowOrder::none}, {"rcm", RowOrder::rcm}};
inline const Choices<Colours> colourings{{"greedy", Colours::greedy},
                                         {"balanced", Colours::balanced}};
inline const Choices<SweepDirection> directions{{"forward", SweepDirection::forward},
                                                {"backward", SweepDirection::backward},
                                                {"symmetric", SweepDirection::symmetric}};

/// Iterations after which GMRES begins anew; it keeps a vector for each, and two more.
inline constexpr int gmres_restart = 30;
inline const Choices<Krylov> krylov_methods{
    {"none", Krylov::none}, {"pcg", Krylov::pcg}, {"gmres", Krylov::gmres}};

/// What is solved.
struct PointImplicitProblem {
  std::filesystem::path matrix, rhs;  ///< empty: generated; b = A 1
  std::filesystem::path mesh;         ///< to generate on; empty: a box of vertices
  std::filesystem::path colours;      ///< of the rows; empty: to be found
  std::int64_t num_x = 20, num_y = 20, num_z = 20;
  int block_size = 5;

  /// On the points of a mesh, with blocks and a solution in closed form.
  bool generated() const { return matrix.empty(); }
  bool on_box() const { return generated() && mesh.empty(); }
  std::int64_t num_vertices() const { return num_x * num_y * num_z; }
};

/// Where the colours are from: the name of a method, or a file.
inline std::string colouring_of(const PointImplicitProblem& problem, Colours colours) {
  return problem.colours.empty() ? std::string(name_of(colourings, colours))
                                 : problem.colours.string();
}

/// How and where it is solved.
struct PointImplicitVariant {
  const Space* space = nullptr;
  Storage storage = Storage::single_precision;
  BlockInverse inverse = BlockInverse::inverse;
  RowOrder order = RowOrder::rcm;
  Colours colours = Colours::greedy;
  SweepDirection direction = SweepDirection::forward;
  Krylov krylov = Krylov::none;
  int num_sweeps = 1;    ///< in each application of the preconditioner
  RankGrid rank_grid{};  ///< parts of block rows
};

/// Whether the blocks that sweeps read are rounded ones: generated matrices are of floats.
inline bool is_rounded(const PointImplicitProblem& problem, Storage storage) {
  return storage == Storage::half_precision ||
         (storage == Storage::single_precision && !problem.generated());
}

/// The system on the host, or the part of it that a rank has in local numbers. Of a generated one
/// the graph and the ids alone.
struct PointImplicitInput {
  BlockGraph graph;              ///< which rows are coupled
  int num_halo = 0;              ///< rows at its end that other ranks own, with empty lists
  std::vector<int> lattice_ids;  ///< of a generated system; of a mesh file the ranks of its nodes
  PointPlaces places;            ///< of the rows, from a mesh file
  std::vector<int> colours;      ///< of the rows, from a file
  // Of a matrix file: all block rows, diagonal included, and b unless it is A 1.
  std::vector<std::int64_t> row_offsets;
  std::vector<int> columns;
  std::vector<double> blocks, rhs;
};

/// Generates or reads it.
/// \throws InputError
PointImplicitInput point_implicit_input(const PointImplicitProblem& problem);
/// The same without what of a matrix file there is besides the graph.
PointImplicitInput point_implicit_graph(const PointImplicitProblem& problem);
/// Rows by colour, as the variant asks for, or with the colours that were read.
ColourOrdering ordering_of(const PointImplicitInput& input, const PointImplicitVariant& variant);
/// The rows of each rank: consecutive ones in the order that they are coloured in.
Partition partition_of(const PointImplicitInput& input, const PointImplicitVariant& variant,
                       int num_ranks);

/// Which block rows one of several ranks has.
struct PointImplicitRows {
  int num_rows = 0;  ///< of all ranks
  LocalBlockRows local;
  // On rank 0, which writes for all:
  std::optional<Partition> partition{};
  std::vector<int> lattice_ids{};  ///< of all rows, as of `PointImplicitInput`, as are the places
  PointPlaces places{};
};

struct PointImplicitTask {
  PointImplicitProblem problem;
  std::shared_ptr<const PointImplicitInput> input;
  std::shared_ptr<const PointImplicitRows> rows;  ///< null: one process has all
  PointImplicitVariant variant;
  StoppingCriteria criteria;
  std::filesystem::path output;    ///< empty: none; nor is any written without a solution
  std::function<void()> on_ready;  ///< called when the set-up is complete; may be empty

  /// Of all ranks.
  int num_rows() const { return rows ? rows->num_rows : input->graph.num_rows(); }
};

/// What came of it. Without a Krylov method iterations are sweeps, their bytes with looks at the
/// residual. The true residual is that of the user's values of A; the error in the L2 norm is the
/// square root of the mean of e^2.
struct PointImplicitResult : SolveResult {
  int num_rows = 0, first_bad_row = -1;
  std::int64_t num_blocks = 0;  ///< off the diagonal
  std::vector<int> colour_sizes;
  std::optional<double> asymmetry;  ///< of the matrix, where it matters
};

/// Solves on an execution space; instantiated by PointImplicitSolve.cpp.in.
template <ExecutionSpace Execution>
PointImplicitResult solve_on(const Execution& space, const PointImplicitTask& task);

/// What a solve allocates at most once its input is there; without slices, which it does without
/// where memory is short.
struct PointImplicitNeed {
  double space_bytes;   ///< in the memory of the space
  double mirror_bytes;  ///< on the host besides, where the space has memory of its own
};

/// \param num_blocks  off the diagonal
PointImplicitNeed point_implicit_need(const PointImplicitProblem& problem,
                                      const PointImplicitVariant& variant, double num_rows,
                                      double num_blocks);

}  // namespace Lamina::Cli
