// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <optional>
#include <vector>

#include "support/options/Choices.hpp"
#include "support/output/OutputPath.hpp"

namespace Lamina::Cli {

class CommandLine;
struct ColumnBottoms;
struct HelmholtzOptions;
struct HelmholtzProblem;

/// `--bottom`, `--coefficients` and `--project`.
void declare_columns(CommandLine& line);

/// `--levels N|FILE` of a grid other than a panel: sets the number of levels, or interfaces and
/// depth.
/// \throws InputError
void read_levels(const CommandLine& line, HelmholtzProblem& problem);

/// Where columns end, if bottoms or coefficients were asked for; read in a child process: before Kokkos starts.
/// \throws InputError, also for what does not go with them
std::optional<ColumnBottoms> read_column_bottoms(const CommandLine& line,
                                                 const HelmholtzOptions& options);

/// Sets the columns of a problem with such bottoms, with coefficients, which are read likewise. Over ranks
/// those of this rank, as the partition of the problem says.
/// \throws InputError
void read_columns(const CommandLine& line, ColumnBottoms bottoms, HelmholtzProblem& problem);

/// Whether the solver takes bottoms and coefficients.
bool takes_columns(Solver solver);

/// The files that these options name.
std::vector<NamedFile> files_of_columns(const CommandLine& line);

/// Checks that all coefficients are in the range of a precision. \throws InputError
void require_columns_in_range(const HelmholtzProblem& problem, Precision precision);

}  // namespace Lamina::Cli
