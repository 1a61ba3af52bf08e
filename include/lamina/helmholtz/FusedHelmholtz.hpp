// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Require.hpp>
#include <lamina/distributed/Decomposition.hpp>
#include <lamina/grids/impl/Reordering.hpp>
#include <lamina/helmholtz/HelmholtzOperator.hpp>
#include <lamina/helmholtz/LinePreconditioner.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/krylov/impl/AdvanceHalo.hpp>
#include <lamina/krylov/impl/OwnedColumns.hpp>
#include <lamina/lines/impl/LineWorkspace.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace Lamina {

/// The three sweeps per iteration of `FusedPcg` for `HelmholtzOperator` with its line
/// preconditioner. It is a model of `FusedModel`, which describes arguments and guards of the
/// sweeps. They also take fields in the order of columns that `column_order` tells. An iteration reads or writes 9 fields. The published form
/// (`FusedHelmholtzStored`) moves 11, separate operations move 18.
template <FieldScalar Scalar, MemorySpace Memory>
class FusedHelmholtz {
 public:
  using scalar_type = Scalar;
  using memory_space = Memory;

  /// Allocates scratch for `space`, and prepares the line solves. Fences `space`. Copies share the
  /// scratch: one solve runs at a time, on one instance.
  /// \param ranks  the decomposition of the mesh; by default one process
  /// \throws InvalidArgument where there are several ranks, and the mesh does not know
  ///   `halo_coupling_sums`.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory> FusedHelmholtz(const Space& space,
                                                 const HelmholtzOperator<Scalar, Memory>& op,
                                                 const Decomposition<Memory>& ranks = {})
      : m_operator(op),
        m_sweeps(op.num_columns(), {op.system(), op.make_line_workspace(space)}),
        m_ranks(ranks) {
    if (!ranks.halo.empty()) {
      const auto lines = op.halo_lines();
      LAMINA_REQUIRE(lines.has_value(), "FusedHelmholtz",
                     "op: expected a mesh that knows the coupling sums of its halo columns");
      m_num_halo = lines->num_columns();
      m_halo_lines.emplace(space, *lines);
    }
    if constexpr (!runs_on_host<Space>) {
      m_parts = Impl::TeamParts<Memory>("Lamina::FusedHelmholtz::parts");
      if (!op.column_order().empty() && !Impl::is_in_order(op.system())) {
        const auto reordered = op.reordered();
        m_sweeps.add(op.column_order(), {reordered.system(), reordered.make_line_workspace(space)});
      }
    }
  }

  /// Bytes in `Memory` of a model and of a `FusedPcg` made from it, on a grid of that size, at most,
  /// beside those of the operator.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory>
  static double required_bytes(const Space& space, const ColumnGridSize& size) {
    const std::int64_t places = Impl::num_places<Memory>(size);
    const int fields = places > size.num_columns() ? 5 : 4;
    return Impl::fused_scratch_bytes<Scalar, Memory>(space, size) + Impl::parts_bytes<Memory> +
           Impl::small_arrays_bytes + Impl::fields_bytes<Scalar>(places, size, fields);
  }

  int num_owned() const { return m_operator.num_owned(); }
  int num_columns() const { return m_operator.num_columns(); }
  int num_levels() const { return m_operator.num_levels(); }

  /// \cond
  // For solvers and models of the library. Types of `Impl` may change at any time.

  /// The order in which fields of `FusedPcg` are. Not empty on devices, where rows of the grid do not
  /// begin with a pack of 16 bytes, or levels with a cache line.
  const Impl::ColumnOrder<Memory>& column_order() const { return m_sweeps.order(); }
  const TensorSystem<Scalar, Memory>& system() const { return m_operator.system(); }
  /// The operator on fields of so many columns, in the order of the mesh or in that one.
  template <class FieldType>
  const TensorSystem<Scalar, Memory>& system_of(const FieldType& field) const {
    return m_sweeps.of(field).system;
  }
  /// \endcond

  /// r = b - A x;  row n: <r, r>.
  template <ExecutionSpace Space, class In, class Out>
  void residual(const Space& space, const FusedStep<Memory>& step, const In& b, const In& x,
                const Out& r) const {
    Kernels<Space, In>::residual(space, system_of(r), step, m_parts, b, x, r);
  }

  /// z = M^-1 r;  row n: <r, z>. Column-local.
  template <ExecutionSpace Space, class In, class Out>
  void precondition(const Space& space, const FusedStep<Memory>& step, const In& r,
                    const Out& z) const {
    const auto& [system, workspace] = m_sweeps.of(r);
    Kernels<Space, In>::fused_precondition(space, system, step, m_parts, r, z, workspace);
  }

  /// Row n: <z, A z>. Over several ranks devices leave a part that is not the one of this rank's rows:
  /// an edge between two ranks is counted by the one that owns its first column.
  template <ExecutionSpace Space, class In>
  void measure(const Space& space, const FusedStep<Memory>& step, const In& z) const {
    Kernels<Space, In>::measure(space, system_of(z), step, m_parts, z);
  }

  /// p' = z + beta p;  r -= alpha A p';  row n + 1: <r, r>;  row n: <p', A p'>.
  /// With `update` also u += alpha_before p + alpha p'.
  template <ExecutionSpace Space, class In, class Out>
  void advance(const Space& space, const FusedStep<Memory>& step, bool update, const In& z,
               const In& p, const Out& new_p, const Out& r, const Out& u) const {
    Kernels<Space, In>::advance(space, system_of(r), step, m_parts, update, z, p, new_p, r, u);
  }

  /// See `FusedModel`.
  const Decomposition<Memory>& decomposition() const { return m_ranks; }
  /// z = M^-1 r on the halo columns.
  template <ExecutionSpace Space, class In, class Out>
  void precondition_halo(const Space& space, const In& r, const Out& z) const {
    m_halo_lines->solve(space, halo_columns(r), halo_columns(z));
  }
  /// p' = z + beta p on the halo columns.
  template <ExecutionSpace Space, class In, class Out>
  void advance_halo(const Space& space, const FusedStep<Memory>& step, const In& z, const In& p,
                    const Out& new_p) const {
    Impl::advance_halo("Lamina::FusedHelmholtz::advance_halo", space, step, halo_columns(z),
                       halo_columns(p), halo_columns(new_p));
  }

  /// Costs of the sweeps, by label. On devices also those of the copies that solves may make;
  /// over several ranks those of halo columns.
  std::vector<KernelCost> kernel_costs() const;

 private:
  template <class Space, class In>
  using Kernels = Impl::HelmholtzKernels<Space, Scalar, typename In::array_layout>;

  struct Sweeps {
    TensorSystem<Scalar, Memory> system;
    Impl::LineWorkspace<Scalar, Memory> workspace;
  };

  template <class FieldType>
  FieldType halo_columns(const FieldType& field) const {
    return Impl::last_columns(field, static_cast<int>(field.extent(0)) - m_num_halo);
  }

  HelmholtzOperator<Scalar, Memory> m_operator;
  Impl::InEitherOrder<Sweeps, Memory> m_sweeps;
  Decomposition<Memory> m_ranks;
  int m_num_halo = 0;
  std::optional<LinePreconditioner<Scalar, Memory>> m_halo_lines;  // where there are several ranks
  Impl::TeamParts<Memory> m_parts;                                 // of the sums, on a device
};

}  // namespace Lamina
