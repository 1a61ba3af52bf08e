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
/// 13 fields are read or written per step with `MassSolver::direct`. Stable up to dt = 0.204 h for
/// waves of speed 1 on water at rest, less with flow.
///
/// The plan owns y^{n-1}. To go on after a restart as without one, bit by bit, store the state and
/// `previous()`, and hand that back by `set_previous`.
///
/// Source: Saunders (2014), eqs. (2.31)-(2.37); F as in `RungeKutta3`.
template <FieldScalar Scalar, MemorySpace Memory>
class Leapfrog {
 public:
  using scalar_type = Scalar;
  using memory_space = Memory;
  using State = ShallowWaterState<Scalar, Memory>;

  /// Allocates workspace of 9 fields.
  /// \throws InvalidArgument for n < 1, dt not positive and finite, f not finite.
  Leapfrog(int n, double time_step, double coriolis, const MassOptions& mass = {});
  // Steps exchange Views with the state: a copy would share fields with it later.
  Leapfrog(const Leapfrog&) = delete;
  Leapfrog& operator=(const Leapfrog&) = delete;
  Leapfrog(Leapfrog&&) noexcept = default;
  Leapfrog& operator=(Leapfrog&&) noexcept = default;

  int size() const { return m_start.size(); }
  double time_step() const { return m_start.time_step(); }

  /// One step forward. Enqueued on `space`: no allocation; no fence with `MassSolver::direct`, but
  /// in each 20th step, see `check_every`.
  /// Ghosts must be filled, and are afterwards. The new level takes the place of the oldest:
  /// `state` and `previous()` exchange their Views, so copies of `state` made before are y^n until
  /// the next step, not y^{n+1}. Who changes the state between steps calls `restart` or `set_previous`.
  /// \throws InvalidArgument for a state of another size.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory> StepReport step(const Space& space, State& state);

  /// Steps after which `step` looks at the state, reports a fault of it (`StepReport::fault`) and
  /// fences `space` for that, counted from this call; 0: never, for those who call `find_fault` or
  /// `diagnose`, and before a stream is captured. Initially 20: 3 fields are read then, and Kokkos may
  /// allocate scratch at the first look.
  /// \throws InvalidArgument for steps < 0.
  void check_every(int steps) { m_check.set_every("Leapfrog::check_every", steps); }

  /// Whether a step has been taken since the start; then `previous()` is the level before the
  /// state's.
  bool has_previous() const { return m_has_previous; }
  const State& previous() const { return m_previous; }

  /// Copies `before` as the level before that of the next step's state. Enqueued on `space`.
  /// \throws InvalidArgument for a state of another size.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory>
  void set_previous(const Space& space, const State& before);

  /// Forgets it: the next step is the first one.
  void restart() { m_has_previous = false; }

  /// What one call of each kernel costs at least, by label.
  std::vector<KernelCost> kernel_costs() const { return m_start.kernel_costs(); }
  /// What a step costs at least, see `RungeKutta3`; not the first one.
  KernelCost step_cost() const;

 private:
  RungeKutta3<Scalar, Memory> m_start;
  State m_previous;
  bool m_has_previous = false;
  Impl::StepCheck m_check;
};

}  // namespace Lamina

#include <lamina/shallow_water/impl/Leapfrog_Impl.hpp>
