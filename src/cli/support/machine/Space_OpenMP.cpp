// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/machine/HostMachine.hpp"
#include "support/machine/SpaceOf.hpp"

namespace Lamina::Cli {

template <>
Space make_space<Kokkos::OpenMP>() {
  return space_of<Kokkos::OpenMP, HostMachine>("openmp", Layout::right);
}

}  // namespace Lamina::Cli
