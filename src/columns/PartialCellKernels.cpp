// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/columns/impl/CompiledColumns.hpp>

namespace Lamina {

LAMINA_FOR_EACH_SPACE_OF_COLUMNS(LAMINA_COLUMNS, , CompiledPartialCells)

}  // namespace Lamina
