// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "poisson/PoissonLimits.hpp"

#include "support/machine/MemoryNeed.hpp"
#include "support/machine/Space.hpp"

namespace Lamina::Cli {

std::string size_obstacle(const PoissonTask& task) {
  const PoissonVariant& variant = task.variant;
  const double scalar = variant.precision == Precision::double_precision ? 8 : 4;
  const double solution = task.size.cells() * scalar;
  return shortage_of(*variant.space, poisson_bytes(task.size, variant.solver, variant.precision),
                     task.output.empty() ? 0 : solution);
}

}  // namespace Lamina::Cli
