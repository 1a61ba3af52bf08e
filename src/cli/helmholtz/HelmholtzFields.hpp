// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include "helmholtz/HelmholtzTask.hpp"

namespace Lamina::Cli {

/// Calls call.operator()<Scalar, LayoutType>() for the precision and layout of a variant.
template <class Call>
auto with_helmholtz_fields(const HelmholtzVariant& variant, const Call& call) {
  using Kokkos::LayoutLeft, Kokkos::LayoutRight;
  const bool in_double = variant.precision != Precision::single_precision;
  if (variant.layout == Layout::left) {
    return in_double ? call.template operator()<double, LayoutLeft>()
                     : call.template operator()<float, LayoutLeft>();
  }
  return in_double ? call.template operator()<double, LayoutRight>()
                   : call.template operator()<float, LayoutRight>();
}

}  // namespace Lamina::Cli
