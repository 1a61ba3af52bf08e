// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/KernelRecord.hpp>
#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/lines/CyclicToeplitzSolver.hpp>
#include <lamina/shallow_water/ShallowWaterState.hpp>
#include <lamina/shallow_water/impl/MassModel.hpp>

#include <memory>
#include <vector>

namespace Lamina {
namespace Impl {

template <class Scalar, class Memory>
class ExplicitStage;

}  // namespace Impl

/// The solver of velocity mass matrices.
enum class MassSolver {
  direct,  ///< exact to rounding, one kernel
  cg       ///< conjugate gradients from zero: the published form
};

/// The solver of velocity mass matrices, and its tolerances.
struct MassOptions {
  MassSolver solver = MassSolver::direct;
  /// Of `MassSolver::cg`. The paper has 3 iterations, or a tolerance of 0.1. `FusedPcg::iterate`
  /// runs a fixed count without tolerances. The solve starts from zero: `relative_to` has no effect
  /// here.
  StoppingCriteria criteria = {.tolerance = 1e-2};
};

/// The component of the velocity: along x (u) or along y (v).
enum class VelocityComponent { u, v };

/// The mass matrix of a velocity component, periodic:
///
///   (M_U x)(i, j) = (x(i-1, j) + 4 x(i, j) + x(i+1, j)) / 6,   (M_V x)(i, j) so along j
///
/// In a channel (`WaterSides::walls`) lines along y have the unknowns j = 1, ..., ny - 1, and 0 on the
/// walls at j = 0 and ny. There rhs(i, 0) has no effect, and (M_V^-1 rhs)(i, 0) is 0 to rounding.
///
/// \par Several ranks
/// A line along y goes on on other ranks. What is there causes here what two values of a line do: one
/// exchange of these, before the solve, makes it exact to rounding. Where strips have fewer lines than
/// `CyclicToeplitzSolver::reach()`, there are several exchanges. `MassSolver::cg` exchanges ghost lines
/// once in an iteration.
///
/// Source: Saunders (2014), eqs. (2.12), (2.13). Its algorithm 4 is conjugate gradients; the step
/// length there must be r.r / p.Ap.
template <FieldScalar Scalar, MemorySpace Memory>
class VelocityMass {
 public:
  using field_type = typename ShallowWaterState<Scalar, Memory>::field_type;

  /// Allocates the workspace of conjugate gradients for `MassSolver::cg`. Copies share it: one
  /// solve runs at a time.
  /// \throws InvalidArgument for a rectangle without cells, criteria out of range, and
  ///   `MassSolver::cg` between walls.
  VelocityMass(const Rectangle& rectangle, const MassOptions& options = {})
      : VelocityMass(WaterStrip<Memory>(rectangle), options) {}
  /// On a square of n x n cells.
  VelocityMass(int n, const MassOptions& options = {})
      : VelocityMass(Rectangle::square(n), options) {}
  /// Of one rank. `solve` is collective.
  VelocityMass(const WaterStrip<Memory>& strip, const MassOptions& options = {});

  /// out = a x_0 + b x_1 + c M^-1 rhs, without ghosts. A field whose factor is 0 is not read.
  /// Enqueued on `space`: no allocation. `MassSolver::cg` fences at each look at the residual.
  /// \param rhs, x0, x1, out  (nx + 2, ny + 2); `out` may be x0 or x1, not rhs
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory> SolveReport solve(const Space& space, VelocityComponent component,
                                                    const field_type& rhs, Scalar a,
                                                    const field_type& x0, Scalar b,
                                                    const field_type& x1, Scalar c,
                                                    const field_type& out)
  const;

  const MassOptions& options() const { return m_options; }

  /// Costs of the kernels, by label. That of `direct` is with one field x.
  std::vector<KernelCost> kernel_costs() const;

 private:
  using Model = Impl::MassModel<Scalar, Memory>;
  friend class Impl::ExplicitStage<Scalar, Memory>;

  /// Whether `start_ends` and `finish_ends` come before `solve_with_ends`.
  bool needs_ends(VelocityComponent component) const {
    return component == VelocityComponent::v && m_options.solver == MassSolver::direct &&
           (!m_strip.is_whole() || m_strip.has_walls());
  }
  /// Of a kernel of `start_ends`, and how many it calls; 0 where nothing needs them.
  KernelCost ends_cost() const;
  int ends_passes() const;
  /// What stands for the lines of other ranks at both ends of a solve along y. Collective.
  template <class Space>
  void start_ends(const Space& space, const field_type& rhs) const;
  template <class Space>
  void finish_ends(const Space& space) const {
    if (!m_strip.is_whole()) m_strip.finish_ends(space);
  }
  /// `solve` after that.
  template <class Space>
  SolveReport solve_with_ends(const Space& space, VelocityComponent component,
                              const field_type& rhs, Scalar a, const field_type& x0, Scalar b,
                              const field_type& x1, Scalar c, const field_type& out) const;
  Impl::LinesShape lines(VelocityComponent component) const {
    const auto [nx, ny] = m_strip.owned();
    return component == VelocityComponent::u ? Impl::LinesShape{ny, nx} : Impl::LinesShape{nx, ny};
  }

  WaterStrip<Memory> m_strip;
  MassOptions m_options;
  CyclicToeplitzSolver<Scalar> m_direct;
  Model m_model;
  std::shared_ptr<FusedPcg<Model>> m_cg;  // for `MassSolver::cg`
  // Over several ranks, or between walls: first and last of `LineEnds`, and those of the ranks before and
  // behind, or of the images beyond the walls
  Kokkos::View<Scalar**, Kokkos::LayoutRight, Memory> m_ends;
};

}  // namespace Lamina

#include <lamina/shallow_water/impl/VelocityMass_Impl.hpp>
