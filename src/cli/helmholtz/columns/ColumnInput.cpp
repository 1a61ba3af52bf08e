// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "helmholtz/columns/ColumnInput.hpp"

#include <lamina/io/FileError.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <iterator>
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

/// Of what is read at a time: 4 MB.
constexpr std::size_t values_of_block = std::size_t{1} << 19;

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
  ColumnVariable variable{.name = name, .across = {}, .along = {}};
  for (const NetcdfDimension& dimension : dimensions) {
    const ColumnAxis axis = axis_of(name, dimension);
    const bool across = is_across(axis);
    if ((across && (variable.across || variable.along)) || (!across && variable.along)) {
      fail(fmt::format("variable '{}': expected a face or edge before a level or interface, got {}",
                       name, shape_text(dimensions)));
    }
    (across ? variable.across : variable.along) = axis;
    (across ? variable.num_across : variable.num_along) = dimension.length;
    if (!across) variable.top_first = is_top_first(dimension);
  }
  m_file.require_numbers(*number);
  return variable;
}

std::vector<double> ColumnInput::read(const ColumnVariable& variable,
                                      const std::vector<std::size_t>& places) const {
  const int number = number_of(variable.name);
  const std::size_t length = variable.num_along;
  const auto rows = [&](std::size_t first, std::size_t count, double* to) {
    std::vector<std::size_t> start, extents;
    if (variable.across) {
      start.push_back(first);
      extents.push_back(count);
    }
    if (variable.along) {
      start.push_back(0);
      extents.push_back(length);
    }
    m_file.read(number, start, extents, to, NetcdfReader::Missing::as_nan);
    if (!variable.top_first) return;
    for (std::size_t n = 0; n < count; ++n) std::reverse(to + n * length, to + (n + 1) * length);
  };
  if (!variable.across) {
    std::vector<double> values(length);
    rows(0, 1, values.data());
    return values;
  }
  std::vector<std::size_t> order;  // of places in the file
  for (std::size_t n = 0; n < places.size(); ++n) {
    if (places[n] != no_place) order.push_back(n);
  }
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return places[a] < places[b]; });
  std::vector<double> values(places.size() * length, std::numeric_limits<double>::quiet_NaN());
  const std::size_t most = std::max<std::size_t>(values_of_block / length, 1);
  std::vector<double> block;
  for (auto next = order.begin(); next != order.end();) {
    const std::size_t first = places[*next];
    auto end = next;
    while (end != order.end() && places[*end] - first < most) ++end;
    const std::size_t count = places[*std::prev(end)] - first + 1;
    block.resize(count * length);
    rows(first, count, block.data());
    for (; next != end; ++next) {
      const auto row =
          block.begin() + static_cast<std::ptrdiff_t>((places[*next] - first) * length);
      std::copy_n(row, length, values.begin() + static_cast<std::ptrdiff_t>(*next * length));
    }
  }
  return values;
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

bool ColumnInput::holds_integers(const std::string& name) const {
  return m_file.holds_integers(number_of(name));
}

void ColumnInput::for_each_edge(
    const ColumnVariable& edges_of,
    const std::function<void(std::size_t, const std::array<long, 2>&)>& visit) const {
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
  const std::size_t num_edges = dimensions[0].length;
  if (num_edges != edges_of.num_across) {
    fail(fmt::format("variable '{}': expected {} edges, as '{}' has them, got {}", name,
                     edges_of.num_across, edges_of.name, num_edges));
  }
  const double first = m_file.find_number(*number, "start_index").value_or(mpas ? 1 : 0),
               num_faces = static_cast<double>(m_extents.num_faces);
  std::vector<double> values;
  for (std::size_t begin = 0; begin < num_edges; begin += values_of_block / 2) {
    const std::size_t count = std::min(values_of_block / 2, num_edges - begin);
    values.resize(2 * count);
    m_file.read(*number, {begin, 0}, {count, 2}, values.data(), NetcdfReader::Missing::as_nan);
    for (std::size_t n = 0; n < count; ++n) {
      std::array<long, 2> faces{};
      for (std::size_t side = 0; side < 2; ++side) {
        const double value = values[2 * n + side], face = std::isnan(value) ? -1 : value - first;
        if (face != std::floor(face) || face >= num_faces) {
          fail(fmt::format("variable '{}': expected faces from {} to {} at ({}, {}), got {}", name,
                           first, num_faces - 1 + first, begin + n, side, value));
        }
        faces[side] = face < 0 ? -1 : static_cast<long>(face);
      }
      visit(begin + n, faces);
    }
  }
}

}  // namespace Lamina::Cli
