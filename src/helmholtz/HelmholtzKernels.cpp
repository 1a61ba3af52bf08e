// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/helmholtz/impl/HelmholtzKernels.hpp>

namespace Lamina::Impl {

#define LAMINA_INSTANTIATE(Space, Scalar, Layout) \
  template struct HelmholtzKernels<Space, Scalar, Layout>;
LAMINA_FOR_EACH_FIELD(LAMINA_INSTANTIATE)

}  // namespace Lamina::Impl
