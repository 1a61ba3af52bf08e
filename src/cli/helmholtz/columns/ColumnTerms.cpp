// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "helmholtz/columns/ColumnTerms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "helmholtz/parts/GridPartition.hpp"

namespace Lamina::Cli {
namespace {

std::string texts_of(const std::vector<ColumnAxis>& axes) {
  constexpr std::array names{"faces", "edges", "levels", "interfaces"};
  std::string text = "values of ";
  for (std::size_t n = 0; n < axes.size(); ++n) {
    text += (n == 0 ? "" : n + 1 == axes.size() ? " and " : ", ");
    text += names[static_cast<std::size_t>(axes[n])];
  }
  return text;
}

/// Whether the bottom cuts or closes the lowest cells of some column.
bool has_bottoms(const ColumnBottoms& bottoms, const VerticalGrid& grid) {
  const double whole = grid.thicknesses().front();
  const auto ends_above = [&](int first) { return first > 0; };
  return std::any_of(bottoms.first_wet.begin(), bottoms.first_wet.end(), ends_above) ||
         std::any_of(bottoms.height.begin(), bottoms.height.end(),
                     [=](double height) { return height < whole; });
}
bool cuts_top_cells(const ColumnBottoms& bottoms, const VerticalGrid& grid) {
  for (std::size_t c = 0; c < bottoms.first_wet.size(); ++c) {
    const bool is_top = bottoms.first_wet[c] + 1 == grid.num_levels();
    if (is_top && bottoms.height[c] < grid.thicknesses().back()) return true;
  }
  return false;
}

}  // namespace

ColumnTerm::ColumnTerm(const ColumnInput* file, const char* name, double otherwise,
                       const std::vector<ColumnAxis>& axes)
    : m_file(file), m_variable{.name = name, .across = {}, .along = {}}, m_values{otherwise} {
  if (file == nullptr) return;
  auto found = file->find(name);
  if (!found) return;
  m_variable = *std::move(found);
  m_is_given = true;
  for (const auto& axis : {m_variable.across, m_variable.along}) {
    if (!axis || std::find(axes.begin(), axes.end(), *axis) != axes.end()) continue;
    file->fail(fmt::format("variable '{}': expected {}", name, texts_of(axes)));
  }
}

void ColumnTerm::read(std::vector<std::size_t> places) {
  if (!m_is_given) return;
  m_places = std::move(places);
  m_values = m_file->read(m_variable, m_places);
}

double ColumnTerm::at(std::size_t item, std::size_t level) const {
  const double found = value(item, level);
  if (found >= 0 && std::isfinite(found)) return found;
  const std::string index = m_variable.index_text(varies_across() ? m_places[item] : 0, level);
  m_file->fail(fmt::format("variable '{}': expected a value >= 0{}, got {}", m_variable.name,
                           index.empty() ? "" : " at " + index,
                           std::isnan(found) ? "none" : fmt::format("{:g}", found)));
}

void ColumnTerm::require_same(std::size_t first, std::size_t second, const OwnColumns& own) const {
  const ColumnGraph::Edge& edge = own.graph().edges[first];
  for (std::size_t k = 0; k < m_variable.num_along; ++k) {
    const double a = value(first, k), b = value(second, k);
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    const auto [low, high] = std::minmax({own.face(static_cast<std::size_t>(edge.first)),
                                          own.face(static_cast<std::size_t>(edge.second))});
    m_file->fail(
        fmt::format("edge {}: expected the values of edge {}, which is between the same faces {} "
                    "and {}, counted from 0, got others",
                    m_places[second], m_places[first], low, high));
  }
}

std::size_t ColumnTerm::fingerprint() const {
  if (m_file == nullptr) return 0;
  const auto number = [](const std::optional<ColumnAxis>& axis) {
    return axis ? static_cast<std::size_t>(*axis) : no_place;
  };
  return Cli::fingerprint(std::vector<std::size_t>{
      m_is_given ? 1u : 0u, number(m_variable.across), number(m_variable.along),
      m_variable.num_across, varies_across() ? 0 : Cli::fingerprint(m_values)});
}

ColumnTerms::ColumnTerms(const ColumnInput* file)
    : mass(file, "mass", 1, {ColumnAxis::faces, ColumnAxis::levels}),
      surface(file, "surface", 0, {ColumnAxis::faces}),
      vertical(file, "vertical", 1, {ColumnAxis::faces, ColumnAxis::interfaces}),
      horizontal(file, "horizontal", 1,
                 {ColumnAxis::faces, ColumnAxis::edges, ColumnAxis::levels}) {
  if (file == nullptr) return;
  for (const ColumnTerm* term : {&mass, &surface, &vertical, &horizontal}) {
    if (term->is_given()) return;
  }
  file->fail("expected a variable 'mass', 'vertical', 'horizontal' or 'surface'");
}

ColumnsClass ColumnTerms::class_of(const ColumnBottoms& bottoms, const VerticalGrid& grid) const {
  for (const ColumnTerm* term : {&mass, &vertical, &horizontal}) {
    if (!term->is_separable()) return ColumnsClass::stored;
  }
  // It is further mass of the top cells: of a profile where all columns have the same, of whole cells.
  const bool is_of_profile =
      !surface.varies_across() && !mass.varies_across() && !cuts_top_cells(bottoms, grid);
  if (surface.is_given() && !is_of_profile) return ColumnsClass::stored;
  return has_bottoms(bottoms, grid) ? ColumnsClass::partial_cells : ColumnsClass::profiles;
}

double ColumnTerms::num_values(double columns, double edges) const {
  double count = 0;
  for (const ColumnTerm* term : {&mass, &surface, &vertical, &horizontal}) {
    if (!term->is_given()) continue;
    const double items = !term->varies_across()           ? 1
                         : term->is_of(ColumnAxis::edges) ? edges
                                                          : columns;
    const auto along = static_cast<double>(term->variable().num_along);
    count += items * (along + 1);  // and the place of each
  }
  return count;
}

void ColumnTerms::read(const ColumnInput& file, const OwnColumns& own) {
  const auto faces_of = [&](std::size_t count) {
    std::vector<std::size_t> faces(count, no_place);
    for (std::size_t c = 0; c < count; ++c) {
      if (own.is_column(c)) faces[c] = own.face(c);
    }
    return faces;
  };
  for (ColumnTerm* term : {&mass, &surface, &vertical}) term->read(faces_of(own.num_owned()));
  if (!horizontal.is_of(ColumnAxis::edges)) return horizontal.read(faces_of(own.num_columns()));
  const EdgePlaces edges = find_edge_places(file, horizontal.variable(), own);
  horizontal.read(edges.places);
  for (const auto& [first, second] : edges.alike) horizontal.require_same(first, second, own);
}

std::size_t ColumnTerms::fingerprint() const {
  return Cli::fingerprint(std::vector{mass.fingerprint(), surface.fingerprint(),
                                      vertical.fingerprint(), horizontal.fingerprint()});
}

}  // namespace Lamina::Cli
