// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/grids/Rectangle.hpp>

#include <string>

namespace Lamina::Impl {

void require_cells(const char* function, const Rectangle& rectangle) {
  LAMINA_REQUIRE(rectangle.nx >= 1 && rectangle.ny >= 1, function,
                 "argument rectangle: expected extents >= 1, got " + std::to_string(rectangle.nx) +
                     " x " + std::to_string(rectangle.ny));
}

}  // namespace Lamina::Impl
