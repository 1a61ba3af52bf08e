// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/shallow_water/PeriodicMultigrid.hpp>
#include <lamina/shallow_water/impl/multigrid/PeriodicPcgKernels.hpp>

#include <type_traits>
#include <vector>

namespace Lamina {

/// The sweeps of `FusedPcg` for `PeriodicHelmholtz` with a cycle of `PeriodicMultigrid` as preconditioner. It is a
/// model of `FusedModel` with vectors of its own. An iteration reads or writes 7 fields beside those of the
/// cycle, or 9 with weights.
///
/// Sums of a cycle use scratch of Kokkos, which grows at the first call.
///
/// \par Several ranks
/// With an operator of a `WaterStrip` all ranks solve together. An iteration exchanges messages as often as a cycle
/// does, see `PeriodicMultigrid`, and adds up its scalars over all ranks once.
///
/// \par Example
///
///   const Lamina::PeriodicMultigrid<double, Memory> multigrid(space, op);
///   Lamina::FusedPcg pcg(space, Lamina::MultigridPeriodic<double, Memory>(multigrid));
template <FieldScalar Scalar, MemorySpace Memory>
class MultigridPeriodic : public PeriodicHelmholtz<Scalar, Memory> {
 public:
  static constexpr bool few_iterations = true;

  using Operator = PeriodicHelmholtz<Scalar, Memory>;
  using vector_type = typename Operator::vector_type;

  /// Copies share scratch, also that of `multigrid`: one solve runs at a time, on one instance.
  explicit MultigridPeriodic(const PeriodicMultigrid<Scalar, Memory>& multigrid)
      : Operator(multigrid.finest()), m_multigrid(multigrid) {}

  /// u = x;  r = b - A x. With `InitialGuess::zero` u is 0.
  template <ExecutionSpace Space, class In>
  void start(const Space& space, const In& b, const In& x, const vector_type& u,
             const vector_type& r) const {
    Operator::start(space, b, x, u, r);
    start_from_guess(space, u);
  }
  /// Row n: <r, r>.
  template <ExecutionSpace Space>
  void sum_residual(const Space& space, const FusedStep<Memory>& step, const vector_type& r) const {
    Kernels<Space>::sum_residual(space, Operator::stencil(), step, Operator::parts(), lines(r));
  }
  /// z = B r, a cycle;  row n: <r, z>. Fills ghosts of z.
  template <ExecutionSpace Space, class In, class Out>
  void precondition(const Space& space, const FusedStep<Memory>& step, const In& r,
                    const Out& z) const {
    m_multigrid.cycle(space, {.step = step, .guarded = true}, lines(r), lines(z));
  }
  /// Row n: <z, A z>.
  template <ExecutionSpace Space>
  void measure(const Space& space, const FusedStep<Memory>& step, const vector_type& z) const {
    Kernels<Space>::measure(space, Operator::stencil(), step, Operator::parts(), lines(z));
  }
  /// p' = z + beta p;  r -= alpha A p';  row n + 1: <r, r>;  row n: <p', A p'>.
  /// With `update` also u += alpha_before p + alpha p'. Fills ghosts of p.
  template <ExecutionSpace Space>
  void advance(const Space& space, const FusedStep<Memory>& step, bool update, const vector_type& z,
               const vector_type& p, const vector_type& new_p, const vector_type& r,
               const vector_type& u) const {
    if (!step.is_first) Operator::fill_ghosts_of_direction(space, p);  // else it is z
    Kernels<Space>::advance(space, Operator::stencil(), step, update, Operator::parts(), lines(z),
                            lines(p), lines(new_p), lines(r), lines(u));
    Operator::advance_ghosts(space, step, z, p, new_p);
  }
  /// The cells of a vector.
  vector_type entries_of(const vector_type& vector) const {
    return Impl::cells_of(vector, Operator::rectangle());
  }

  /// Costs of the kernels, by label.
  std::vector<KernelCost> kernel_costs() const;

  /// \cond
  // For models of the library with a start of their own.
  template <ExecutionSpace Space>
  void start_from_guess(const Space& space, const vector_type& u) const {
    if (Operator::guess() == InitialGuess::given) return;
    Kernels<Space>::clear(space, Operator::rectangle(), lines(u));
  }
  /// sum = the sum of a solution, of all ranks. Where that of the right-hand side is 0, so is the exact one.
  template <ExecutionSpace Space>
  void sum_solution(const Space& space, const Impl::CgSolution<Scalar>& solution,
                    double* sum) const {
    Kernels<Space>::sum_solution(space, Operator::rectangle(), solution, sum);
    Operator::strip().reduction().sum(space, sum, sum, 1);
  }
  /// \endcond

 private:
  template <class Space>
  using Kernels = Impl::PeriodicPcgKernels<Space, Scalar>;
  template <class View>
  static auto lines(const View& vector) {
    return Impl::ghosted_lines_of(vector);
  }

  PeriodicMultigrid<Scalar, Memory> m_multigrid;
};

}  // namespace Lamina
