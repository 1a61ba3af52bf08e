// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/impl/SplitMix.hpp>
#include <lamina/problems/SourceValue.hpp>

#include <cmath>
#include <numbers>

namespace Lamina {

double source_value(RightHandSide rhs, const SourcePlace& place) {
  if (rhs == RightHandSide::constant) return 1;
  if (rhs == RightHandSide::rough) return Impl::unit_hash(place.number);
  using std::numbers::pi;
  return 1 + std::sin(pi * place.x) * std::cos(pi * place.y / 2) * std::cos(pi * place.z) +
         place.x * place.y / 2;
}

}  // namespace Lamina
