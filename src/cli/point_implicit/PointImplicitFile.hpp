// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <vector>

#include "point_implicit/PointImplicitTask.hpp"

namespace Lamina::Cli {

/// Writes the solution to the output file of the task: Matrix Market, NetCDF or VTK, by its suffix.
/// \param solution  in the order of the rows; a generated system is written by lattice id
/// \throws InputError where that fails
void write_solution(const PointImplicitTask& task, const PointImplicitResult& result,
                    const std::vector<double>& solution);

}  // namespace Lamina::Cli
