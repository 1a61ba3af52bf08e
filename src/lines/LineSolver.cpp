// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/lines/LineSolver.hpp>

namespace Lamina::Impl {

#define LAMINA_INSTANTIATE(Space, Scalar, Layout)                                                 \
  template struct LineSolverKernels<                                                              \
      Space, StoredColumns<                                                                       \
                 GeneralTridiagonal<Kokkos::View<const Scalar**, Layout, Space::memory_space>>>>; \
  template struct LineSolverKernels<Space, StoredColumns<SymmetricTridiagonal<Kokkos::View<       \
                                               const Scalar**, Layout, Space::memory_space>>>>;   \
  template struct LineSolverKernels<                                                              \
      Space, StoredColumns<                                                                       \
                 CyclicTridiagonal<Kokkos::View<const Scalar**, Layout, Space::memory_space>>>>;
LAMINA_FOR_EACH_FIELD(LAMINA_INSTANTIATE)

}  // namespace Lamina::Impl
