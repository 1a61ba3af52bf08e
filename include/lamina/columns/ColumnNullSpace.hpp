// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/columns/ColumnOperator.hpp>
#include <lamina/columns/impl/CellComponents.hpp>
#include <lamina/columns/impl/ComponentSums.hpp>
#include <lamina/core/SolveReport.hpp>
#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/distributed/GlobalReduction.hpp>
#include <lamina/distributed/HaloPattern.hpp>
#include <lamina/distributed/Transport.hpp>
#include <lamina/distributed/impl/RequirePattern.hpp>
#include <lamina/distributed/impl/TransportCalls.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>

namespace Lamina {

/// What a solve of a system that may be singular tells.
struct NullSpaceReport {
  SolveReport solve;  ///< status `inconsistent` where the solve was not begun
  /// |what was removed from b| / |b|: 0 where b is in the range of the matrix.
  double rhs_defect = 0;
};

/// The null space of a `ColumnOperator` without mass in some places, as of a pressure or a Poisson equation
/// with no flux through walls; of any mask.
///
/// \par Components
/// Cells that couplings connect, through faces or edges, make a component. A component without mass is
/// singular: constants on it are in the null space, and b must add up to 0 over it. A cell without mass
/// and couplings is dry: b must be 0 there. All of them are found once, from the values of the
/// coefficients: by union-find on the host, with 28 bytes a cell and more for a while. What changes
/// later, as by `StoredCoefficients::update`, must leave zeros where they are.
///
/// \par Projection
/// `project` takes the mean over each singular component out of b. Without weights every cell gets the same
/// part; with volumes as weights, which suit right-hand sides that are cell integrals, each gets a part by
/// its volume. It reads b three times and writes it once where there is a singular component. It sums in
/// double precision, in an order that does not depend on the run. Squares of values, and their sum, must
/// be in the range of double.
///
/// \par Several ranks
/// Components may have cells on several ranks: these are found together, and their sums are added up over
/// all ranks, in the order of the ranks. All functions but the numbers are collective then, and tell all ranks
/// the same. Halo columns of fields are not read, nor changed. Components of one rank need no message.
///
/// \par Example
///
///   const Lamina::ColumnNullSpace null_space(space, op);
///   Lamina::FusedPcg pcg(space, Lamina::FusedColumns(space, op));
///   const auto report = null_space.solve(space, pcg, b, x, {.tolerance = 1e-8});
template <MemorySpace Memory>
class ColumnNullSpace {
 public:
  using memory_space = Memory;
  /// Part of |b| that `solve` removes without a word: what rounding leaves of a consistent b.
  static constexpr double small_defect = 1e-6;
  /// Neighbours that a column may have.
  static constexpr int max_neighbours = Impl::CellFaces::most_slots;

  /// Finds the components. Allocates, fences.
  /// \param volumes  weights > 0 of the projection, (num_columns, num_levels); empty: all the same
  /// \throws InvalidArgument where the operator has halo columns, more than `max_neighbours` of a column, or
  ///   2^31 cells or more, and for volumes of other extents.
  template <ExecutionSpace Space, ColumnCoefficients Coefficients>
  requires WorksIn<Space, Memory> && std::same_as<typename Coefficients::memory_space, Memory>
  ColumnNullSpace(const Space& space, const ColumnOperator<Coefficients>& op,
                  const Kokkos::View<const double**, Kokkos::LayoutLeft, Memory>& volumes = {})
      : m_num_columns(op.num_columns()), m_num_levels(op.num_levels()), m_volumes(volumes) {
    LAMINA_REQUIRE(op.num_owned() == op.num_columns(), "ColumnNullSpace",
                   "op: expected no halo columns, or a transport, got " +
                       std::to_string(op.num_columns() - op.num_owned()));
    require_volumes();
    find(space, op, Impl::open_faces(space, op.system()), {}, {});
  }

  /// The same over several ranks. Collective.
  /// \param op       of the columns of this rank
  /// \param halo     the pattern of these columns
  /// \param volumes  as above; those of halo columns are not read
  /// \throws InvalidArgument as above, for a halo of other columns, and for one that does not fit
  ///   those of other ranks: on several ranks it is `RankFailure`, on all of them. `InvalidArgument`
  ///   on all ranks where a rank has a coupling with cells that have none with it or any other rank.
  ///   Couplings of an edge between two ranks have to be the same on both of them, which is not checked
  ///   further. `RankFailure` on all ranks where one fails for another reason, as for want of memory.
  template <ExecutionSpace Space, ColumnCoefficients Coefficients>
  requires WorksIn<Space, Memory> && std::same_as<typename Coefficients::memory_space, Memory>
  ColumnNullSpace(const Space& space, const Transport& transport, const HaloPattern& halo,
                  const ColumnOperator<Coefficients>& op,
                  const Kokkos::View<const double**, Kokkos::LayoutLeft, Memory>& volumes = {})
      : m_num_columns(op.num_columns()), m_num_levels(op.num_levels()), m_volumes(volumes) {
    const char* function = "ColumnNullSpace";
    Kokkos::View<const std::uint64_t*, Kokkos::HostSpace> faces;
    Impl::run_agreed(transport, [&] {
      Impl::require_pattern(function, halo, transport.size());
      Impl::require_extent(function, "halo", "columns", m_num_columns, halo.num_local);
      Impl::require_extent(function, "halo", "owned columns", op.num_owned(), halo.num_owned);
      require_volumes();
      faces = Impl::open_faces(space, op.system());
    });
    Impl::require_match(function, transport, halo,
                        static_cast<std::size_t>(m_num_levels) * sizeof(std::int64_t));
    find(space, op, faces, {&transport, &halo}, GlobalReduction<Memory>(transport));
  }

  // Over several ranks those of all of them.
  int num_components() const { return m_num_components; }  ///< those of more than one cell
  int num_singular() const { return m_num_singular; }
  std::int64_t num_dry() const { return m_num_dry; }  ///< cells
  bool empty() const { return m_num_singular == 0 && m_num_dry == 0; }

  /// Takes out of b what no x gives. Fences, as it returns a number of the host.
  /// \return |what was removed| / |b|
  template <ExecutionSpace Space, Field FieldType>
  requires WorksIn<Space, Memory> && WritableField<FieldType>
  double project(const Space& space, const FieldType& b) const {
    Impl::require_field("ColumnNullSpace::project", "b", b, m_num_columns, m_num_levels);
    const Impl::ProfilingRegion region("Lamina::ColumnNullSpace::project");
    if (empty()) return 0;
    return m_sums.remove(space, Impl::as_field(b), m_volumes);
  }

  /// Takes the mean over each singular component out of x, and makes x 0 in dry cells. Fences.
  template <ExecutionSpace Space, Field FieldType>
  requires WorksIn<Space, Memory> && WritableField<FieldType>
  void remove_means(const Space& space, const FieldType& x) const {
    Impl::require_field("ColumnNullSpace::remove_means", "x", x, m_num_columns, m_num_levels);
    const Impl::ProfilingRegion region("Lamina::ColumnNullSpace::remove_means");
    if (!empty()) m_sums.remove_means(space, Impl::as_field(x), m_volumes);
  }

  /// Projects b, solves, and removes the means of x.
  /// \param plan         a `FusedPcg` or `Pcg` of the operator
  /// \param b            in, and its projection out
  /// \param most_defect  where `project` would remove more, nothing is solved, and the status is
  ///   `inconsistent`; infinity to solve for the projection anyway
  template <ExecutionSpace Space, class Plan, class Rhs, class Solution>
  [[nodiscard]] NullSpaceReport solve(const Space& space, Plan& plan, const Rhs& b,
                                      const Solution& x, const StoppingCriteria& criteria = {},
                                      double most_defect = small_defect) const {
    NullSpaceReport result;
    result.rhs_defect = project(space, b);
    if (!(result.rhs_defect <= most_defect)) {
      result.solve.status = SolveStatus::inconsistent;
      return result;
    }
    result.solve = plan.solve(space, b, x, criteria);
    remove_means(space, x);
    return result;
  }

 private:
  void require_volumes() const {
    if (m_volumes.extent(0) == 0) return;
    Impl::require_field("ColumnNullSpace", "volumes", m_volumes, m_num_columns, m_num_levels);
  }
  template <class Space, class Operator>
  void find(const Space& space, const Operator& op,
            const Kokkos::View<const std::uint64_t*, Kokkos::HostSpace>& faces,
            const Impl::CellRanks& ranks, const GlobalReduction<Memory>& reduction) {
    const Impl::CellExtents extents{op.num_owned(), m_num_levels};
    Kokkos::View<const int**, Kokkos::LayoutLeft, Kokkos::HostSpace> neighbours;
    Impl::run_agreed(ranks.transport, [&] {
      neighbours =
          Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), op.system().topology.neighbours);
    });
    const auto found = Impl::find_components(extents, neighbours, faces, ranks);
    m_num_components = found.num_components;
    m_num_singular = found.num_singular;
    m_num_dry = found.num_dry;
    Impl::run_agreed(ranks.transport, [&] {
      m_sums = Impl::ComponentSums<Memory>(space, extents, found, reduction);
    });
  }

  int m_num_columns, m_num_levels, m_num_components = 0, m_num_singular = 0;
  std::int64_t m_num_dry = 0;
  Kokkos::View<const double**, Kokkos::LayoutLeft, Memory> m_volumes;
  Impl::ComponentSums<Memory> m_sums;
};

/// \cond
template <class Space, class Operator>
ColumnNullSpace(const Space&, const Operator&) -> ColumnNullSpace<typename Operator::memory_space>;
template <class Space, class Operator>
ColumnNullSpace(const Space&, const Transport&, const HaloPattern&, const Operator&)
    -> ColumnNullSpace<typename Operator::memory_space>;
template <class Space, class Operator, class Volumes>
ColumnNullSpace(const Space&, const Transport&, const HaloPattern&, const Operator&, const Volumes&)
    -> ColumnNullSpace<typename Operator::memory_space>;
template <class Space, class Operator, class Volumes>
ColumnNullSpace(const Space&, const Operator&, const Volumes&)
    -> ColumnNullSpace<typename Operator::memory_space>;
/// \endcond

}  // namespace Lamina
