// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "shallow_water/ShallowWaterTask.hpp"
#include "shallow_water/files/ShallowWaterFields.hpp"

namespace Lamina::Cli {

// Some lines j of the bottom and of the Coriolis parameter of a problem.

/// From the checkpoint where there is one, so that a run goes on over the same bottom.
/// \param largest  value of the precision
/// \throws InputError
void put_bottom(const ShallowWaterTask& task, const LineRange& lines, double largest,
                const ConstFieldLine& bottom);

/// At corners.
void put_coriolis(const ShallowWaterProblem& problem, const LineRange& lines,
                  const ConstFieldLine& coriolis);

}  // namespace Lamina::Cli
