// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/LocalColumns.hpp>

#include "helmholtz/HelmholtzTask.hpp"

namespace Lamina::Cli {

class Ranks;

/// The matrix is symmetric where both ranks of an edge have the same coefficients of it: each reads a file, which may
/// be another one on another host. The rank with the lower number tells the other one. Collective.
/// \throws SharedError on all ranks, with one line of the first edge whose coefficients are not the same
void require_same_edges(const HelmholtzProblem& problem, const Ranks& ranks,
                        const LocalColumns& local);

}  // namespace Lamina::Cli
