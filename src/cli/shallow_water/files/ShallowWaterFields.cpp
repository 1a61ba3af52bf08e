// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "shallow_water/files/ShallowWaterFields.hpp"

#include <lamina/io/FileError.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace Lamina::Cli {
namespace {

std::size_t length(int extent) { return static_cast<std::size_t>(extent); }

/// Lines of about a MiB together.
std::size_t lines_of_block(std::size_t nx, std::size_t ny) {
  constexpr std::size_t bytes = 1024 * 1024;
  return std::clamp<std::size_t>(bytes / (sizeof(double) * nx), 1, ny);
}

/// \param shift       of the points, in cells from the west or south edges
/// \param cells_of_1  of a length of 1
int add_coordinate(NetcdfFile& file, const std::string& name, const char* axis,
                   const char* long_name, int n, double shift, int cells_of_1) {
  const int dimension = file.add_dimension(name, length(n));
  const int variable = file.add_variable<double>(name, {dimension});
  file.add_attribute(variable, "long_name", std::string(long_name));
  file.add_attribute(variable, "units", std::string("1"));
  file.add_attribute(variable, "axis", std::string(axis));
  std::vector<double> values;
  for (int i = 0; i < n; ++i) values.push_back((i + shift) / cells_of_1);
  file.write(variable, {0}, {values.size()}, values.data());
  return dimension;
}

// --- Reading ---

struct FieldNames {
  const char *name, *y, *x;
};
constexpr FieldNames height_names{"height", "y", "x"}, u_names{"u", "y", "x_u"},
    v_names{"v", "y_v", "x"};

FieldNames bottom_names(const std::string& variable) { return {variable.c_str(), "y", "x"}; }

constexpr double anything = -std::numeric_limits<double>::infinity();

/// A field in a file that is read.
class StoredField {
 public:
  StoredField(const NetcdfReader& file, const FieldNames& names, StateLevel level,
              const Rectangle& size)
      : m_file(file),
        m_name(std::string(names.name) + (level == StateLevel::previous ? "_previous" : "")),
        m_nx(length(size.nx)),
        m_ny(length(size.ny)) {
    const auto variable = file.find_variable(m_name);
    if (!variable) fail("no such variable");
    m_variable = *variable;
    auto got = file.dimensions(m_variable);
    const std::string text = shape_text(got);
    m_in_time = got.size() == 3 && got.front().name == "time";
    if (m_in_time) {
      if (got.front().length == 0) fail("expected values at a time, got none");
      m_record = got.front().length - 1;
      got.erase(got.begin());
    }
    const std::string expected = shape_text({{names.y, m_ny}, {names.x, m_nx}});
    if (shape_text(got) != expected) {
      fail(fmt::format("expected the dimensions {}, got {}", expected, text));
    }
    file.require_numbers(m_variable);
  }

  /// \param lowest  which values must exceed
  void read(const LineRange& lines, double lowest, double largest,
            const ConstFieldLine& line) const {
    const std::size_t block = lines_of_block(m_nx, m_ny), end = length(lines.first + lines.count);
    std::vector<double> values(block * m_nx);
    for (std::size_t j = length(lines.first); j < end; j += block) {
      const std::size_t count = std::min(block, end - j);
      std::vector<std::size_t> start{j, 0}, counts{count, m_nx};
      if (m_in_time) {
        start.insert(start.begin(), m_record);
        counts.insert(counts.begin(), 1);
      }
      m_file.read(m_variable, start, counts, values.data());
      for (std::size_t k = 0; k < count * m_nx; ++k) {
        if (!sound(values[k], lowest, largest)) {
          fail(fmt::format("expected {} at (i, j) = ({}, {}), got {}",
                           lowest == 0 ? "a number > 0" : "a finite number", k % m_nx, j + k / m_nx,
                           values[k]));
        }
      }
      for (std::size_t k = 0; k < count; ++k) {
        line(static_cast<int>(j + k), values.data() + k * m_nx);
      }
    }
  }

 private:
  static bool sound(double value, double lowest, double largest) {
    return value > lowest && std::abs(value) <= largest;
  }
  [[noreturn]] void fail(const std::string& problem) const {
    throw FileError(m_file.path(), "variable '" + m_name + "': " + problem);
  }

  const NetcdfReader& m_file;
  std::string m_name;
  std::size_t m_nx, m_ny, m_record = 0;
  int m_variable = 0;
  bool m_in_time = false;
};

}  // namespace

FieldAxes add_field_axes(NetcdfFile& file, const Rectangle& size) {
  constexpr double edge = 0, centre = 0.5;
  const auto [nx, ny] = size;
  return {.x = add_coordinate(file, "x", "X", "x of cell centres", nx, centre, nx),
          .y = add_coordinate(file, "y", "Y", "y of cell centres", ny, centre, nx),
          .x_u = add_coordinate(file, "x_u", "X", "x of west edges of cells", nx, edge, nx),
          .y_v = add_coordinate(file, "y_v", "Y", "y of south edges of cells", ny, edge, nx)};
}

FieldVariable::FieldVariable(NetcdfFile& file, const std::string& name,
                             const std::string& long_name, const Rectangle& size, bool in_double,
                             const std::vector<int>& dimensions)
    : m_variable(in_double ? file.add_variable<double>(name, dimensions)
                           : file.add_variable<float>(name, dimensions)),
      m_nx(length(size.nx)),
      m_ny(length(size.ny)),
      m_lines(lines_of_block(m_nx, m_ny)),
      m_in_time(dimensions.size() == 3) {
  file.add_attribute(m_variable, "long_name", long_name);
  file.add_attribute(m_variable, "units", std::string("1"));
}

void FieldVariable::write(NetcdfFile& file, std::size_t record, const FieldLine& line) const {
  std::vector<double> values(m_lines * m_nx);
  for (std::size_t j = 0; j < m_ny; j += m_lines) {
    const std::size_t count = std::min(m_lines, m_ny - j);
    for (std::size_t k = 0; k < count; ++k) {
      line(static_cast<int>(j + k), values.data() + k * m_nx);
    }
    std::vector<std::size_t> start{j, 0}, counts{count, m_nx};
    if (m_in_time) {
      start.insert(start.begin(), record);
      counts.insert(counts.begin(), 1);
    }
    file.write(m_variable, start, counts, values.data());
  }
}

void require_state(const NetcdfReader& file, StateLevel level, const Rectangle& size) {
  for (const auto& names : {height_names, u_names, v_names}) {
    (void)StoredField(file, names, level, size);
  }
}

void require_bottom(const NetcdfReader& file, const std::string& variable, const Rectangle& size) {
  (void)StoredField(file, bottom_names(variable), StateLevel::now, size);
}

void read_state(const NetcdfReader& file, StateLevel level, const Rectangle& size,
                const LineRange& lines, double largest, const ConstFieldLine& height,
                const ConstFieldLine& u, const ConstFieldLine& v) {
  StoredField(file, height_names, level, size).read(lines, 0, largest, height);
  StoredField(file, u_names, level, size).read(lines, anything, largest, u);
  StoredField(file, v_names, level, size).read(lines, anything, largest, v);
  file.release();
}

void read_bottom(const NetcdfReader& file, const std::string& variable, const Rectangle& size,
                 const LineRange& lines, double largest, const ConstFieldLine& bottom) {
  StoredField(file, bottom_names(variable), StateLevel::now, size)
      .read(lines, anything, largest, bottom);
  file.release();
}

}  // namespace Lamina::Cli
