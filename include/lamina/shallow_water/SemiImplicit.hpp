// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/KernelRecord.hpp>
#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/core/impl/PlanInUse.hpp>
#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/shallow_water/MultigridPeriodic.hpp>
#include <lamina/shallow_water/PeriodicHelmholtz.hpp>
#include <lamina/shallow_water/ShallowWaterState.hpp>
#include <lamina/shallow_water/StepReport.hpp>
#include <lamina/shallow_water/WaterBasin.hpp>
#include <lamina/shallow_water/impl/SemiImplicitKernels.hpp>
#include <lamina/shallow_water/impl/SemiImplicitModel.hpp>
#include <lamina/shallow_water/impl/StepCheck.hpp>
#include <lamina/shallow_water/impl/VelocityDiffusion.hpp>

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace Lamina {

/// The height about which waves are linearised in the operator for the height.
enum class ReferenceHeight {
  current,  ///< Phi* = Phi^n
  one       ///< Phi* = 1
};

/// The preconditioner of the conjugate gradients of corrections.
enum class CgPreconditioner {
  none,      ///< z is r
  multigrid  ///< a cycle of `PeriodicMultigrid`
};

/// How a semi-implicit step ends.
struct SemiImplicitOptions {
  /// Newton corrections until sqrt(|R_Phi|^2 + |R_U|^2 + |R_V|^2) <= tolerance times its first
  /// value, tested before each correction. The paper has 0.1. `check_every` and `relative_to` have
  /// no effect here.
  StoppingCriteria newton = {.tolerance = 1e-4, .max_iterations = 100};
  /// Of the solve in each correction. It starts from zero, and its tolerance is relative to its
  /// right-hand side; `relative_to` has no effect. The paper has 0.01.
  StoppingCriteria cg = {.tolerance = 1e-4, .max_iterations = 1000};
  ReferenceHeight reference_height = ReferenceHeight::current;
  CgPreconditioner preconditioner = CgPreconditioner::none;
};

/// The semi-implicit scheme for shallow water: the implicit midpoint rule in its trapezoidal form.
///
/// \par Equation
///
///   M y^{n+1} = M y^n + dt (F(y^{n+1}) + F(y^n)) / 2
///
/// Inexact Newton iteration solves it. R_Phi, R_U, R_V are the residuals of that equation at the
/// last iterate, g = dt / (2 h), and P_U, P_V are edge averages of a reference height Phi*. A
/// correction is
///
///   H Phi' = -Rt,   Rt = R_Phi + g (P_U R_U - E (P_U R_U) + P_V R_V - N (P_V R_V))
///   U' = -g (Phi' - W Phi') - R_U,   V' = -g (Phi' - S Phi') - R_V
///   H x = x + g^2 (P_U (x - W x) + E P_U (x - E x) + P_V (x - S x) + N P_V (x - N x))
///
/// W, E, S, N take the value of the neighbour. The mass matrix is the identity in the correction,
/// but not in the residual: convergence is linear. The iteration stops converging near dt = 6 h,
/// because only waves are implicit in the correction.
///
/// \par Bottom
/// F has the bottom of a `WaterBasin`, so that a converged step is the trapezoidal rule with it. H does
/// not change: the derivative of the pressure gradient by Phi has no bottom in it, and waves travel
/// with the speed of the depth, which is Phi*. Where depths differ much from 1,
/// `ReferenceHeight::current` is the linearisation to take; with `ReferenceHeight::one` corrections
/// are too small where it is deep, and too large where it is shallow. Water at rest over a bottom
/// has a residual of rounding. Give `newton` an `absolute_tolerance` of `rounding_of_rest`, which
/// ends the iteration there.
///
/// \par Cost
/// The three kernels of a correction read and write 9, 4 and 9 to 11 fields. An iteration of
/// `FusedPcg` moves 6, or 8 with `ReferenceHeight::current`. A fixed count of iterations without
/// tolerances moves less, see `FusedPcg::iterate`: two corrections of three iterations move 67
/// fields, or 79.
///
/// \par Preconditioner
/// The condition of H is about 1 + 2 C^2 with the Courant number of waves C = sqrt(Phi*) dt / h, so
/// that the iterations of a correction grow in proportion to C. With `CgPreconditioner::multigrid`
/// there are 3 to 5 for the tolerance of 1e-4, whatever C and the size are. On CPU cores one of them
/// costs as much as 5 to 9 without, which pays from C = 3 to 5 on. Sums of heights then come from a
/// correction without its mean, which is 0 of the exact one.
///
/// Source: Saunders (2014), eqs. (2.38)-(2.52), whose (2.49), (2.51), (2.52) have wrong signs.
template <FieldScalar Scalar, MemorySpace Memory>
class SemiImplicit {
 public:
  using scalar_type = Scalar;
  using memory_space = Memory;
  using State = ShallowWaterState<Scalar, Memory>;

  /// Allocates a workspace of 11 fields, or 12 with `ReferenceHeight::current`. With a preconditioner
  /// there are 3 more where both directions halve, and about 7 on thin rectangles; over several ranks another 2
  /// or 3.
  /// \throws InvalidArgument for a rectangle without cells, dt not positive and finite, f not
  ///   finite, criteria out of range.
  SemiImplicit(const Rectangle& rectangle, double time_step, double coriolis,
               const SemiImplicitOptions& options = {})
      : SemiImplicit(WaterStrip<Memory>(rectangle), time_step, coriolis, options) {}
  /// On the unit square, of n x n cells.
  SemiImplicit(int n, double time_step, double coriolis, const SemiImplicitOptions& options = {})
      : SemiImplicit(Rectangle::square(n), time_step, coriolis, options) {}
  /// Of one rank. Then `step` is collective: iterations end on all ranks at once, and faults of all of
  /// them are found. All must be given the same options. With a preconditioner the constructor is collective.
  SemiImplicit(const WaterStrip<Memory>& strip, double time_step, double coriolis,
               const SemiImplicitOptions& options = {})
      : SemiImplicit(WaterBasin<Scalar, Memory>(strip, coriolis), time_step, options) {}
  /// With the bottom and the f of a basin, which may be fields, and its viscosity.
  /// \throws InvalidArgument where that is too large for dt, see `WaterBasin`.
  SemiImplicit(const WaterBasin<Scalar, Memory>& basin, double time_step,
               const SemiImplicitOptions& options = {});
  // Steps exchange Views with the state: a copy of the plan would later share fields with it.
  SemiImplicit(const SemiImplicit&) = delete;
  SemiImplicit& operator=(const SemiImplicit&) = delete;
  SemiImplicit(SemiImplicit&&) noexcept = default;
  SemiImplicit& operator=(SemiImplicit&&) noexcept = default;

  const WaterStrip<Memory>& strip() const { return m_next.strip(); }
  /// The cells of this rank.
  const Rectangle& rectangle() const { return strip().owned(); }
  double time_step() const { return m_time_step; }

  /// One step forward. Enqueues on `space`. Fences it at each test of a tolerance, in each
  /// correction and in `FusedPcg`, and in each 20th step, see `check_every`. Ghosts must be filled,
  /// and are filled afterwards. State and plan exchange their Views: a copy of `state` from before
  /// the call is y^n until the next step. After a breakdown of its iterations `state` is y^n; with
  /// a fault it is y^{n+1}.
  /// \throws InvalidArgument for a state of another size, and within a step.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory> StepReport step(const Space& space, State& state);

  /// Sets after how many steps `step` checks the state for faults (`StepReport::fault`), counted
  /// from this call. Initially 20. A check reads 3 fields and fences `space`; at the first one
  /// Kokkos may allocate scratch. 0 means never: for callers of `find_fault` or `diagnose`, and
  /// before a stream is captured.
  /// \throws InvalidArgument for steps < 0.
  void check_every(int steps) { m_check.set_every("SemiImplicit::check_every", steps); }

  /// What rounding leaves of the residual of water at rest over a bottom, in the norm of
  /// `SemiImplicitOptions::newton`: half a rounding of the height in every cell. Of steps beyond
  /// dt = h the gradient of the surface is the larger part, which has the factor dt / h.
  /// \param whole   of all ranks
  /// \param height  the largest height of the water column or of its surface
  static double rounding_of_rest(const Rectangle& whole, double time_step, double height) {
    const double epsilon = std::numeric_limits<Scalar>::epsilon();
    const double courant = time_step * Impl::inverse_mesh_width(whole);
    return 0.5 * epsilon * std::sqrt(whole.cells()) * height * (courant > 1 ? courant : 1);
  }

  /// What one call of each kernel costs at least, by label.
  std::vector<KernelCost> kernel_costs() const;
  /// What a step costs with so many corrections of so many iterations each.
  KernelCost step_cost(int newton_iterations, int cg_iterations) const;

 private:
  using Operator = PeriodicHelmholtz<Scalar, Memory>;
  using Multigrid = PeriodicMultigrid<Scalar, Memory>;
  using PlainCg = FusedPcg<Impl::SemiImplicitModel<Operator>>;
  using MultigridCg = FusedPcg<Impl::SemiImplicitModel<MultigridPeriodic<Scalar, Memory>>>;
  using Task = Impl::SemiImplicitTask<Scalar>;
  using field_type = typename State::field_type;

  static std::optional<Multigrid> make_multigrid(const Operator& op, CgPreconditioner choice);
  static std::variant<PlainCg, MultigridCg> make_cg(const Operator& op,
                                                    const std::optional<Multigrid>& multigrid,
                                                    const std::shared_ptr<const Task>& task);

  Impl::SemiImplicitEquation<Scalar> equation() const;
  template <ExecutionSpace Space>
  void start(const Space& space, const State& state) const;
  template <ExecutionSpace Space>
  bool ends(const Space& space, const State& given, const State& iterate, StepReport& report) const;
  template <ExecutionSpace Space>
  void correct(const Space& space, const State& iterate, StepReport& report);

  double m_time_step;
  WaterBasin<Scalar, Memory> m_basin;
  Impl::VelocityDiffusion<Scalar, Memory> m_diffusion;
  SemiImplicitOptions m_options;
  Impl::PlanInUse m_in_use;
  State m_next, m_residual;
  field_type m_weight;
  Impl::ResidualSums<Memory> m_sums;
  Operator m_operator;
  std::optional<Multigrid> m_multigrid;
  std::shared_ptr<Task> m_task;
  std::variant<PlainCg, MultigridCg> m_cg;
  Impl::StepCheck m_check;
};

}  // namespace Lamina

#include <lamina/shallow_water/impl/SemiImplicit_Impl.hpp>
