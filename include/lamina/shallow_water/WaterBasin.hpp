// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/shallow_water/WaterStrip.hpp>
#include <lamina/shallow_water/impl/BasinFields.hpp>
#include <lamina/shallow_water/impl/GhostedField.hpp>
#include <lamina/shallow_water/impl/StateKernels.hpp>

namespace Lamina {

/// What shallow water flows over and turns with: the bottom b and the Coriolis parameter f. Schemes
/// and diagnostics are made from it.
///
/// \par Equation
/// The height Phi of a state is that of the water column, from the bottom to the surface at Phi + b:
///
///   dPhi/dt = - div(Phi u),   du/dt = - q (Phi u)^perp - grad(Phi + b + |u|^2/2),
///   q = (rot u + f) / Phi
///
/// b(i, j) is at the centre of cell (i, j), as Phi, and f(i, j) at its south-west corner (i h, j h).
///
/// \par Viscosity
/// With a viscosity nu, nu Laplace u is added to du/dt. Laplace takes the five-point stencil of each velocity
/// component by itself; along walls water slips freely. A step of Euler's explicit rule follows each step of a
/// scheme: the diffusion is of first order in time and of second order in space. Steps are bounded by nu dt / h^2
/// <= 1/8, where the shortest waves are gone after one, and beyond which they change their sign; in `Leapfrog`,
/// where it spans two steps and waves grow beyond, by 1/16. It keeps mass as it is, and on a periodic plane the
/// sum of velocities to rounding.
///
/// \par Mass and rest
/// Mass is kept to rounding. Water at rest, with Phi + b constant, stays at rest to rounding.
///
/// \par Cost
/// Without fields, the bottom is flat and f a number: kernels are those of the published equations.
/// Each field is read once more in every evaluation of tendencies. A viscosity takes two kernels more in each
/// step, which read or write 10 fields.
///
/// \par Sharing
/// Copies share fields, which nothing changes.
///
/// \par Example
///
///   const auto basin = Lamina::WaterBasin<double, Memory>({nx, ny}, 0.3).with_bottom(space, bottom);
///   Lamina::RungeKutta3<double, Memory> plan(basin, time_step);
template <FieldScalar Scalar, MemorySpace Memory>
class WaterBasin {
 public:
  using scalar_type = Scalar;
  using memory_space = Memory;
  using field_type = Kokkos::View<Scalar**, Kokkos::LayoutLeft, Memory>;

  /// A flat bottom at 0, and the same f everywhere.
  /// \throws InvalidArgument for f that is not finite.
  WaterBasin(const Rectangle& rectangle, double coriolis)
      : WaterBasin(WaterStrip<Memory>(rectangle), coriolis) {}
  /// Of one rank.
  WaterBasin(const WaterStrip<Memory>& strip, double coriolis);

  /// The same basin with another bottom. Allocates, and copies: fences `space`. Collective over ranks.
  /// \param bottom  (nx, ny), of the cells of this rank; of either layout; finite
  /// \throws InvalidArgument where it is not nx x ny.
  /// \throws RankFailure where that, or the allocation, fails on another rank.
  template <ExecutionSpace Space, FieldOf<Scalar, Memory> Bottom>
  requires WorksIn<Space, Memory> WaterBasin with_bottom(const Space& space, const Bottom& bottom)
  const {
    WaterBasin basin(*this);
    m_strip.run_agreed(space, [&] {
      basin.m_bottom = copied(space, "WaterBasin::with_bottom", "bottom", bottom);
    });
    m_strip.exchange(space, Impl::ghosted_lines_of(basin.m_bottom));
    space.fence();
    return basin;
  }

  /// The same basin with f as a field. Allocates, and copies: fences `space`. Collective over ranks.
  /// At a wall in the north, f goes on as a straight line through the two corners before it. In a
  /// channel of one line there is one such corner, and f in the north is that in the south.
  /// \param coriolis  (nx, ny), at the corners of the cells of this rank; of either layout; finite
  /// \throws InvalidArgument where it is not nx x ny.
  /// \throws RankFailure where that, or the allocation, fails on another rank.
  template <ExecutionSpace Space, FieldOf<Scalar, Memory> Coriolis>
  requires WorksIn<Space, Memory> WaterBasin with_coriolis(const Space& space,
                                                           const Coriolis& coriolis)
  const {
    WaterBasin basin(*this);
    m_strip.run_agreed(space, [&] {
      basin.m_coriolis_field = copied(space, "WaterBasin::with_coriolis", "coriolis", coriolis);
    });
    const auto lines = Impl::ghosted_lines_of(basin.m_coriolis_field);
    m_strip.exchange(space, lines);
    if (m_strip.north_wall()) {
      const bool is_one_line = m_strip.whole().ny == 1;
      Impl::StateKernels<Space, Scalar>::extend_north(space, rectangle(), is_one_line, lines);
    }
    space.fence();
    return basin;
  }

  /// nu dt / h^2 of steps may be so much, in `Leapfrog` half of it.
  static constexpr double largest_diffusion_number = 0.125;

  /// The same basin with a viscosity of water. Fields are shared.
  /// \throws InvalidArgument unless nu is finite and not negative.
  WaterBasin with_viscosity(double nu) const;

  const WaterStrip<Memory>& strip() const { return m_strip; }
  /// The cells of this rank.
  const Rectangle& rectangle() const { return m_strip.owned(); }

  bool has_bottom() const { return m_bottom.data() != nullptr; }
  bool has_coriolis_field() const { return m_coriolis_field.data() != nullptr; }
  /// f where it is a number.
  double coriolis() const { return m_coriolis; }
  double viscosity() const { return m_viscosity; }
  /// (nx + 2, ny + 2), with ghosts; without memory where the bottom is flat
  const field_type& bottom() const { return m_bottom; }

  /// \cond
  // For kernels and models of the library. Types of `Impl` may change at any time.

  /// As kernels capture it.
  Impl::BasinFields<Scalar> fields() const {
    return {m_coriolis,
            Impl::ghosted_lines_of(m_coriolis_field),
            Impl::ghosted_lines_of(m_bottom),
            Impl::ghosted_lines_of(m_constants),
            m_strip.south_wall(),
            m_strip.north_wall()};
  }
  /// How many fields an evaluation of tendencies reads beside the state.
  int num_fields() const { return (has_bottom() ? 1 : 0) + (has_coriolis_field() ? 1 : 0); }
  /// \endcond

 private:
  template <class Space, class From>
  field_type copied(const Space& space, const char* function, const char* argument,
                    const From& from) const {
    Impl::require_field(function, argument, from, rectangle().nx, rectangle().ny);
    field_type field = Impl::make_ghosted<Scalar, Memory>("Lamina::WaterBasin::field", rectangle());
    Impl::StateKernels<Space, Scalar>::copy_cells(
        space, rectangle(), Impl::StridedCells<const Scalar>(from),
        Impl::StridedCells<Scalar>(Impl::cells_of(field, rectangle())));
    return field;
  }

  WaterStrip<Memory> m_strip;
  double m_coriolis, m_viscosity = 0;
  field_type m_bottom, m_coriolis_field;
  field_type m_constants;  // line 0: f, line 1: 0, for kernels that read one of them as a field
};

}  // namespace Lamina
