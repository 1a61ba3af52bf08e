// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/shallow_water/RungeKutta3.hpp>
#include <lamina/shallow_water/impl/StepCheck.hpp>

#include <vector>

namespace Lamina {

/// The leapfrog scheme for shallow water, second order, without a filter:
///
///   y^{n+1} = y^{n-1} + 2 dt M^-1 F(y^n),   the first step by `RungeKutta3`
///
/// A step reads or writes 13 fields with `MassSolver::direct`, and each field of a basin once more. It
/// is stable up to dt = 0.204 h for waves of speed 1 on water at rest, and less with flow.
///
/// The plan owns y^{n-1}. For a restart that continues bit by bit, store the state and
/// `previous()`, and restore the latter by `set_previous`.
///
/// Source: Saunders (2014), eqs. (2.31)-(2.37); F as in `RungeKutta3`.
template <FieldScalar Scalar, MemorySpace Memory>
class Leapfrog {
 public:
  using scalar_type = Scalar;
  using memory_space = Memory;
  using State = ShallowWaterState<Scalar, Memory>;

  /// Allocates workspace of 9 fields.
  /// \throws InvalidArgument for a rectangle without cells, dt not positive and finite, f not
  ///   finite.
  Leapfrog(const Rectangle& rectangle, double time_step, double coriolis,
           const MassOptions& mass = {})
      : Leapfrog(WaterStrip<Memory>(rectangle), time_step, coriolis, mass) {}
  /// On the unit square, of n x n cells.
  Leapfrog(int n, double time_step, double coriolis, const MassOptions& mass = {})
      : Leapfrog(Rectangle::square(n), time_step, coriolis, mass) {}
  /// Of one rank. Then `step` is collective, and looks for faults of all ranks.
  Leapfrog(const WaterStrip<Memory>& strip, double time_step, double coriolis,
           const MassOptions& mass = {})
      : Leapfrog(WaterBasin<Scalar, Memory>(strip, coriolis), time_step, mass) {}
  /// With the bottom and the f of a basin, which may be fields, and its viscosity.
  /// \throws InvalidArgument where that is too large for dt, see `WaterBasin`.
  Leapfrog(const WaterBasin<Scalar, Memory>& basin, double time_step, const MassOptions& mass = {});
  // Steps exchange Views with the state: a copy of the plan would later share fields with it.
  Leapfrog(const Leapfrog&) = delete;
  Leapfrog& operator=(const Leapfrog&) = delete;
  Leapfrog(Leapfrog&&) noexcept = default;
  Leapfrog& operator=(Leapfrog&&) noexcept = default;

  const WaterStrip<Memory>& strip() const { return m_start.strip(); }
  /// The cells of this rank.
  const Rectangle& rectangle() const { return strip().owned(); }
  double time_step() const { return m_start.time_step(); }

  /// One step forward. Enqueued on `space`: no allocation. With `MassSolver::direct` it fences only
  /// in each 20th step, see `check_every`. Ghosts must be filled, and are filled afterwards.
  ///
  /// The new level replaces the oldest: `state` and `previous()` exchange their Views. So a copy of
  /// `state` from before the call is y^n until the next step, not y^{n+1}. Call `restart` or
  /// `set_previous` after changing the state between steps.
  /// \throws InvalidArgument for a state of another size.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory> StepReport step(const Space& space, State& state);

  /// Sets after how many steps `step` checks the state for faults (`StepReport::fault`), counted
  /// from this call. Initially 20. A check reads 3 fields and fences `space`; at the first one
  /// Kokkos may allocate scratch. 0 means never: for callers of `find_fault` or `diagnose`, and
  /// before a stream is captured.
  /// \throws InvalidArgument for steps < 0.
  void check_every(int steps) { m_check.set_every("Leapfrog::check_every", steps); }

  /// Whether a step has been taken since the start. Then `previous()` is the level before the
  /// state.
  bool has_previous() const { return m_has_previous; }
  const State& previous() const { return m_previous; }

  /// Copies `before` as the level before the state of the next step. Enqueued on `space`.
  /// \throws InvalidArgument for a state of another size.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory>
  void set_previous(const Space& space, const State& before);

  /// Forgets `previous()`: the next step is the first one.
  void restart() { m_has_previous = false; }

  /// What one call of each kernel costs at least, by label.
  std::vector<KernelCost> kernel_costs() const { return m_start.kernel_costs(); }
  /// What a step costs at least, see `RungeKutta3`. Not for the first step.
  KernelCost step_cost() const;

 private:
  Impl::VelocityDiffusion<Scalar, Memory> m_diffusion;
  RungeKutta3<Scalar, Memory> m_start;
  State m_previous;
  bool m_has_previous = false;
  Impl::StepCheck m_check;
};

}  // namespace Lamina

#include <lamina/shallow_water/impl/Leapfrog_Impl.hpp>
