// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sweeps over off-diagonal blocks that are stored as double. A unit of its own, as each takes minutes
// with a device compiler.

#include <lamina/blocks/impl/BlockKernels.hpp>

namespace Lamina::Impl {

#define LAMINA_INSTANTIATE(Space) template struct BlockKernels<Space, double, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_INSTANTIATE)
#undef LAMINA_INSTANTIATE

#define LAMINA_INSTANTIATE(Space) template struct SliceKernels<Space, double, double>;
LAMINA_IF_DEVICE(LAMINA_INSTANTIATE)
#undef LAMINA_INSTANTIATE

}  // namespace Lamina::Impl
