// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "helmholtz/columns/ColumnInput.hpp"
#include "helmholtz/columns/EdgePlaces.hpp"
#include "helmholtz/columns/HelmholtzColumns.hpp"
#include "helmholtz/columns/OwnColumns.hpp"

namespace Lamina::Cli {

/// The factor of a term in a file, or one number where the file has none; of the items of a process, which are
/// its columns or edges.
class ColumnTerm {
 public:
  /// Finds the variable, without its values.
  /// \param file  null: there is none
  /// \param axes  that it may have
  ColumnTerm(const ColumnInput* file, const char* name, double otherwise,
             const std::vector<ColumnAxis>& axes);

  bool is_given() const { return m_is_given; }
  bool is_of(ColumnAxis axis) const { return m_variable.across == axis; }
  bool varies_across() const { return m_variable.across.has_value(); }
  /// Whether it is a factor of the item times one of the level.
  bool is_separable() const { return !m_variable.across || !m_variable.along; }
  const ColumnVariable& variable() const { return m_variable; }
  /// \param places  of the items in the file
  void read(std::vector<std::size_t> places);
  /// \throws FileError for a value that is negative, missing or not finite
  double at(std::size_t item, std::size_t level) const;
  /// Of a separable term: its factors, and 1 where it has none.
  double of_item(std::size_t item) const { return varies_across() ? at(item, 0) : 1; }
  double of_level(std::size_t level) const { return varies_across() ? 1 : at(0, level); }
  /// Throws unless two edges have the same values.
  void require_same(std::size_t first, std::size_t second, const OwnColumns& own) const;
  /// Of its shape, and of values that all processes have: 0 without a file.
  std::size_t fingerprint() const;

 private:
  double value(std::size_t item, std::size_t level) const {
    return m_values[(m_variable.across ? item * m_variable.num_along : 0) +
                    (m_variable.along ? level : 0)];
  }

  const ColumnInput* m_file;
  ColumnVariable m_variable;
  std::vector<double> m_values;
  std::vector<std::size_t> m_places{};
  bool m_is_given = false;
};

/// The factors of all terms.
struct ColumnTerms {
  /// Finds the variables. \throws FileError where there is none, and for what they cannot be
  explicit ColumnTerms(const ColumnInput* file);

  ColumnTerm mass, surface, vertical, horizontal;

  /// The class of the library that holds them with such bottoms.
  ColumnsClass class_of(const ColumnBottoms& bottoms, const VerticalGrid& grid) const;
  /// Values that a process reads.
  double num_values(double columns, double edges) const;
  void read(const ColumnInput& file, const OwnColumns& own);
  std::size_t fingerprint() const;
};

}  // namespace Lamina::Cli
