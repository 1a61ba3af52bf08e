// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/FileError.hpp>
#include <lamina/io/NetcdfFile.hpp>
#include <lamina/io/PanelFile.hpp>
#include <lamina/io/PendingFile.hpp>

#include <netcdf.h>

#include <array>
#include <cmath>
#include <cstddef>

namespace Lamina {
namespace {

/// Numbers of the dimensions that variables refer to.
struct Axes {
  int x, y, level, vertex, bound;
};
constexpr std::size_t num_vertices = 4;  // of a cell, horizontally

std::size_t length(int extent) { return static_cast<std::size_t>(extent); }

int add_variable(NetcdfFile& file, const std::string& name, const std::vector<int>& dimensions,
                 const std::vector<std::array<std::string, 2>>& attributes) {
  const int variable = file.add_variable<double>(name, dimensions);
  for (const auto& [attribute, value] : attributes) file.add_attribute(variable, attribute, value);
  return variable;
}

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
  const HorizontalVariable longitude(add_variable(file, "longitude", cells,
                                                  {{"standard_name", "longitude"},
                                                   {"long_name", "longitude of cell centres"},
                                                   {"units", "degrees_east"},
                                                   {"bounds", "longitude_bounds"}}),
                                     1);
  const HorizontalVariable latitude(add_variable(file, "latitude", cells,
                                                 {{"standard_name", "latitude"},
                                                  {"long_name", "latitude of cell centres"},
                                                  {"units", "degrees_north"},
                                                  {"bounds", "latitude_bounds"}}),
                                    1);
  const HorizontalVariable longitude_bounds(add_variable(file, "longitude_bounds", corners, {}),
                                            num_vertices);
  const HorizontalVariable latitude_bounds(add_variable(file, "latitude_bounds", corners, {}),
                                           num_vertices);
  const HorizontalVariable area(add_variable(file, "area", cells,
                                             {{"long_name", "area of cells on the unit sphere"},
                                              {"units", "1"},
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

void write_vertical_coordinates(NetcdfFile& file, const VerticalGrid& grid, const Axes& axes) {
  const int level =
      add_variable(file, "level", {axes.level},
                   {{"long_name", "middle radius of levels, in units of the radius of the planet"},
                    {"units", "1"},
                    {"positive", "up"},
                    {"axis", "Z"},
                    {"bounds", "level_bounds"}});
  const int bounds = add_variable(file, "level_bounds", {axes.level, axes.bound}, {});
  const int volume = add_variable(
      file, "level_volume", {axes.level},
      {{"long_name", "volume of levels above the unit area of the unit sphere"}, {"units", "1"}});

  std::vector<double> middles, interfaces, volumes;
  for (int k = 0; k < grid.num_levels(); ++k) {
    const double lower = grid.interfaces()[length(k)], upper = grid.interfaces()[length(k) + 1];
    middles.push_back((lower + upper) / 2);
    interfaces.insert(interfaces.end(), {lower, upper});
    volumes.push_back(grid.volume(k));
  }
  file.write(level, {0}, {middles.size()}, middles.data());
  file.write(bounds, {0, 0}, {middles.size(), 2}, interfaces.data());
  file.write(volume, {0}, {volumes.size()}, volumes.data());
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

std::string shape_text(const std::vector<NetcdfFile::Dimension>& dimensions) {
  std::string text;
  for (const auto& dimension : dimensions) {
    text += (text.empty() ? "" : ", ") + dimension.name + " = " + std::to_string(dimension.length);
  }
  return '(' + text + ')';
}

/// The number of the variable, after its shape was checked.
int checked_variable(const NetcdfFile& file, const std::filesystem::path& path,
                     const std::string& name, const CubedSpherePanel& panel, int num_levels) {
  const auto variable = file.find_variable(name);
  if (!variable) throw FileError(path, "no variable '" + name + "'");
  const std::vector<NetcdfFile::Dimension> expected{
      {"x", length(panel.num_x())}, {"y", length(panel.num_y())}, {"level", length(num_levels)}};
  const std::string expected_text = shape_text(expected);
  const std::string text = shape_text(file.dimensions(*variable));
  if (text != expected_text) {
    throw FileError(path, "variable '" + name + "': expected the dimensions " + expected_text +
                              ", got " + text);
  }
  return *variable;
}

}  // namespace

template <class Scalar>
void write_panel_file(const std::filesystem::path& path, const CubedSpherePanel& panel,
                      const VerticalGrid& grid, const std::vector<FileAttribute>& attributes,
                      const std::vector<PanelVariable<Scalar>>& variables) {
  PendingFile pending(path);
  NetcdfFile file = NetcdfFile::create(pending.temporary(), path);
  file.add_attribute(NetcdfFile::global, "Conventions", "CF-1.8");
  file.add_attributes(attributes);
  const Axes axes{.x = file.add_dimension("x", length(panel.num_x())),
                  .y = file.add_dimension("y", length(panel.num_y())),
                  .level = file.add_dimension("level", length(grid.num_levels())),
                  .vertex = file.add_dimension("nv", num_vertices),
                  .bound = file.add_dimension("bounds", 2)};
  write_horizontal_coordinates(file, panel, axes);
  write_vertical_coordinates(file, grid, axes);
  for (const auto& variable : variables)
    write_variable(file, panel, grid.num_levels(), axes, variable);
  file.close();
  pending.commit();
}

void require_panel_variable(const std::filesystem::path& path, const std::string& name,
                            const CubedSpherePanel& panel, int num_levels) {
  checked_variable(NetcdfFile::open(path), path, name, panel, num_levels);
}

void read_panel_variable(const std::filesystem::path& path, const std::string& name,
                         const CubedSpherePanel& panel, int num_levels,
                         const PanelSlab<const double>& slab) {
  const NetcdfFile file = NetcdfFile::open(path);
  const int variable = checked_variable(file, path, name, panel, num_levels);
  const auto fill = file.fill_value(variable);
  std::vector<double> values(length(panel.num_y()) * length(num_levels));
  for (int i = 0; i < panel.num_x(); ++i) {
    file.read(variable, {length(i), 0, 0}, {1, length(panel.num_y()), length(num_levels)},
              values.data());
    for (std::size_t n = 0; n < values.size(); ++n) {
      if (std::isfinite(values[n]) && values[n] != fill) continue;
      const std::size_t j = n / length(num_levels), k = n % length(num_levels);
      throw FileError(path, "variable '" + name + "': expected a finite value at (" +
                                std::to_string(i) + ", " + std::to_string(j) + ", " +
                                std::to_string(k) + "), got " +
                                (values[n] == fill ? "a missing one" : std::to_string(values[n])));
    }
    slab(i, values.data());
  }
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
