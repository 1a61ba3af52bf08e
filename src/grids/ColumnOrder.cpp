// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/grids/impl/ColumnOrder.hpp>

namespace Lamina::Impl {

#define LAMINA_COPIES_OF_HOST(Space)   LAMINA_COPIES_ON_HOST(Space, )
#define LAMINA_COPIES_OF_DEVICE(Space) LAMINA_COPIES_ON_DEVICE(Space, )
LAMINA_IF_SERIAL(LAMINA_COPIES_OF_HOST)
LAMINA_IF_OPENMP(LAMINA_COPIES_OF_HOST)
LAMINA_IF_DEVICE(LAMINA_COPIES_OF_DEVICE)

}  // namespace Lamina::Impl
