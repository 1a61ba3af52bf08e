// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/VerticalGrid.hpp>
#include <lamina/io/NetcdfFile.hpp>

#include <array>
#include <string>
#include <vector>

// Variables that all files of fields on columns have.

namespace Lamina::Impl {

/// A variable of type double with attributes that are texts.
int add_variable(NetcdfFile& file, const std::string& name, const std::vector<int>& dimensions,
                 const std::vector<std::array<std::string, 2>>& attributes);

/// `level`, `level_bounds` and `level_volume`, along these dimensions.
void write_vertical_coordinates(NetcdfFile& file, const VerticalGrid& grid, int level, int bound);

}  // namespace Lamina::Impl
