// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MeshInput.hpp"

#include <lamina/io/FileError.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace Lamina {
namespace {

/// The number of values of a variable. A file of a few hundred bytes may declare any.
std::size_t size_of(const NetcdfReader& file, int variable, const std::string& name,
                    std::size_t most_values) {
  const auto dimensions = file.dimensions(variable);
  std::size_t size = 1;
  for (const NetcdfDimension& dimension : dimensions) {
    if (size > 0 && dimension.length > most_values / size) {
      throw FileError(file.path(), fmt::format("variable {}: expected at most {} values, got {}",
                                               name, most_values, shape_text(dimensions)));
    }
    size *= dimension.length;
  }
  return size;
}

ReadLimits limits_of(const std::filesystem::path& path, const std::vector<std::string>& variables,
                     std::size_t most_values) {
  const NetcdfReader file(path);
  ReadLimits limits;
  for (const std::string& name : variables) {
    const auto variable = file.find_variable(name);
    if (!variable) continue;
    limits.num_values = std::max(limits.num_values, size_of(file, *variable, name, most_values));
  }
  return limits;
}

std::string text_of(const std::vector<std::size_t>& extents) {
  std::string text;
  for (const std::size_t extent : extents) {
    text += (text.empty() ? "" : " x ") + (extent == 0 ? "any" : std::to_string(extent));
  }
  return text;
}

/// The points of a row; `row` is its number in messages.
std::vector<int> corners_of(const MeshInput& input, const CornerTable& table, std::size_t row,
                            std::size_t num_points) {
  const std::size_t count = table.counts.empty() ? table.most : table.counts[row];
  std::vector<int> corners;
  for (std::size_t n = 0; n < count; ++n) {
    const double number = table.numbers[row * table.most + n];
    if (std::isnan(number) || (number == table.none && table.none < table.first)) {
      if (table.counts.empty()) break;
    }
    const double index = number - table.first;
    if (!(index >= 0 && index < static_cast<double>(num_points)) || index != std::floor(index)) {
      input.fail(fmt::format("variable {}, cell {}: expected points from {} to {}, got {}",
                             table.name, row, table.first,
                             static_cast<double>(num_points) + table.first - 1, number));
    }
    const int corner = static_cast<int>(index);
    if (corners.empty() || corners.back() != corner) corners.push_back(corner);
  }
  while (corners.size() > 1 && corners.back() == corners.front()) corners.pop_back();
  if (corners.size() < 3) {
    input.fail(fmt::format("variable {}, cell {}: expected 3 corners or more, got {}", table.name,
                           row, corners.size()));
  }
  return corners;
}

}  // namespace

MeshInput::MeshInput(const std::filesystem::path& path, const std::vector<std::string>& variables,
                     std::size_t most_values)
    : m_most_values(std::min(most_values, most_mesh_values)),
      m_file(path, limits_of(path, variables, m_most_values)) {}

void MeshInput::fail(const std::string& problem) const { throw FileError(m_file.path(), problem); }

int MeshInput::number_of(const std::string& name) const {
  const auto variable = m_file.find_variable(name);
  if (!variable) fail(fmt::format("expected a variable {}, got none", name));
  return *variable;
}

std::vector<double> MeshInput::values(const std::string& name, std::vector<std::size_t> extents,
                                      NetcdfReader::Missing missing) const {
  const int variable = number_of(name);
  const auto dimensions = m_file.dimensions(variable);
  const std::string expected = text_of(extents);
  bool fits = dimensions.size() == extents.size();
  for (std::size_t d = 0; fits && d < extents.size(); ++d) {
    fits = extents[d] == 0 || extents[d] == dimensions[d].length;
    extents[d] = dimensions[d].length;
  }
  if (!fits) {
    fail(fmt::format("variable {}: expected {}, got {}", name, expected, shape_text(dimensions)));
  }
  std::vector<double> result(size_of(m_file, variable, name, m_most_values));
  if (!result.empty()) {
    m_file.read(variable, std::vector<std::size_t>(extents.size(), 0), extents, result.data(),
                missing);
  }
  return result;
}

std::vector<double> MeshInput::finite(const std::string& name, std::size_t extent) const {
  std::vector<double> result = values(name, {extent});
  for (std::size_t n = 0; n < result.size(); ++n) {
    if (std::isfinite(result[n])) continue;
    fail(
        fmt::format("variable {}, index {}: expected a finite number, got {}", name, n, result[n]));
  }
  return result;
}

std::vector<double> MeshInput::sizes(const std::string& name, std::size_t extent) const {
  std::vector<double> result = values(name, {extent});
  for (std::size_t n = 0; n < result.size(); ++n) require_size(name, n, result[n]);
  return result;
}

void MeshInput::require_size(const std::string& name, std::size_t index, double value) const {
  if (value > 0 && std::isfinite(value)) return;
  fail(fmt::format("variable {}, index {}: expected a positive number, got {}", name, index,
                   std::isnan(value) ? "none" : fmt::format("{}", value)));
}

void MeshInput::require_cells(const std::string& name, std::size_t num_cells) const {
  if (num_cells > 0) return;
  fail(fmt::format("variable {}: expected at least one cell, got none", name));
}

std::vector<MeshInput::Point> MeshInput::sphere_points(const std::string& longitude,
                                                       const std::string& latitude,
                                                       std::size_t extent, double unit) const {
  const auto longitudes = finite(longitude, extent),
             latitudes = finite(latitude, longitudes.size());
  constexpr double right_angle = 1.5707963267948966;
  std::vector<Point> points;
  for (std::size_t n = 0; n < longitudes.size(); ++n) {
    const double lambda = unit * longitudes[n], phi = unit * latitudes[n];
    if (!(std::abs(phi) <= right_angle * (1 + 1e-6))) {
      fail(fmt::format("variable {}, index {}: expected {}, got {}", latitude, n,
                       unit == 1 ? "radians from -pi/2 to pi/2" : "degrees from -90 to 90",
                       latitudes[n]));
    }
    points.push_back(
        {std::cos(phi) * std::cos(lambda), std::cos(phi) * std::sin(lambda), std::sin(phi)});
  }
  return points;
}

namespace {

/// The number of the copy of a point that is next to a centre on a periodic plane; makes one where
/// there is none.
class PeriodicCopies {
 public:
  PeriodicCopies(const ColumnCentres& centres, std::vector<MeshInput::Point>& points)
      : m_centres(centres), m_points(points) {}

  int near(std::size_t cell, int corner) {
    std::array<int, 2> shifts{0, 0};
    for (std::size_t d = 0; d < 2; ++d) {
      const double period = m_centres.periods[d];
      if (period > 0) {
        const double away =
            m_centres.points[cell][d] - m_points[static_cast<std::size_t>(corner)][d];
        shifts[d] = static_cast<int>(std::lround(std::clamp(away / period, -9.0, 9.0)));
      }
    }
    if (shifts == std::array<int, 2>{0, 0}) return corner;
    const auto [place, is_new] =
        m_copies.try_emplace({corner, shifts}, static_cast<int>(m_points.size()));
    if (is_new) {
      MeshInput::Point copy = m_points[static_cast<std::size_t>(corner)];
      for (std::size_t d = 0; d < 2; ++d) copy[d] += shifts[d] * m_centres.periods[d];
      m_points.push_back(copy);
    }
    return place->second;
  }

 private:
  const ColumnCentres& m_centres;
  std::vector<MeshInput::Point>& m_points;
  std::map<std::pair<int, std::array<int, 2>>, int> m_copies;
};

}  // namespace

CellPolygons polygons_of(const MeshInput& input, const CornerTable& table,
                         std::vector<MeshInput::Point> points, const ColumnCentres& centres) {
  CellPolygons polygons;
  const std::size_t num_points = points.size(), num_cells = table.numbers.size() / table.most;
  polygons.points = std::move(points);
  PeriodicCopies copies(centres, polygons.points);
  for (std::size_t cell = 0; cell < num_cells; ++cell) {
    std::vector<int> corners = corners_of(input, table, cell, num_points);
    for (int& corner : corners) corner = copies.near(cell, corner);
    polygons.add(corners);
  }
  polygons.turn_counter_clockwise(centres.surface);
  return polygons;
}

}  // namespace Lamina
