// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/impl/RequireDisjoint.hpp>
#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/helmholtz/CsrHelmholtz.hpp>
#include <lamina/helmholtz/impl/MassTerm.hpp>
#include <lamina/helmholtz/impl/VerticalVectors.hpp>

#include <KokkosSparse_spmv.hpp>

#include <limits>
#include <string>

namespace Lamina {

namespace Impl {

/// The mesh on the host, and the entries of the matrix in double precision.
class CsrEntries {
 public:
  template <class Mesh>
  CsrEntries(const Mesh& mesh, const VerticalGrid& grid, const HelmholtzParameters& parameters)
      : m_vertical(grid, parameters),
        m_num_columns(mesh.num_owned()),
        m_num_levels(grid.num_levels()),
        m_neighbours(mesh.on_host().neighbours()),
        m_couplings(mesh.on_host().couplings()),
        m_areas(mesh.on_host().areas()),
        m_boundary(mesh.on_host().boundary_couplings()) {}

  int num_columns() const { return m_num_columns; }
  int num_levels() const { return m_num_levels; }

  int entries_in_row(int column, int k) const {
    int entries = 1 + (k > 0) + (k + 1 < m_num_levels);
    for (int n = 0; n < slots(); ++n) entries += m_couplings(column, n) > 0;
    return entries;
  }
  double above(int column, int k) const {
    return m_areas(column) * at(m_vertical.above, k) * at(m_vertical.scale, k);
  }
  double below(int column, int k) const {
    return m_areas(column) * at(m_vertical.below, k) * at(m_vertical.scale, k);
  }
  double diagonal(int column, int k) const {
    return m_areas(column) * at(m_vertical.mass, k) * at(m_vertical.scale, k) - above(column, k) -
           below(column, k) - coupling(column) * at(m_vertical.scale, k);
  }
  RoundingError rounding_error(double epsilon) const {
    HorizontalSums sums;
    for (int column = 0; column < m_num_columns; ++column) {
      sums.add_column(m_areas(column), coupling(column), m_boundary(column));
    }
    return Impl::rounding_error(sums, m_vertical, RowForm::entries, epsilon);
  }
  /// on_entry(column, level, value) for each entry of row (column, k).
  template <class OnEntry>
  void row(int column, int k, const OnEntry& on_entry) const {
    if (k > 0) on_entry(column, k - 1, below(column, k));
    on_entry(column, k, diagonal(column, k));
    if (k + 1 < m_num_levels) on_entry(column, k + 1, above(column, k));
    for (int n = 0; n < slots(); ++n) {
      if (m_couplings(column, n) > 0) {
        on_entry(m_neighbours(column, n), k, m_couplings(column, n) * at(m_vertical.scale, k));
      }
    }
  }

 private:
  double coupling(int column) const {
    double total = m_boundary(column);
    for (int n = 0; n < slots(); ++n) total += m_couplings(column, n);
    return total;
  }
  static double at(const std::vector<double>& values, int k) {
    return values[static_cast<std::size_t>(k)];
  }
  int slots() const { return static_cast<int>(m_neighbours.extent(1)); }

  VerticalVectors m_vertical;
  int m_num_columns, m_num_levels;
  Kokkos::View<const int**, Kokkos::LayoutLeft, Kokkos::HostSpace> m_neighbours;
  Kokkos::View<const double**, Kokkos::LayoutLeft, Kokkos::HostSpace> m_couplings;
  Kokkos::View<const double*, Kokkos::HostSpace> m_areas, m_boundary;
};

/// The rows of the matrix: cells in the order in which a field has them.
template <FieldLayout Layout>
struct CellRows {
  int num_columns, num_levels;

  int row_of(int column, int k) const {
    return levels_contiguous<Layout> ? column * num_levels + k : k * num_columns + column;
  }
  int column_of(int row) const {
    return levels_contiguous<Layout> ? row / num_levels : row % num_columns;
  }
  int level_of(int row) const {
    return levels_contiguous<Layout> ? row % num_levels : row / num_columns;
  }
  /// Sets the number of entries before each row, and behind the last one that of all.
  template <class Offsets>
  void count_entries(const CsrEntries& entries, const Offsets& offsets) const {
    offsets(0) = 0;
    for (int row = 0; row < num_columns * num_levels; ++row) {
      offsets(row + 1) = offsets(row) + entries.entries_in_row(column_of(row), level_of(row));
    }
  }
};

}  // namespace Impl

template <FieldScalar Scalar, FieldLayout Layout, ExecutionSpace Space>
CsrHelmholtz<Scalar, Layout, Space>::CsrHelmholtz(const Space& space,
                                                  const ColumnMesh<memory_space>& mesh,
                                                  const VerticalGrid& grid,
                                                  const HelmholtzParameters& parameters)
    : m_num_columns(mesh.num_owned()), m_num_levels(grid.num_levels()) {
  LAMINA_REQUIRE(mesh.num_columns() == mesh.num_owned(), "CsrHelmholtz",
                 "mesh: expected no halo columns, got " +
                     std::to_string(mesh.num_columns() - mesh.num_owned()));
  const std::int64_t unknowns = static_cast<std::int64_t>(m_num_columns) * m_num_levels;
  LAMINA_REQUIRE(unknowns <= std::numeric_limits<int>::max(), "CsrHelmholtz",
                 "expected fewer than 2^31 unknowns, got " + std::to_string(unknowns));

  const Impl::CsrEntries entries(mesh, grid, parameters);
  m_rounding_error = entries.rounding_error(std::numeric_limits<Scalar>::epsilon());
  const int num_columns = m_num_columns, num_levels = m_num_levels;
  const Impl::CellRows<Layout> rows{num_columns, num_levels};

  using Offsets = typename matrix_type::row_map_type::non_const_type;
  using Columns = typename matrix_type::index_type::non_const_type;
  using Values = typename matrix_type::values_type::non_const_type;
  using Kokkos::view_alloc;
  using Kokkos::WithoutInitializing;
  const Offsets offsets(view_alloc("Lamina::CsrHelmholtz::offsets", WithoutInitializing),
                        static_cast<std::size_t>(unknowns) + 1);
  const auto host_offsets = Kokkos::create_mirror_view(offsets);
  rows.count_entries(entries, host_offsets);
  const auto num_entries = static_cast<std::size_t>(host_offsets(unknowns));
  const Columns columns(view_alloc("Lamina::CsrHelmholtz::columns", WithoutInitializing),
                        num_entries);
  const Values values(view_alloc("Lamina::CsrHelmholtz::values", WithoutInitializing), num_entries);
  const field_type diagonal(view_alloc("Lamina::CsrHelmholtz::diagonal", WithoutInitializing),
                            static_cast<std::size_t>(num_columns),
                            static_cast<std::size_t>(num_levels));
  const field_type off_diagonal(
      view_alloc("Lamina::CsrHelmholtz::off_diagonal", WithoutInitializing),
      static_cast<std::size_t>(num_columns), static_cast<std::size_t>(num_levels));
  const auto host_columns = Kokkos::create_mirror_view(columns);
  const auto host_values = Kokkos::create_mirror_view(values);
  const auto host_diagonal = Kokkos::create_mirror_view(diagonal);
  const auto host_off_diagonal = Kokkos::create_mirror_view(off_diagonal);
  Kokkos::parallel_for(
      "Lamina::CsrHelmholtz::assemble",
      Impl::range_of(Kokkos::DefaultHostExecutionSpace(), num_columns), [&](int column) {
        for (int k = 0; k < num_levels; ++k) {
          auto next = static_cast<std::size_t>(host_offsets(rows.row_of(column, k)));
          entries.row(column, k, [&](int other_column, int other_level, double value) {
            host_columns(next) = rows.row_of(other_column, other_level);
            host_values(next) = static_cast<Scalar>(value);
            ++next;
          });
          host_diagonal(column, k) = static_cast<Scalar>(entries.diagonal(column, k));
          host_off_diagonal(column, k) = static_cast<Scalar>(entries.above(column, k));
        }
      });
  Kokkos::DefaultHostExecutionSpace().fence();
  Kokkos::deep_copy(space, offsets, host_offsets);
  Kokkos::deep_copy(space, columns, host_columns);
  Kokkos::deep_copy(space, values, host_values);
  Kokkos::deep_copy(space, diagonal, host_diagonal);
  Kokkos::deep_copy(space, off_diagonal, host_off_diagonal);
  space.fence();  // the host mirrors end here
  m_matrix = matrix_type("Lamina::CsrHelmholtz::matrix", static_cast<int>(unknowns),
                         static_cast<int>(unknowns), static_cast<std::int64_t>(num_entries), values,
                         offsets, columns);
  m_tridiagonal = {diagonal, off_diagonal};
}

template <FieldScalar Scalar, FieldLayout Layout, ExecutionSpace Space>
template <FieldOf<Scalar, typename Space::memory_space> In,
          FieldOf<Scalar, typename Space::memory_space> Out>
void CsrHelmholtz<Scalar, Layout, Space>::apply(const Space& space, const In& x,
                                                const Out& y) const {
  static_assert(
      std::same_as<typename In::array_layout, Layout> &&
          std::same_as<typename Out::array_layout, Layout>,
      "CsrHelmholtz::apply: x and y must have the layout that the matrix was numbered for");
  Impl::require_field("CsrHelmholtz::apply", "x", x, m_num_columns, m_num_levels);
  Impl::require_field("CsrHelmholtz::apply", "y", y, m_num_columns, m_num_levels);
  LAMINA_REQUIRE(x.span_is_contiguous() && y.span_is_contiguous(), "CsrHelmholtz::apply",
                 "arguments x and y: expected contiguous Views, got padded ones");
  Impl::require_disjoint("CsrHelmholtz::apply", "x", x, "y", y);
  const Impl::ProfilingRegion region("Lamina::CsrHelmholtz::apply");
  multiply(space, x.data(), y.data());
}

template <FieldScalar Scalar, FieldLayout Layout, ExecutionSpace Space>
void CsrHelmholtz<Scalar, Layout, Space>::multiply(const Space& space, const Scalar* x,
                                                   Scalar* y) const {
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  const auto size = static_cast<std::size_t>(m_matrix.numRows());
  const Kokkos::View<const Scalar*, memory_space, Unmanaged> from(x, size);
  const Kokkos::View<Scalar*, memory_space, Unmanaged> to(y, size);
#if KOKKOS_VERSION >= 40000
  KokkosSparse::spmv(space, "N", Scalar(1), m_matrix, from, Scalar(0), to);
#else
  (void)space;  // Kokkos Kernels before 4.0 takes no instance here
  KokkosSparse::spmv("N", Scalar(1), m_matrix, from, Scalar(0), to);
#endif
}

template <FieldScalar Scalar, FieldLayout Layout, ExecutionSpace Space>
std::vector<KernelCost> CsrHelmholtz<Scalar, Layout, Space>::kernel_costs() const {
  const double rows = static_cast<double>(m_matrix.numRows()),
               entries = static_cast<double>(m_matrix.nnz());
  const double bytes =
      entries * (sizeof(Scalar) + sizeof(int)) + rows * (sizeof(std::int64_t) + 2 * sizeof(Scalar));
  // On Serial the product is a plain loop, seen as a region
  return {{"KokkosSparse::spmv", bytes, 2 * entries},
          {"Lamina::CsrHelmholtz::apply", bytes, 2 * entries}};
}

#define LAMINA_EXTERN_CSR(Space, Scalar, Layout) \
  extern template class CsrHelmholtz<Scalar, Layout, Space>;
LAMINA_FOR_EACH_FIELD(LAMINA_EXTERN_CSR)
#undef LAMINA_EXTERN_CSR

}  // namespace Lamina
