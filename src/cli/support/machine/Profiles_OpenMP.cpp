// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "helmholtz/columns/ColumnsSolve_Impl.hpp"

namespace Lamina::Cli {

template HelmholtzResult solve_profile_columns<Kokkos::OpenMP>(const HelmholtzTask&);

}  // namespace Lamina::Cli
