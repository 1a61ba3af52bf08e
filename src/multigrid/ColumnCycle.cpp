// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/multigrid/impl/ColumnCycle.hpp>

namespace Lamina {

LAMINA_COLUMN_CYCLES()
LAMINA_CYCLE_ENERGIES()

#define LAMINA_INSTANTIATE(Space)    \
  LAMINA_CYCLE_ITEMS(, Space, float) \
  LAMINA_CYCLE_ITEMS(, Space, double)
LAMINA_FOR_EACH_SPACE(LAMINA_INSTANTIATE)
#define LAMINA_PACK_TURNS_OF_DEVICE(Space) LAMINA_PACK_TURNS(Space, )
LAMINA_IF_DEVICE(LAMINA_PACK_TURNS_OF_DEVICE)

}  // namespace Lamina
