// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/impl/ResidentTeams.hpp>
#include <lamina/helmholtz/HelmholtzOperator.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/krylov/ReorderableModel.hpp>
#include <lamina/lines/impl/LineWorkspace.hpp>

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace Lamina {

/// The three sweeps per iteration of `FusedPcg` for `HelmholtzOperator` with its line
/// preconditioner (a model of `FusedModel` and `ReorderableModel`, and of `FusedPcgStretchModel` on
/// CUDA). 9 fields are read or written per iteration, instead of the 11 of the published form
/// (`FusedHelmholtzStored`) and the 18 of separate operations. What sweeps take, and when they
/// leave it alone, `FusedModel` says.
template <FieldScalar Scalar, MemorySpace Memory>
class FusedHelmholtz {
 public:
  using scalar_type = Scalar;
  using memory_space = Memory;

  /// Allocates scratch for `space`, which copies share: one solve at a time, on one instance.
  /// Prepares the line solves. Fences `space`.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory> FusedHelmholtz(const Space& space,
                                                 const HelmholtzOperator<Scalar, Memory>& op)
      : m_operator(op) {
    prepare(space);
    if constexpr (!Impl::runs_on_host<Space>) {
      m_parts = Impl::TeamParts<Memory>("Lamina::FusedHelmholtz::parts");
      if (!op.column_order().empty() && !is_in_order()) {
        FusedHelmholtz model = *this;
        model.m_operator = op.reordered();
        model.prepare(space);
        m_reordered = std::make_shared<const FusedHelmholtz>(std::move(model));
      }
    }
  }

  int num_owned() const { return m_operator.num_owned(); }
  int num_columns() const { return m_operator.num_columns(); }
  int num_levels() const { return m_operator.num_levels(); }

  /// See `ReorderableModel`; on devices, where rows of columns do not begin with a pack of 16
  /// bytes, or levels with a line of the cache.
  Impl::ColumnOrder<Memory> column_order() const {
    return m_reordered ? m_operator.column_order() : Impl::ColumnOrder<Memory>();
  }
  /// \pre !column_order().empty()
  FusedHelmholtz reordered() const { return *m_reordered; }

  /// r = b - A x;  row n: <r, r>.
  template <ExecutionSpace Space, class In, class Out>
  void residual(const Space& space, const FusedStep<Memory>& step, const In& b, const In& x,
                const Out& r) const {
    Kernels<Space, In>::residual(space, m_operator.data(), step, m_parts, b, x, r);
  }

  /// z = M^-1 r;  row n: <r, z>. Column-local.
  template <ExecutionSpace Space, class In, class Out>
  void precondition(const Space& space, const FusedStep<Memory>& step, const In& r,
                    const Out& z) const {
    Kernels<Space, In>::fused_precondition(space, m_operator.data(), step, m_parts, r, z,
                                           m_workspace);
  }

  /// Row n: <z, A z>.
  template <ExecutionSpace Space, class In>
  void measure(const Space& space, const FusedStep<Memory>& step, const In& z) const {
    Kernels<Space, In>::measure(space, m_operator.data(), step, m_parts, z);
  }

  /// p' = z + beta p;  r -= alpha A p';  row n + 1: <r, r>;  row n: <p', A p'>.
  /// With `update` also u += alpha_before p + alpha p'.
  template <ExecutionSpace Space, class In, class Out>
  void advance(const Space& space, const FusedStep<Memory>& step, bool update, const In& z,
               const In& p, const Out& new_p, const Out& r, const Out& u) const {
    Kernels<Space, In>::advance(space, m_operator.data(), step, m_parts, update, z, p, new_p, r, u);
  }

  /// Whether `iterate` is possible, and faster than kernels of their own, in the order that solves
  /// use: on CUDA devices, where columns are contiguous and come in packs of 16 bytes whose
  /// neighbours are packs too, as on structured grids, with up to 1024 levels, and a field takes an
  /// eighth of the device's cache at most.
  bool in_stretches() const {
    return m_reordered ? m_reordered->in_stretches() : m_resident_teams > 0;
  }
  /// The same for these fields, as they are.
  template <class Out>
  bool in_stretches(const Out& r, const Out& u) const {
    constexpr bool packs = std::is_same_v<typename Out::array_layout, Kokkos::LayoutLeft>;
    return packs && m_resident_teams > 0 && Impl::packs_aligned<Scalar>(r, u);
  }
  /// The same model with a kernel for each sweep, for tools to tell apart. Shares the scratch.
  FusedHelmholtz in_sweeps() const {
    FusedHelmholtz model = *this;
    model.m_resident_teams = 0;
    if (m_reordered) {
      model.m_reordered = std::make_shared<const FusedHelmholtz>(m_reordered->in_sweeps());
    }
    return model;
  }

  /// Passes first <= n <= last in one kernel, see `FusedPcgStretchModel`. It takes the whole
  /// device: solves on two instances take turns.
  /// \pre in_stretches(r, u); z and directions lie like r
  /// \throws std::runtime_error where CUDA refuses the kernel
  template <ExecutionSpace Space, class Out>
  requires Impl::has_resident_teams<Space> &&
      std::same_as<typename Out::array_layout, Kokkos::LayoutLeft>
  void iterate(const Space& space, const FusedSteps<Memory>& steps, int first, int last,
               const Out& z, const Out (&directions)[2], const Out& r, const Out& u) const {
    Kernels<Space, Out>::iterate(space, m_operator.data(), m_resident_teams, steps, first, last,
                                 m_parts, z, directions, r, u, m_workspace);
  }

  /// Costs of the sweeps, by label; that of `iterate` for one pass; on devices those of the copies
  /// that solves may make, too.
  std::vector<KernelCost> kernel_costs() const;

 private:
  template <class Space, class In>
  using Kernels = Impl::HelmholtzKernels<Space, Scalar, typename In::array_layout>;

  /// Rows of columns begin with a pack already, and levels with a line of the cache.
  bool is_in_order() const {
    constexpr int line = 128 / static_cast<int>(sizeof(Scalar));
    return m_operator.data().packs.edges_once && num_columns() % line == 0;
  }
  template <class Space>
  void prepare(const Space& space) {
    m_workspace = m_operator.make_line_workspace(space);
    m_resident_teams = Impl::HelmholtzKernels<Space, Scalar, Kokkos::LayoutLeft>::resident_teams(
        space, m_operator.data(), m_workspace);
  }

  HelmholtzOperator<Scalar, Memory> m_operator;
  Impl::LineWorkspace<Scalar, Memory> m_workspace;
  Impl::TeamParts<Memory> m_parts;  // of the sums, on a device
  int m_resident_teams = 0;         // of `iterate`; 0: not possible
  std::shared_ptr<const FusedHelmholtz> m_reordered;
};

}  // namespace Lamina
