// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Require.hpp>
#include <lamina/helmholtz/FusedHelmholtz.hpp>
#include <lamina/helmholtz/HelmholtzOperator.hpp>
#include <lamina/helmholtz/impl/MixedKernels.hpp>
#include <lamina/krylov/FusedStep.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace Lamina {

/// The sweeps of `FusedPcg` in mixed precision for `HelmholtzOperator` with its line preconditioner.
/// Residuals use the operator in double precision, iterations use that in single precision. It is a
/// model of `FusedModel`, which describes arguments and guards of the sweeps.
template <MemorySpace Memory>
class MixedHelmholtz {
 public:
  using scalar_type = double;
  using vector_scalar_type = float;
  using memory_space = Memory;

  /// Allocates scratch for `space`, and prepares the line solves. Fences `space`. Copies share the
  /// scratch: one solve runs at a time, on one instance.
  /// \param op, short_op  the same equation on the same mesh
  /// \throws InvalidArgument where their extents differ.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory> MixedHelmholtz(const Space& space,
                                                 const HelmholtzOperator<double, Memory>& op,
                                                 const HelmholtzOperator<float, Memory>& short_op)
      : m_operator(op), m_sweeps(space, short_op), m_systems(op.num_columns(), op.system()) {
    require_equal("owned columns", op.num_owned(), short_op.num_owned());
    require_equal("columns", op.num_columns(), short_op.num_columns());
    require_equal("levels", op.num_levels(), short_op.num_levels());
    if constexpr (!runs_on_host<Space>) {
      m_parts = Impl::TeamParts<Memory>("Lamina::MixedHelmholtz::parts");
      if (!op.column_order().empty() && !m_sweeps.column_order().empty()) {
        m_systems.add(op.column_order(), op.reordered().system());
      }
    }
  }

  /// Bytes in `Memory` of a model and of a `FusedPcg` made from it, on a grid of that size, at most,
  /// beside those of the two operators.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory>
  static double required_bytes(const Space& space, const ColumnGridSize& size) {
    const std::int64_t places = Impl::num_places<Memory>(size);
    const bool has_order = places > size.num_columns();
    return Impl::fused_scratch_bytes<float, Memory>(space, size) + 2 * Impl::parts_bytes<Memory> +
           Impl::small_arrays_bytes + Impl::fields_bytes<float>(places, size, 4) +
           (has_order ? Impl::fields_bytes<double>(places, size, 1) : 0);
  }

  int num_owned() const { return m_operator.num_owned(); }
  int num_columns() const { return m_operator.num_columns(); }
  int num_levels() const { return m_operator.num_levels(); }

  /// \cond
  /// See `FusedHelmholtz`.
  const Impl::ColumnOrder<Memory>& column_order() const { return m_systems.order(); }
  /// \endcond

  /// r = step.scale (b - A x), computed in double precision;  row n: <r, r>.
  template <ExecutionSpace Space, class In, class Out>
  void residual(const Space& space, const FusedStep<Memory>& step, const In& b, const In& x,
                const Out& r) const {
    Kernels<Space, In>::residual(space, m_systems.of(r), step, m_parts, b, x, r);
  }

  /// z = M^-1 r;  row n: <r, z>. Column-local.
  template <ExecutionSpace Space, class In, class Out>
  void precondition(const Space& space, const FusedStep<Memory>& step, const In& r,
                    const Out& z) const {
    m_sweeps.precondition(space, step, r, z);
  }

  /// Row n: <z, A z>.
  template <ExecutionSpace Space, class In>
  void measure(const Space& space, const FusedStep<Memory>& step, const In& z) const {
    m_sweeps.measure(space, step, z);
  }

  /// p' = z + beta p;  r -= alpha A p';  row n + 1: <r, r>;  row n: <p', A p'>.
  /// With `update` also u += (alpha_before p + alpha p') / step.scale in double precision.
  template <ExecutionSpace Space, class In, class Out, class Solution>
  void advance(const Space& space, const FusedStep<Memory>& step, bool update, const In& z,
               const In& p, const Out& new_p, const Out& r, const Solution& u) const {
    if (update) {
      Kernels<Space, In>::advance_and_update(space, m_sweeps.system_of(r), step, m_parts, z, p,
                                             new_p, r, u);
    } else {
      m_sweeps.advance(space, step, false, z, p, new_p, r, r);  // no solution to be updated
    }
  }

  /// Costs of the sweeps, by label.
  std::vector<KernelCost> kernel_costs() const;

 private:
  template <class Space, class In>
  using Kernels = Impl::MixedKernels<Space, typename In::array_layout>;

  static void require_equal(const std::string& what, int expected, int got) {
    LAMINA_REQUIRE(expected == got, "MixedHelmholtz",
                   "short_op: expected " + std::to_string(expected) + ' ' + what + ", got " +
                       std::to_string(got));
  }

  HelmholtzOperator<double, Memory> m_operator;
  FusedHelmholtz<float, Memory> m_sweeps;
  Impl::TeamParts<Memory> m_parts;  // of the sums, on a device
  Impl::InEitherOrder<TensorSystem<double, Memory>, Memory> m_systems;
};

}  // namespace Lamina
