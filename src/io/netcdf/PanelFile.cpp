// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/FileError.hpp>
#include <lamina/io/NetcdfFile.hpp>
#include <lamina/io/PanelFile.hpp>
#include <lamina/io/PendingFile.hpp>

#include <netcdf.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "GridVariables.hpp"

namespace Lamina {
namespace {

/// Numbers of the dimensions that variables refer to.
struct Axes {
  int x, y, level, vertex, bound;
};
constexpr std::size_t num_vertices = 4;  // of a cell, horizontally

std::size_t length(int extent) { return static_cast<std::size_t>(extent); }

/// A variable (x, y) or (x, y, nv), computed cell by cell and written row by row.
class HorizontalVariable {
 public:
  HorizontalVariable(int variable, std::size_t num_values)
      : m_variable(variable), m_num_values(num_values) {}

  template <class Function>
  void write(NetcdfFile& file, const CubedSpherePanel& panel, const Function& value) const {
    std::vector<double> row(length(panel.num_y()) * m_num_values);
    std::vector<std::size_t> start{0, 0}, count{1, length(panel.num_y())};
    if (m_num_values > 1) {
      start.push_back(0);
      count.push_back(m_num_values);
    }
    for (int i = 0; i < panel.num_x(); ++i) {
      start[0] = length(i);
      double* entry = row.data();
      for (int j = 0; j < panel.num_y(); ++j) {
        for (std::size_t n = 0; n < m_num_values; ++n) *entry++ = value(i, j, static_cast<int>(n));
      }
      file.write(m_variable, start, count, row.data());
    }
  }

 private:
  int m_variable;
  std::size_t m_num_values;
};

/// Corner n of cell (i, j), counter-clockwise from the south-west.
template <class CornerFunction>
double corner(const CornerFunction& function, int i, int j, int n) {
  return function(i + (n == 1 || n == 2 ? 1 : 0), j + (n >= 2 ? 1 : 0));
}

void write_horizontal_coordinates(NetcdfFile& file, const CubedSpherePanel& panel,
                                  const Axes& axes) {
  const std::vector<int> cells{axes.x, axes.y}, corners{axes.x, axes.y, axes.vertex};
  const HorizontalVariable longitude(Impl::add_variable(file, "longitude", cells,
                                                        {{"standard_name", "longitude"},
                                                         {"long_name", "longitude of cell centres"},
                                                         {"units", "degrees_east"},
                                                         {"bounds", "longitude_bounds"}}),
                                     1);
  const HorizontalVariable latitude(Impl::add_variable(file, "latitude", cells,
                                                       {{"standard_name", "latitude"},
                                                        {"long_name", "latitude of cell centres"},
                                                        {"units", "degrees_north"},
                                                        {"bounds", "latitude_bounds"}}),
                                    1);
  const HorizontalVariable longitude_bounds(
      Impl::add_variable(file, "longitude_bounds", corners, {}), num_vertices);
  const HorizontalVariable latitude_bounds(Impl::add_variable(file, "latitude_bounds", corners, {}),
                                           num_vertices);
  const HorizontalVariable area(
      Impl::add_variable(file, "area", cells,
                         {{"standard_name", "cell_area"},
                          {"long_name", "area of cells on a sphere of radius 1 m"},
                          {"units", "m2"},
                          {"coordinates", "longitude latitude"}}),
      1);

  longitude.write(file, panel, [&](int i, int j, int) { return panel.longitude(i, j); });
  latitude.write(file, panel, [&](int i, int j, int) { return panel.latitude(i, j); });
  longitude_bounds.write(file, panel, [&](int i, int j, int n) {
    return corner([&](int p, int q) { return panel.corner_longitude(p, q); }, i, j, n);
  });
  latitude_bounds.write(file, panel, [&](int i, int j, int n) {
    return corner([&](int p, int q) { return panel.corner_latitude(p, q); }, i, j, n);
  });
  area.write(file, panel, [&, areas = panel.areas()](int i, int j, int) {
    return areas[static_cast<std::size_t>(panel.column(i, j))];
  });
}

template <class Scalar>
void write_variable(NetcdfFile& file, const CubedSpherePanel& panel, int num_levels,
                    const Axes& axes, const PanelVariable<Scalar>& variable) {
  const int id = file.add_variable<Scalar>(variable.name, {axes.x, axes.y, axes.level});
  file.add_attribute(id, "long_name", variable.long_name);
  file.add_attribute(id, "units", "1");
  file.add_attribute(id, "coordinates", "longitude latitude");
  file.add_attribute(id, "cell_methods", variable.cell_methods);
  file.add_attribute(id, "cell_measures", "area: area");
  std::vector<Scalar> slab(length(panel.num_y()) * length(num_levels));
  for (int i = 0; i < panel.num_x(); ++i) {
    variable.slab(i, slab.data());
    file.write(id, {length(i), 0, 0}, {1, length(panel.num_y()), length(num_levels)}, slab.data());
  }
}

}  // namespace

template <class Scalar>
void write_panel_file(const std::filesystem::path& path, const CubedSpherePanel& panel,
                      const VerticalGrid& grid, const std::vector<FileAttribute>& attributes,
                      const std::vector<PanelVariable<Scalar>>& variables) {
  PendingFile pending(path);
  NetcdfFile file = NetcdfFile::create(pending.temporary(), path);
  file.add_attributes(attributes);
  const Axes axes{.x = file.add_dimension("x", length(panel.num_x())),
                  .y = file.add_dimension("y", length(panel.num_y())),
                  .level = file.add_dimension("level", length(grid.num_levels())),
                  .vertex = file.add_dimension("nv", num_vertices),
                  .bound = file.add_dimension("bounds", 2)};
  write_horizontal_coordinates(file, panel, axes);
  Impl::write_vertical_coordinates(file, grid, axes.level, axes.bound);
  for (const auto& variable : variables)
    write_variable(file, panel, grid.num_levels(), axes, variable);
  file.close();
  pending.commit();
}

PanelReader::PanelReader(const std::filesystem::path& path, const std::string& name,
                         const CubedSpherePanel& panel, int num_levels)
    : m_file(path,
             {.num_values = length(panel.num_x()) * length(panel.num_y()) * length(num_levels)}),
      m_name(name),
      m_num_x(length(panel.num_x())),
      m_num_y(length(panel.num_y())),
      m_num_levels(length(num_levels)) {
  const auto variable = m_file.find_variable(name);
  if (!variable) throw FileError(path, "no variable '" + name + "'");
  m_variable = *variable;
  const std::string expected =
      shape_text({{"x", m_num_x}, {"y", m_num_y}, {"level", m_num_levels}});
  const std::string got = shape_text(m_file.dimensions(m_variable));
  if (got != expected) {
    throw FileError(
        path, "variable '" + name + "': expected the dimensions " + expected + ", got " + got);
  }
  m_file.require_numbers(m_variable);
}

void PanelReader::read(const PanelSlab<const double>& slab) const {
  read({.num_x = static_cast<int>(m_num_x), .num_y = static_cast<int>(m_num_y)}, slab);
}

void PanelReader::read(const PanelBlock& block, const PanelSlab<const double>& slab) const {
  const std::size_t first_y = length(block.first_y), num_y = length(block.num_y);
  std::vector<double> values(num_y * m_num_levels);
  for (int i = block.first_x; i < block.first_x + block.num_x; ++i) {
    m_file.read(m_variable, {length(i), first_y, 0}, {1, num_y, m_num_levels}, values.data());
    const auto bad = std::find_if(values.begin(), values.end(),
                                  [](double value) { return !std::isfinite(value); });
    if (bad != values.end()) {
      const auto n = static_cast<std::size_t>(bad - values.begin());
      throw FileError(m_file.path(), "variable '" + m_name + "': expected a finite value at (" +
                                         std::to_string(i) + ", " +
                                         std::to_string(first_y + n / m_num_levels) + ", " +
                                         std::to_string(n % m_num_levels) + "), got " +
                                         std::to_string(*bad));
    }
    slab(i, values.data());
  }
  m_file.release();
}

std::string netcdf_version() {
  const std::string text = nc_inq_libvers();  // "4.9.0 of Dec 15 2022 ..."
  return text.substr(0, text.find(' '));
}

template void write_panel_file<float>(const std::filesystem::path&, const CubedSpherePanel&,
                                      const VerticalGrid&, const std::vector<FileAttribute>&,
                                      const std::vector<PanelVariable<float>>&);
template void write_panel_file<double>(const std::filesystem::path&, const CubedSpherePanel&,
                                       const VerticalGrid&, const std::vector<FileAttribute>&,
                                       const std::vector<PanelVariable<double>>&);

}  // namespace Lamina
