// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/multigrid/impl/CycleKernels.hpp>

namespace Lamina::Impl {

#define LAMINA_INSTANTIATE(Space, Scalar, Layout) \
  template struct CycleKernels<Space, Scalar, Layout>;
LAMINA_FOR_EACH_CYCLE(LAMINA_INSTANTIATE)

}  // namespace Lamina::Impl
