// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/grids/Rectangle.hpp>

#include <string>

namespace Lamina::Impl {
namespace {

std::string text_of(const Rectangle& rectangle) {
  return std::to_string(rectangle.nx) + " x " + std::to_string(rectangle.ny);
}

}  // namespace

void require_cells(const char* function, const Rectangle& rectangle) {
  LAMINA_REQUIRE(rectangle.nx >= 1 && rectangle.ny >= 1, function,
                 "argument rectangle: expected extents >= 1, got " + text_of(rectangle));
}

void require_same_cells(const char* function, const char* argument, const Rectangle& expected,
                        const Rectangle& got) {
  LAMINA_REQUIRE(got == expected, function,
                 "argument " + std::string(argument) + ": expected " + text_of(expected) +
                     " cells, got " + text_of(got));
}

}  // namespace Lamina::Impl
