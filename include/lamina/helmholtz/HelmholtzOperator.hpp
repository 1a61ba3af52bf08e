// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/KernelRecord.hpp>
#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/core/impl/RequireDisjoint.hpp>
#include <lamina/grids/ColumnMesh.hpp>
#include <lamina/grids/VerticalGrid.hpp>
#include <lamina/grids/impl/ColumnOrder.hpp>
#include <lamina/grids/impl/Reordering.hpp>
#include <lamina/helmholtz/RoundingError.hpp>
#include <lamina/helmholtz/impl/HelmholtzKernels.hpp>
#include <lamina/helmholtz/impl/RequiredBytes.hpp>
#include <lamina/sweeps/TensorCoefficients.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace Lamina {

/// Parameters of the equation, see `HelmholtzOperator`.
struct HelmholtzParameters {
  double omega2;   ///< omega^2 > 0: squared length scale of the horizontal coupling
  double lambda2;  ///< lambda^2 >= 0: vertical over horizontal coupling
  /// A stratification that varies with height: s_k >= 0, the factor of lambda^2 at the interface
  /// above level k. Empty, or of all interfaces between levels; empty: 1.
  std::vector<double> stratification{};
};

/// The anisotropic elliptic operator of a thin spherical shell (Müller et al. 2013, eqs. 1 to 8),
/// or above a plane, by finite volumes.
///
/// \par Equation
///
///   -omega^2 ( Lap_2d + lambda^2 r^-2 d/dr( r^2 d/dr ) ) u + u,    du/dr = 0 at bottom and top,
///
/// Above a plane (`VerticalMetric::flat`) r^2 is absent:
///
///   -omega^2 ( Lap_2d + lambda^2 d^2/dz^2 ) u + u,                 du/dz = 0 at bottom and top,
///
/// Lap_2d is the Laplacian of the mesh, on the unit sphere or on a plane. After multiplication by
/// r^2 the operator is a tensor product: couplings of columns times four vectors over the levels.
/// Unknowns are cell averages, right-hand sides are cell integrals. So the matrix A is symmetric
/// positive definite, and maps 1 to the cell volumes |T| V_k (zero flux).
///
/// Row (column c, level k), with areas |T|, couplings alpha_n to the neighbours n, and alpha_b to
/// the boundary:
///
///   y = d_k [ |T| ( a'_k x + b'_k (x_{k+1} - x) + c'_k (x_{k-1} - x) )
///             + sum_n alpha_n (x_n - x) - alpha_b x ]
///
/// with V_k the volume of level k (`VerticalGrid::volume`) and
///
///   d_k  = -omega^2 V_k,   a'_k = -1/omega^2
///   b'_k = s_k lambda^2 r_{k+1}^2 / (V_k (h_k + h_{k+1})/2),    0 at the top
///   c'_k = s_{k-1} lambda^2 r_k^2 / (V_k (h_{k-1} + h_k)/2),    0 at the bottom
///
/// where s_k is 1 unless the parameters have a stratification. Above a plane r_k = 1 in both. The form in differences keeps the mass term, which an assembled
/// diagonal loses in single precision.
///
/// \par Accuracy
/// Without Dirichlet edges only the mass term determines the mean of the solution. Couplings that
/// exceed it by more than the digits of the precision destroy the mean, although solves converge.
/// `rounding_error()` estimates how much, by solver.
///
/// \par Cost
/// `apply` reads one field and writes one. The operator owns a rounded copy of the geometry. Copies
/// of it are shallow.
///
/// \par Example
///
///   const Lamina::CubedSpherePanel panel(256, 256);
///   const Lamina::ColumnMesh<Memory> mesh(panel.graph());
///   const auto grid = Lamina::VerticalGrid::graded(128, 0.0157);
///   const Lamina::HelmholtzOperator<double, Memory> op(mesh, grid, {6.71e-4, 3.32e-2});
///
/// `examples/01_first_solve` solves with it.
template <FieldScalar Scalar, MemorySpace Memory>
class HelmholtzOperator {
 public:
  using scalar_type = Scalar;
  using memory_space = Memory;

  /// Computes geometry and vertical vectors in double precision, and rounds them to `Scalar`.
  /// \throws InvalidArgument unless omega2 > 0 and lambda2 >= 0, both finite, for a stratification of
  ///   another length or with values that are not finite and >= 0, and where a value is beyond the
  ///   range of `Scalar`.
  HelmholtzOperator(const ColumnMesh<Memory>& mesh, const VerticalGrid& grid,
                    const HelmholtzParameters& parameters);

  /// Bytes in `Memory` of an operator on a grid of that size, at most, beside those of the mesh. On
  /// a device it includes the tables of a second order of columns, where `FusedPcg` would use one.
  /// The constructor needs about 100 bytes a column more on the host meanwhile.
  static double required_bytes(const ColumnGridSize& size) {
    const int slots = size.max_neighbours;
    const std::int64_t columns = size.num_columns(), places = Impl::num_places<Memory>(size);
    const auto tables = Impl::column_table_bytes<Scalar, Memory>;
    const double order = static_cast<double>(places) * (slots + 1) * sizeof(int);
    return Impl::small_arrays_bytes + Impl::level_table_bytes<Scalar, Memory>(size.num_levels) +
           tables(columns, slots) + (places > columns ? order + tables(places, slots) : 0);
  }

  int num_owned() const { return m_system.topology.num_owned; }      ///< columns solved for
  int num_columns() const { return m_system.topology.num_columns; }  ///< owned and halo
  int num_levels() const { return m_system.topology.num_levels; }

  /// y = A x on the owned columns. Enqueued on `space`: no allocation, no fence.
  /// \param x,  y  (num_columns, num_levels), of one layout; they must not overlap. The halo
  ///   columns of x must be up to date. Those of y are not changed.
  /// \throws InvalidArgument for wrong extents, and where x and y overlap.
  template <ExecutionSpace Space, FieldOf<Scalar, Memory> In, FieldOf<Scalar, Memory> Out>
  requires WorksIn<Space, Memory> && WritableField<Out> &&
      std::same_as<typename In::array_layout, typename Out::array_layout>
  void apply(const Space& space, const In& x, const Out& y) const {
    Impl::require_field("HelmholtzOperator::apply", "x", x, num_columns(), num_levels());
    Impl::require_field("HelmholtzOperator::apply", "y", y, num_columns(), num_levels());
    Impl::require_disjoint("HelmholtzOperator::apply", "x", x, "y", y);
    const Impl::ProfilingRegion region("Lamina::HelmholtzOperator::apply");
    Impl::HelmholtzKernels<Space, Scalar, typename In::array_layout>::apply(
        space, m_system, Impl::as_const_field(x), Impl::as_field(y));
  }
  /// Refuses all other types.
  template <class Space, class In, class Out>
  Impl::ExpectsFieldAndWritableField<Scalar, Impl::SameLayout, Memory> apply(
      const Space& space, const In& x, const Out& y) const = delete;

  /// How far rounding may move the mean of solutions. The constructor computes it from the owned
  /// columns. Remedies are a smaller omega^2 or lambda^2, more precision, a Dirichlet edge, or
  /// `Pcg` in place of solvers with recurrences.
  const RoundingError& rounding_error() const { return m_rounding_error; }

  /// Cost of one `apply`: reads 1, writes 1 field, and the geometry of each column.
  std::vector<KernelCost> kernel_costs() const;

  /// The operator as sweeps take it, see `run_sweep`.
  const TensorSystem<Scalar, Memory>& system() const { return m_system; }

  /// \cond
  // For kernels and models of the library. Types of `Impl` may change at any time.

  /// An order of columns for devices: each row of the grid begins with a pack in either precision,
  /// and each level of a field with a cache line. It is empty where columns are in such an order
  /// already. It is also empty where there is none: on unstructured grids, where padding would add more
  /// than an eighth, and where more than an eighth would be in no pack.
  Impl::ColumnOrder<Memory> column_order() const {
    return m_reordering ? m_reordering->order : Impl::ColumnOrder<Memory>();
  }
  /// The operator on fields in that order. Padding counts as columns of its own.
  /// \pre !column_order().empty()
  HelmholtzOperator reordered() const {
    HelmholtzOperator op(m_reordering->system, m_rounding_error);
    op.m_num_halo = m_num_halo;
    op.m_halo_area = m_halo_area;
    op.m_halo_diffusion = m_halo_diffusion;
    return op;
  }

  /// The operator on fields of at least as many levels, of which those behind the last one are 0.
  HelmholtzOperator with_levels(int num_levels) const;

  /// An operator on a mesh of the host, without an order of columns. A device gets what sweeps read.
  static HelmholtzOperator on_level(const ColumnMesh<Kokkos::HostSpace>& mesh,
                                    const VerticalGrid& grid,
                                    const HelmholtzParameters& parameters);
  /// The same with the vertical vectors of this one. Its rounding error stays that of this one.
  HelmholtzOperator on_coarser_level(const ColumnMesh<Kokkos::HostSpace>& mesh) const;

  /// The operator of the halo columns alone, from the first that is a neighbour on, without couplings
  /// between them: its line preconditioner is that of the ranks that own these columns. They come last
  /// in either order. Empty where the mesh does not know
  /// `halo_coupling_sums`.
  std::optional<HelmholtzOperator> halo_lines() const;

  /// Scratch of the line solves of this operator, prepared on `space`. Fences `space`.
  /// \param segments  levels that a thread of a device may hold, see `Impl::helmholtz_segments`
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory> Impl::LineWorkspace<Scalar, Memory> make_line_workspace(
      const Space& space, const std::array<int, 2>& segments = Impl::helmholtz_segments)
  const {
    Impl::LineWorkspace<Scalar, Memory> workspace(space, num_owned(), num_levels(), segments);
    Impl::prepare_helmholtz_lines(space, m_system, workspace);
    space.fence();
    return workspace;
  }
  /// \endcond

 private:
  using Reordering = Impl::Reordering<TensorSystem<Scalar, Memory>>;
  using Neighbours = Kokkos::View<const int**, Kokkos::LayoutLeft, Memory>;

  HelmholtzOperator(const TensorSystem<Scalar, Memory>& system, const RoundingError& error)
      : m_system(system), m_rounding_error(error) {}
  /// \param neighbours  those of the mesh
  HelmholtzOperator(const ColumnMesh<Kokkos::HostSpace>& mesh, const Neighbours& neighbours,
                    const VerticalGrid& grid, const HelmholtzParameters& parameters);
  void set_mesh(const ColumnMesh<Kokkos::HostSpace>& mesh, const Neighbours& neighbours);
  void find_order(const Impl::HostColumns& columns);

  TensorSystem<Scalar, Memory> m_system;
  RoundingError m_rounding_error;
  std::shared_ptr<const Reordering> m_reordering;
  int m_num_halo = 0;  // halo columns from the first that is a neighbour on
  // Of these columns; empty where their couplings are not known
  Kokkos::View<const Scalar*, Memory> m_halo_area, m_halo_diffusion;
};

}  // namespace Lamina
