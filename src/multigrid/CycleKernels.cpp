// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/multigrid/impl/CycleKernels.hpp>

namespace Lamina::Impl {

#define LAMINA_INSTANTIATE(Space, Scalar, Layout) \
  template struct CycleKernels<Space, Scalar, Layout>;
LAMINA_FOR_EACH_CYCLE(LAMINA_INSTANTIATE)

#define LAMINA_TURN(Space) LAMINA_TURN_FIELDS(Space, )
LAMINA_IF_SERIAL(LAMINA_TURN)
LAMINA_IF_OPENMP(LAMINA_TURN)

}  // namespace Lamina::Impl
