// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/problems/RightHandSide.hpp>

#include <cstdint>

namespace Lamina {

/// Where f of a `RightHandSide` is asked for.
struct SourcePlace {
  double x = 0, y = 0;       ///< X and Y, -1 to 1
  double z = 0.5;            ///< Z, 0 to 1
  std::uint64_t number = 0;  ///< of the generator, for `rough`: num_levels * column + level
};

/// f at a place of any grid, on the host. At the centres of cells of a panel it is what `fill_rhs`
/// multiplies with their volumes.
double source_value(RightHandSide rhs, const SourcePlace& place);

}  // namespace Lamina
