// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/io/NetcdfReader.hpp>

#include <array>
#include <cstddef>
#include <filesystem>
#include <functional>
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

/// A variable on columns: of faces or edges, of levels or interfaces, of both, or one number.
struct ColumnVariable {
  std::string name;
  std::optional<ColumnAxis> across, along;  ///< none: the same everywhere
  std::size_t num_across = 1, num_along = 1;
  bool top_first = false;  ///< levels of the file are from the top down

  /// "(3, 2)", as the file numbers it; empty for a number.
  /// \param level  from the bottom up
  std::string index_text(std::size_t place, std::size_t level) const;
};

/// The place of what a file does not have.
constexpr std::size_t no_place = static_cast<std::size_t>(-1);

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
  /// The variable, none where there is none of this name. Its values are not read.
  std::optional<ColumnVariable> find(const std::string& name) const;
  /// Its values at some faces or edges, in their order, with levels from the bottom up. Values that are missing,
  /// and those of `no_place`, are NaN. Reads them in blocks, and leaves out those that nobody asks for.
  std::vector<double> read(const ColumnVariable& variable,
                           const std::vector<std::size_t>& places) const;
  /// A variable of one dimension of any name, of so many values; 0: any number of them.
  std::vector<double> list(const std::string& name, std::size_t length) const;
  /// The attribute `positive`: "up" or "down"; empty where there is none.
  std::string positive_of(const std::string& name) const;
  /// Whether values are stored as whole numbers, not packed.
  bool holds_integers(const std::string& name) const;

  /// Calls visit(edge, faces) with the faces on both sides of each edge, from 0, or less beyond the rim: of
  /// `edge_faces(edge, two)` from its attribute `start_index`, otherwise from 0; or of `cellsOnEdge` of MPAS,
  /// from 1. Edges are in the order of the file.
  /// \param edges_of  a variable on edges, which must be as many
  void for_each_edge(
      const ColumnVariable& edges_of,
      const std::function<void(std::size_t, const std::array<long, 2>&)>& visit) const;

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
