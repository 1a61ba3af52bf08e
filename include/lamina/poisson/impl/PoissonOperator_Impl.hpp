// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/core/impl/RequireDisjoint.hpp>
#include <lamina/poisson/PoissonOperator.hpp>

namespace Lamina {

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space, FieldOf<Scalar, Memory> In, FieldOf<Scalar, Memory> Out>
requires WorksIn<Space, Memory> && WritableField<Out> &&
    std::same_as<typename In::array_layout, typename Out::array_layout>
void PoissonOperator<Scalar, Memory>::apply(const Space& space, const In& x, const Out& y) const {
  Impl::require_field("PoissonOperator::apply", "x", x, m_num_columns, m_rectangle.ny);
  Impl::require_field("PoissonOperator::apply", "y", y, m_num_columns, m_rectangle.ny);
  Impl::require_disjoint("PoissonOperator::apply", "x", x, "y", y);
  const Impl::ProfilingRegion region("Lamina::PoissonOperator::apply");
  Impl::PoissonKernels<Space, Scalar>::apply(space, grid<typename In::array_layout>(),
                                             Impl::lines_of(x), Impl::lines_of(y));
}

}  // namespace Lamina
