// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/columns/impl/ColumnKernels.hpp>
#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/core/impl/RequireDisjoint.hpp>
#include <lamina/device/impl/HostTable.hpp>
#include <lamina/grids/ColumnMesh.hpp>
#include <lamina/grids/impl/Reordering.hpp>
#include <lamina/sweeps/ColumnSystem.hpp>
#include <lamina/sweeps/RunSweep.hpp>

#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace Lamina {

namespace Impl {

/// Coefficients that can be those of columns in places, and whose sweeps gain by it. Sweeps of a device do where
/// they take packs of columns. CPU cores pad nothing, but in tests.
template <class C>
concept PlacedCoefficients = (std::same_as<typename C::memory_space, Kokkos::HostSpace> ||
                              requires(const C& coefficients) { coefficients.packs; }) &&
                             requires(const C& coefficients, const HostColumns& columns,
                                      const HostPlaces& places) {
  { coefficients.in_places(columns, places) } -> std::same_as<C>;
};

}  // namespace Impl

/// An operator on the columns of a mesh, made of any `ColumnCoefficients`: of `StoredCoefficients`, of
/// `ProfileCoefficients`, or of a class of your own.
///
/// \par Equation
/// Row (column c, level k), with neighbours n of the mesh, and `CellRow` and couplings of the coefficients:
///
///   y = mass x + above (x - x_{k+1}) + below (x - x_{k-1}) + sum_n coupling_n (x - x_n)
///
/// \par Cost
/// `apply` reads one field, writes one, and reads the coefficients. Copies are shallow.
///
/// \par Example
///
///   const Lamina::StoredCoefficients<double, Memory, Layout> stored(space, mesh, mass, vertical, horizontal);
///   const Lamina::ColumnOperator op(mesh, num_levels, stored);
///   Lamina::FusedPcg pcg(space, Lamina::FusedColumns(space, op));
///
/// `examples/11_own_coefficients` solves with it.
template <ColumnCoefficients Coefficients>
class ColumnOperator {
 public:
  using coefficients_type = Coefficients;
  using scalar_type = typename Coefficients::scalar_type;
  using memory_space = typename Coefficients::memory_space;

  /// \throws InvalidArgument unless num_levels >= 1, and for coefficients that have `num_levels` or
  ///   `num_owned` and are of other extents.
  ColumnOperator(const ColumnMesh<memory_space>& mesh, int num_levels,
                 const Coefficients& coefficients)
      : m_system{column_topology(mesh, num_levels), coefficients} {
    if constexpr (has_places) m_columns = Impl::columns_of(mesh.on_host());
    LAMINA_REQUIRE(num_levels >= 1, "ColumnOperator",
                   "num_levels: expected a value >= 1, got " + std::to_string(num_levels));
    if constexpr (requires { coefficients.num_levels(); }) {
      Impl::require_extent("ColumnOperator", "coefficients", "levels", num_levels,
                           coefficients.num_levels());
    }
    if constexpr (requires { coefficients.num_owned(); }) {
      Impl::require_extent("ColumnOperator", "coefficients", "owned columns", num_owned(),
                           coefficients.num_owned());
    }
  }

  int num_owned() const { return m_system.topology.num_owned; }      ///< columns solved for
  int num_columns() const { return m_system.topology.num_columns; }  ///< owned and halo
  int num_levels() const { return m_system.topology.num_levels; }

  /// y = A x on the owned columns. Enqueued on `space`: no allocation, no fence.
  /// \param x,  y  (num_columns, num_levels), of one layout; they must not overlap. The halo
  ///   columns of x must be up to date. Those of y are not changed.
  /// \throws InvalidArgument for wrong extents, and where x and y overlap.
  template <ExecutionSpace Space, FieldOf<scalar_type, memory_space> In,
            FieldOf<scalar_type, memory_space> Out>
  requires WorksIn<Space, memory_space> && WritableField<Out> &&
      std::same_as<typename In::array_layout, typename Out::array_layout>
  void apply(const Space& space, const In& x, const Out& y) const {
    Impl::require_field("ColumnOperator::apply", "x", x, num_columns(), num_levels());
    Impl::require_field("ColumnOperator::apply", "y", y, num_columns(), num_levels());
    Impl::require_disjoint("ColumnOperator::apply", "x", x, "y", y);
    const Impl::ProfilingRegion region("Lamina::ColumnOperator::apply");
    run_sweep("Lamina::ColumnOperator::apply", space, m_system,
              ApplySweep<scalar_type, typename In::array_layout, memory_space>{
                  Impl::as_const_field(x), Impl::as_field(y)});
  }
  /// Refuses all other types.
  template <class Space, class In, class Out>
  Impl::ExpectsFieldAndWritableField<scalar_type, Impl::SameLayout, memory_space> apply(
      const Space& space, const In& x, const Out& y) const = delete;

  /// Cost of one `apply`.
  std::vector<KernelCost> kernel_costs() const {
    return {Impl::stencil_cost("Lamina::ColumnOperator::apply", m_system, 2, 21)};
  }

  /// The operator as sweeps take it, see `run_sweep`.
  const ColumnSystem<Coefficients>& system() const { return m_system; }

  /// \cond
  // For models of the library. Types of `Impl` may change at any time.

  /// The operator on fields with padded rows, where there is one, see `Impl::find_reordering`. Padding counts as
  /// columns of its own.
  std::optional<Impl::Reordering<ColumnSystem<Coefficients>>> with_padded_rows()
      const requires Impl::PlacedCoefficients<Coefficients> {
    return Impl::find_reordering<ColumnSystem<Coefficients>>(
        m_columns, [this](const Impl::HostColumns& columns, const Impl::HostPlaces& places) {
          return ColumnSystem<Coefficients>{
              {places.num_owned, static_cast<int>(places.columns.size()), num_levels(),
               Impl::copy_in<memory_space>(columns.neighbours.columns)},
              m_system.coefficients.in_places(columns, places)};
        });
  }
  /// \endcond

 private:
  static constexpr bool has_places = Impl::PlacedCoefficients<Coefficients>;
  struct NoColumns {};

  ColumnSystem<Coefficients> m_system;
  std::conditional_t<has_places, Impl::HostColumns, NoColumns> m_columns;  // of the mesh
};

}  // namespace Lamina

#include <lamina/columns/impl/CompiledColumns.hpp>
