// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// `lamina helmholtz` with bottoms and coefficients, above a plane of 6 x 5 squares and elsewhere.

#include <lamina/grids/CellPolygons.hpp>
#include <lamina/io/UgridFile.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "cli/ProgramTest.hpp"
#include "io/RawNetcdf.hpp"
#include "reference/Hash.hpp"

namespace LaminaTest {

/// A variable of a file that tests write.
struct FileVariable {
  std::string name;
  std::vector<std::pair<std::string, std::size_t>> dimensions;
  std::vector<double> values;
  nc_type type = NC_DOUBLE;
  std::vector<std::pair<std::string, std::string>> attributes{};
  std::vector<std::pair<std::string, double>> factors{};  ///< attributes that are numbers
};

/// \tparam Base  a test of the program
template <class Base>
class ColumnFilesTest : public Base {
 protected:
  static constexpr std::size_t num_x = 6, num_y = 5, num_faces = num_x * num_y;
  static constexpr double side = 2;
  static constexpr std::size_t levels = 5;
  const std::vector<double> heights{-10, -6, -3.5, -2, -1, 0};  // of interfaces

  /// Face i * num_y + j is at column i, row j.
  void write_plane(const std::string& name) const {
    Lamina::CellPolygons polygons;
    for (std::size_t i = 0; i <= num_x; ++i) {
      for (std::size_t j = 0; j <= num_y; ++j) {
        polygons.points.push_back(
            {side * static_cast<double>(i), side * static_cast<double>(j), 0});
      }
    }
    for (int i = 0; i < static_cast<int>(num_x); ++i) {
      for (int j = 0; j < static_cast<int>(num_y); ++j) {
        const int corner = static_cast<int>(num_y + 1) * i + j, next = static_cast<int>(num_y) + 1;
        polygons.add(std::array{corner, corner + next, corner + next + 1, corner + 1});
      }
    }
    Lamina::ColumnCentres plane;
    plane.surface = Lamina::ColumnCentres::Surface::plane;
    const auto graph = Lamina::polygon_cells(polygons, plane);
    Lamina::write_ugrid_file<double>(this->folder / name, {polygons, graph.centres, graph.areas},
                                     Lamina::VerticalGrid::graded(1, 0.1), {}, {});
  }
  /// The faces on both sides of each edge.
  static std::vector<std::array<std::size_t, 2>> plane_edges() {
    std::vector<std::array<std::size_t, 2>> edges;
    for (std::size_t i = 0; i < num_x; ++i) {
      for (std::size_t j = 0; j < num_y; ++j) {
        const std::size_t face = i * num_y + j;
        if (i + 1 < num_x) edges.push_back({face + num_y, face});
        if (j + 1 < num_y) edges.push_back({face, face + 1});
      }
    }
    return edges;
  }

  using Variable = FileVariable;
  /// \param of_file  attributes
  void write_variables(const std::string& name, const std::vector<Variable>& variables,
                       const std::vector<std::pair<std::string, std::string>>& of_file = {}) const {
    RawNetcdf file(this->folder / name);
    for (const auto& [attribute, text] : of_file) file.attribute(NC_GLOBAL, attribute, text);
    std::vector<std::pair<std::string, int>> dimensions;
    std::vector<int> numbers;
    for (const Variable& variable : variables) {
      std::vector<int> own;
      for (const auto& [dimension, length] : variable.dimensions) {
        int id = -1;
        for (const auto& [known, number] : dimensions) {
          if (known == dimension) id = number;
        }
        if (id < 0) {
          id = file.dimension(dimension, length);
          dimensions.emplace_back(dimension, id);
        }
        own.push_back(id);
      }
      numbers.push_back(file.variable(variable.name, variable.type, own));
      for (const auto& [attribute, text] : variable.attributes) {
        file.attribute(numbers.back(), attribute, text);
      }
      for (const auto& [attribute, factor] : variable.factors) {
        file.attribute(numbers.back(), attribute, NC_DOUBLE, {factor});
      }
    }
    for (std::size_t n = 0; n < variables.size(); ++n) {
      std::vector<std::size_t> extents;
      for (const auto& dimension : variables[n].dimensions) extents.push_back(dimension.second);
      file.write(numbers[n], std::vector<std::size_t>(extents.size(), 0), extents,
                 variables[n].values);
    }
    file.close();
  }
  /// Numbers from `least` to `most`.
  static std::vector<double> numbers(std::size_t count, std::uint64_t seed, double least,
                                     double most) {
    std::vector<double> values;
    for (std::size_t n = 0; n < count; ++n) {
      values.push_back(least + (most - least) * (Reference::unit_value(1000 * seed + n) + 1) / 2);
    }
    return values;
  }
};

using HelmholtzColumnsTest = ColumnFilesTest<ProgramTest>;

}  // namespace LaminaTest
