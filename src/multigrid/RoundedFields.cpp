// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/multigrid/impl/RoundedFields.hpp>

namespace Lamina::Impl {

#define LAMINA_INSTANTIATE(Space, Layout) template struct RoundedFields<Space, Layout>;
LAMINA_FOR_EACH_LAYOUT(LAMINA_INSTANTIATE)

}  // namespace Lamina::Impl
