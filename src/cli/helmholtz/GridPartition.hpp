// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/LocalColumns.hpp>

#include "helmholtz/HelmholtzTask.hpp"

namespace Lamina::Cli {

/// The columns of a rank of several: a rectangle of a panel.
LocalColumns columns_of_rank(const HelmholtzProblem& problem, const RankGrid& grid);

}  // namespace Lamina::Cli
