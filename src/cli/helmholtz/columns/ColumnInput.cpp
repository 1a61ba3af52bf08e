// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "helmholtz/columns/ColumnInput.hpp"

#include <lamina/io/FileError.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <string_view>

namespace Lamina::Cli {
namespace {

struct NamedAxis {
  std::string_view name;
  ColumnAxis axis;
  bool top_first;
};
constexpr std::array<NamedAxis, 8> axes{{{"face", ColumnAxis::faces, false},
                                         {"edge", ColumnAxis::edges, false},
                                         {"level", ColumnAxis::levels, false},
                                         {"interface", ColumnAxis::interfaces, false},
                                         {"nCells", ColumnAxis::faces, false},
                                         {"nEdges", ColumnAxis::edges, false},
                                         {"nVertLevels", ColumnAxis::levels, true},
                                         {"nVertLevelsP1", ColumnAxis::interfaces, true}}};

bool is_across(ColumnAxis axis) { return axis == ColumnAxis::faces || axis == ColumnAxis::edges; }

/// More edges than six for each face would be no grid.
ReadLimits limits_of(const ColumnExtents& extents) {
  const std::size_t edges = 6 * extents.num_faces, interfaces = extents.num_levels + 1,
                    most = std::numeric_limits<std::size_t>::max() / sizeof(double);
  return {.num_values = edges > most / interfaces ? most : edges * interfaces};
}

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

std::string ColumnVariable::index_text(std::size_t place, std::size_t level) const {
  const std::size_t stored = top_first ? num_along - 1 - level : level;
  if (across && along) return fmt::format("({}, {})", place, stored);
  if (!across && !along) return "";
  return fmt::format("({})", across ? place : stored);
}

void ColumnVariable::keep(const std::vector<bool>& wanted) {
  if (!across) return;
  rows.assign(wanted.size(), 0);
  std::size_t count = 0;
  for (std::size_t place = 0; place < wanted.size(); ++place) {
    if (!wanted[place]) continue;
    rows[place] = count++;
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(place * num_along), num_along,
                values.begin() + static_cast<std::ptrdiff_t>(rows[place] * num_along));
  }
  values.resize(count * num_along);
  values.shrink_to_fit();
}

ColumnInput::ColumnInput(const std::filesystem::path& path, const ColumnExtents& extents)
    : m_extents(extents), m_file(path, limits_of(extents)) {}

void ColumnInput::fail(const std::string& problem) const {
  throw FileError(m_file.path(), problem);
}

int ColumnInput::number_of(const std::string& name) const {
  const auto variable = m_file.find_variable(name);
  if (!variable) fail("no variable '" + name + "'");
  return *variable;
}

ColumnAxis ColumnInput::axis_of(const std::string& variable,
                                const NetcdfDimension& dimension) const {
  const auto known = std::find_if(
      axes.begin(), axes.end(), [&](const NamedAxis& axis) { return axis.name == dimension.name; });
  if (known == axes.end()) {
    fail(
        fmt::format("variable '{}': expected dimensions face, edge, level and interface, or "
                    "nCells, nEdges, nVertLevels and nVertLevelsP1, got {}",
                    variable, dimension.name));
  }
  const std::size_t most_edges = 6 * m_extents.num_faces;
  if (known->axis == ColumnAxis::edges) {
    if (dimension.length <= most_edges) return known->axis;
    fail(fmt::format("variable '{}': expected {} of at most {}, got {}", variable, dimension.name,
                     most_edges, dimension.length));
  }
  const std::size_t expected = known->axis == ColumnAxis::faces    ? m_extents.num_faces
                               : known->axis == ColumnAxis::levels ? m_extents.num_levels
                                                                   : m_extents.num_levels + 1;
  if (dimension.length != expected) {
    fail(fmt::format("variable '{}': expected {} = {}, got {}", variable, dimension.name, expected,
                     dimension.length));
  }
  return known->axis;
}

/// Whether the values of a coordinate fall; none where it has other dimensions, or one value.
std::optional<bool> ColumnInput::coordinate_falls(int coordinate,
                                                  const NetcdfDimension& dimension) const {
  const auto dimensions = m_file.dimensions(coordinate);
  const bool is_coordinate = dimensions.size() == 1 && dimensions[0].name == dimension.name;
  if (!is_coordinate || dimension.length < 2) return std::nullopt;
  std::vector<double> values(dimension.length);
  m_file.read(coordinate, {0}, {values.size()}, values.data(), NetcdfReader::Missing::as_nan);
  const bool falls = values[0] > values[1];
  const auto turns = [&](double a, double b) { return falls ? !(a > b) : !(a < b); };
  if (std::adjacent_find(values.begin(), values.end(), turns) != values.end()) {
    fail(fmt::format("variable '{}': expected values that rise or fall", dimension.name));
  }
  return falls;
}

bool ColumnInput::is_top_first(const NetcdfDimension& dimension) const {
  if (const auto coordinate = m_file.find_variable(dimension.name)) {
    const std::string positive = positive_of(dimension.name);
    if (!positive.empty()) {
      const auto falls = coordinate_falls(*coordinate, dimension);
      if (falls) return *falls == (positive == "up");
    }
  }
  return std::any_of(axes.begin(), axes.end(), [&](const NamedAxis& axis) {
    return axis.name == dimension.name && axis.top_first;
  });
}

std::optional<ColumnVariable> ColumnInput::find(const std::string& name) const {
  const auto number = m_file.find_variable(name);
  if (!number) return std::nullopt;
  const auto dimensions = m_file.dimensions(*number);
  ColumnVariable variable{.name = name, .across = {}, .along = {}, .values = {}};
  std::vector<std::size_t> extents;
  for (const NetcdfDimension& dimension : dimensions) {
    const ColumnAxis axis = axis_of(name, dimension);
    const bool across = is_across(axis);
    if ((across && (variable.across || variable.along)) || (!across && variable.along)) {
      fail(fmt::format("variable '{}': expected a face or edge before a level or interface, got {}",
                       name, shape_text(dimensions)));
    }
    (across ? variable.across : variable.along) = axis;
    if (!across) {
      variable.num_along = dimension.length;
      variable.top_first = is_top_first(dimension);
    }
    extents.push_back(dimension.length);
  }
  std::size_t size = 1;
  for (const std::size_t extent : extents) size *= extent;
  variable.values.resize(size);
  m_file.read(*number, std::vector<std::size_t>(extents.size(), 0), extents, variable.values.data(),
              NetcdfReader::Missing::as_nan);
  if (variable.top_first) {
    for (auto row = variable.values.begin(); row != variable.values.end();) {
      const auto end = row + static_cast<std::ptrdiff_t>(variable.num_along);
      std::reverse(row, end);
      row = end;
    }
  }
  return variable;
}

std::vector<double> ColumnInput::list(const std::string& name, std::size_t length) const {
  const int number = number_of(name);
  const auto dimensions = m_file.dimensions(number);
  const std::size_t most = std::max(m_extents.num_faces, std::size_t{1} << 16);
  const bool fits = dimensions.size() == 1 && (length == 0 || dimensions[0].length == length);
  if (!fits || dimensions[0].length > most) {
    fail(fmt::format("variable '{}': expected {} values of one dimension, got {}", name,
                     length == 0 ? fmt::format("at most {}", most) : std::to_string(length),
                     dimensions.empty() ? "one number" : shape_text(dimensions)));
  }
  std::vector<double> values(dimensions[0].length);
  m_file.read(number, {0}, {values.size()}, values.data(), NetcdfReader::Missing::as_nan);
  return values;
}

std::string ColumnInput::positive_of(const std::string& name) const {
  const auto positive = m_file.find_text(number_of(name), "positive");
  if (!positive) return "";
  std::string text = lower_case(*positive);
  if (text != "up" && text != "down") {
    fail(fmt::format("variable '{}', attribute positive: expected up or down, got {}", name,
                     *positive));
  }
  return text;
}

double ColumnInput::num_values(const std::vector<std::string>& names) const {
  double count = 0;
  for (const std::string& name : names) {
    const auto number = m_file.find_variable(name);
    if (!number) continue;
    double of_variable = 1;
    for (const NetcdfDimension& dimension : m_file.dimensions(*number)) {
      of_variable *= static_cast<double>(dimension.length);
    }
    count += of_variable;
  }
  return count;
}

bool ColumnInput::holds_integers(const std::string& name) const {
  return m_file.holds_integers(number_of(name));
}

std::vector<std::array<long, 2>> ColumnInput::edge_faces(const ColumnVariable& edges_of) const {
  const bool mpas = !has("edge_faces");
  const std::string name = mpas ? "cellsOnEdge" : "edge_faces";
  const auto number = m_file.find_variable(name);
  if (!number) fail("expected a variable 'edge_faces' or 'cellsOnEdge' with values on edges");
  const auto dimensions = m_file.dimensions(*number);
  if (dimensions.size() != 2 || dimensions[1].length != 2 ||
      axis_of(name, dimensions[0]) != ColumnAxis::edges) {
    fail(fmt::format("variable '{}': expected the dimensions (edge, 2), got {}", name,
                     shape_text(dimensions)));
  }
  if (dimensions[0].length != edges_of.num_across()) {
    fail(fmt::format("variable '{}': expected {} edges, as '{}' has them, got {}", name,
                     edges_of.num_across(), edges_of.name, dimensions[0].length));
  }
  const double first = m_file.find_number(*number, "start_index").value_or(mpas ? 1 : 0);
  std::vector<double> values(2 * dimensions[0].length);
  m_file.read(*number, {0, 0}, {dimensions[0].length, 2}, values.data(),
              NetcdfReader::Missing::as_nan);
  std::vector<std::array<long, 2>> faces(dimensions[0].length);
  for (std::size_t n = 0; n < values.size(); ++n) {
    const double face = std::isnan(values[n]) ? -1 : values[n] - first;
    if (face != std::floor(face) || face >= static_cast<double>(m_extents.num_faces)) {
      fail(fmt::format("variable '{}': expected faces from {} to {} at ({}, {}), got {}", name,
                       first, static_cast<double>(m_extents.num_faces) - 1 + first, n / 2, n % 2,
                       values[n]));
    }
    faces[n / 2][n % 2] = face < 0 ? -1 : static_cast<long>(face);
  }
  return faces;
}

}  // namespace Lamina::Cli
