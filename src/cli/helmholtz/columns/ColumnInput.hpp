// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/io/NetcdfReader.hpp>

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace Lamina::Cli {

/// What a dimension of a variable on columns counts.
enum class ColumnAxis { faces, edges, levels, interfaces };

/// The extents that a file must have.
struct ColumnExtents {
  std::size_t num_faces, num_levels;
};

/// A variable on columns: of faces or edges, of levels or interfaces, of both, or one number. Values that
/// are missing are NaN.
struct ColumnVariable {
  std::string name;
  std::optional<ColumnAxis> across, along;  ///< none: the same everywhere
  std::size_t num_along = 1;
  std::vector<double> values;

  /// \param place  a face or edge, numbered as in the file, that was not given up
  /// \param level  from the bottom up
  double at(std::size_t place, std::size_t level) const {
    const std::size_t row = !across ? 0 : rows.empty() ? place : rows[place];
    return values[row * num_along + (along ? level : 0)];
  }
  /// Gives up the values of places that nobody wants.
  void keep(const std::vector<bool>& wanted);
  /// Faces or edges; 1 where the variable has none of them.
  std::size_t num_across() const { return values.size() / num_along; }
  /// "(3, 2)", as the file numbers it; empty for a number.
  std::string index_text(std::size_t place, std::size_t level) const;

  bool top_first = false;           ///< levels of the file are from the top down
  std::vector<std::size_t> rows{};  ///< of the places that were kept; empty: all of them
};

/// A NetCDF file with variables on columns, read in a child process: before Kokkos starts.
///
/// Dimensions are told by their names: `face`, `edge`, `level`, `interface`, or those of MPAS `nCells`,
/// `nEdges`, `nVertLevels`, `nVertLevelsP1`. Levels are from the bottom up, those of MPAS from the top down, unless
/// a coordinate, a variable with the name and the length of the dimension, has the attribute `positive`: then
/// that and its values tell.
/// All throw `FileError`.
class ColumnInput {
 public:
  ColumnInput(const std::filesystem::path& path, const ColumnExtents& extents);

  bool has(const std::string& name) const { return m_file.find_variable(name).has_value(); }
  /// The variable, none where there is none of this name.
  std::optional<ColumnVariable> find(const std::string& name) const;
  /// A variable of one dimension of any name, of so many values; 0: any number of them.
  std::vector<double> list(const std::string& name, std::size_t length) const;
  /// The attribute `positive`: "up" or "down"; empty where there is none.
  std::string positive_of(const std::string& name) const;
  /// Values of these variables, of those that are there.
  double num_values(const std::vector<std::string>& names) const;
  /// Whether values are stored as whole numbers, not packed.
  bool holds_integers(const std::string& name) const;

  /// The faces on both sides of each edge, from 0, or less beyond the rim: of `edge_faces(edge, two)`
  /// from its attribute `start_index`, otherwise from 0; or of `cellsOnEdge` of MPAS, from 1.
  /// \param edges_of  a variable on edges, which must be as many
  std::vector<std::array<long, 2>> edge_faces(const ColumnVariable& edges_of) const;

  [[noreturn]] void fail(const std::string& problem) const;

 private:
  int number_of(const std::string& name) const;
  ColumnAxis axis_of(const std::string& variable, const NetcdfDimension& dimension) const;
  std::optional<bool> coordinate_falls(int coordinate, const NetcdfDimension& dimension) const;
  bool is_top_first(const NetcdfDimension& dimension) const;

  ColumnExtents m_extents;
  NetcdfReader m_file;
};

}  // namespace Lamina::Cli
