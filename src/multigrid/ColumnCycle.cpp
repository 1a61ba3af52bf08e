// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/multigrid/impl/ColumnCycle.hpp>

namespace Lamina {

LAMINA_FOR_EACH_SPACE_OF_COLUMNS(LAMINA_COLUMN_CYCLE, , CompiledStored)
LAMINA_FOR_EACH_SPACE_OF_COLUMNS(LAMINA_COLUMN_CYCLE, , CompiledProfiles)
LAMINA_FOR_EACH_SPACE_OF_COLUMNS(LAMINA_COLUMN_CYCLE, , CompiledPartialCells)

#define LAMINA_INSTANTIATE(Space)    \
  LAMINA_CYCLE_ITEMS(, Space, float) \
  LAMINA_CYCLE_ITEMS(, Space, double)
LAMINA_FOR_EACH_SPACE(LAMINA_INSTANTIATE)

}  // namespace Lamina
