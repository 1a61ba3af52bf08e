// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/Rectangle.hpp>
#include <lamina/io/NetcdfFile.hpp>
#include <lamina/io/NetcdfReader.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace Lamina::Cli {

// Height and velocity in NetCDF files: height(y, x), u(y, x_u), v(y_v, x) with the coordinates of
// cell centres x, y and of west and south edges x_u, y_v, or the same with a first dimension
// `time`.

/// A field line by line: `line(j, values)` moves the values (i, j) of one j to or from values[i].
using FieldLine = std::function<void(int j, double* values)>;
using ConstFieldLine = std::function<void(int j, const double* values)>;

struct FieldLines {
  FieldLine height, u, v;
  FieldLine bottom{};  ///< empty where it is flat
};

/// Levels of time in a file.
enum class StateLevel {
  now,
  previous  ///< the one before, whose variables bear names that end in `_previous`
};

/// Numbers of the dimensions in a file that is written.
struct FieldAxes {
  int x, y, x_u, y_v;
};

/// Adds dimensions and coordinates of a grid.
FieldAxes add_field_axes(NetcdfFile& file, const Rectangle& size);

/// A field of a file that is written, some lines at a time.
class FieldVariable {
 public:
  /// \param dimensions  the last two of a field; one before them is that of time
  FieldVariable(NetcdfFile& file, const std::string& name, const std::string& long_name,
                const Rectangle& size, bool in_double, const std::vector<int>& dimensions);

  /// \param record  its index in time; 0 for a field without
  void write(NetcdfFile& file, std::size_t record, const FieldLine& line) const;

 private:
  int m_variable;
  std::size_t m_nx, m_ny, m_lines;  // m_lines: of a block
  bool m_in_time;
};

/// Checks that a file holds height, u and v of so many cells, without reading their values.
/// \throws FileError
void require_state(const NetcdfReader& file, StateLevel level, const Rectangle& size);
/// The same of a bottom, a variable (y, x).
void require_bottom(const NetcdfReader& file, const std::string& variable, const Rectangle& size);

/// Consecutive lines j.
struct LineRange {
  int first, count;
};

/// Reads some of their lines; of fields over time, the last record.
/// \param largest  value of the precision
/// \throws FileError also for values that are missing, not finite or larger, and heights <= 0
void read_state(const NetcdfReader& file, StateLevel level, const Rectangle& size,
                const LineRange& lines, double largest, const ConstFieldLine& height,
                const ConstFieldLine& u, const ConstFieldLine& v);
/// The same of a bottom, whose values may be any finite numbers.
void read_bottom(const NetcdfReader& file, const std::string& variable, const Rectangle& size,
                 const LineRange& lines, double largest, const ConstFieldLine& bottom);

}  // namespace Lamina::Cli
