// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/io/NetcdfFile.hpp>
#include <lamina/io/NetcdfReader.hpp>

#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "ProgramTest.hpp"

namespace LaminaTest {

/// Runs `lamina shallow-water`, and looks into its files.
class ShallowWaterTest : public ProgramTest {
 protected:
  /// All values of a variable, the last dimension contiguous.
  std::vector<double> values(const std::string& name, const std::string& variable) const {
    const Lamina::NetcdfReader file(folder / name);
    const int id = file.find_variable(variable).value();
    std::vector<std::size_t> start, count;
    std::size_t size = 1;
    for (const auto& dimension : file.dimensions(id)) {
      start.push_back(0);
      count.push_back(dimension.length);
      size *= dimension.length;
    }
    std::vector<double> result(size);
    file.read(id, start, count, result.data());
    return result;
  }

  /// Height and velocity of a file.
  std::vector<std::vector<double>> state(const std::string& name) const {
    return {values(name, "height"), values(name, "u"), values(name, "v")};
  }

  /// Writes an nx x ny state whose values are functions of (i, j).
  using Values = std::function<double(std::size_t i, std::size_t j)>;
  void write_state(const std::string& name, std::size_t nx, std::size_t ny, const Values& height,
                   const Values& velocity) const {
    auto file = Lamina::NetcdfFile::create(folder / name, name);
    const int x = file.add_dimension("x", nx), y = file.add_dimension("y", ny);
    const int x_u = file.add_dimension("x_u", nx), y_v = file.add_dimension("y_v", ny);
    const auto write = [&](const char* variable, int rows, int columns, const Values& value) {
      const int id = file.add_variable<double>(variable, {rows, columns});
      for (std::size_t j = 0; j < ny; ++j) {
        for (std::size_t i = 0; i < nx; ++i) {
          const double here = value(i, j);
          file.write(id, {j, i}, {1, 1}, &here);
        }
      }
    };
    write("height", y, x, height);
    write("u", y, x_u, velocity);
    write("v", y_v, x, velocity);
    file.close();
  }
};

}  // namespace LaminaTest
