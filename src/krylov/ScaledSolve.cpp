// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/krylov/impl/ScaledSolve.hpp>

namespace Lamina::Impl {

#define LAMINA_INSTANTIATE(Space) LAMINA_SCALED_SOLVES(Space, )
LAMINA_FOR_EACH_SPACE(LAMINA_INSTANTIATE)

}  // namespace Lamina::Impl
