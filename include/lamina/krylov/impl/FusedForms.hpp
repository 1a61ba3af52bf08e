// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/device/impl/SideInstance.hpp>
#include <lamina/distributed/Decomposition.hpp>
#include <lamina/distributed/impl/ExchangeHalo.hpp>
#include <lamina/distributed/impl/RequireDecomposition.hpp>
#include <lamina/grids/impl/ColumnOrder.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/krylov/impl/ExchangeInPlaces.hpp>
#include <lamina/krylov/impl/FieldRows.hpp>
#include <lamina/krylov/impl/FusedFields.hpp>
#include <lamina/krylov/impl/OwnedColumns.hpp>

#include <type_traits>

// The form in which a model of `FusedPcg` has its vectors: how b and x come to it and back.

namespace Lamina::Impl {

/// A model over several ranks.
template <class Model>
inline constexpr bool has_ranks = requires(const Model& model) {
  model.decomposition();
};

/// Whether the model solves the lines of halo columns, from an exchange of r. Otherwise its preconditioner
/// exchanges z.
template <class Model, class Space>
inline constexpr bool preconditions_halo = requires(
    const Model& model, const Space& space,
    const FieldView<const typename Model::scalar_type, Kokkos::LayoutLeft,
                    typename Model::memory_space>& r,
    const FieldView<typename Model::scalar_type, Kokkos::LayoutLeft, typename Model::memory_space>&
        z) {
  model.precondition_halo(space, r, z);
};

/// A model whose vectors are of a type of its own.
template <class Model>
class VectorForm {
 public:
  using scalar_type = typename Model::scalar_type;
  using vector_scalar = scalar_type;
  using Vectors = FusedVectors<typename Model::vector_type, typename Model::vector_type>;

  template <class Space>
  VectorForm(const Space&, const Model& model, const char*) : m_model(model) {
    m_vectors.r = model.make_vector("Lamina::FusedPcg::residual");
    m_vectors.z = model.make_vector("Lamina::FusedPcg::preconditioned");
    for (const int n : {0, 1}) m_vectors.p[n] = model.make_vector("Lamina::FusedPcg::direction");
    m_vectors.u = model.make_vector("Lamina::FusedPcg::solution");
  }

  const Model& model() const { return m_model; }
  GlobalReduction<typename Model::memory_space> reduction() const {
    if constexpr (has_ranks<Model>) return m_model.decomposition().reduction;
    return {};
  }
  template <class FieldType>
  void require_field(const char* function, const char* argument, const FieldType& field) const {
    m_model.require_field(function, argument, field);
  }
  /// visit(vectors) of a solve for x
  template <class Space, class Solution, class Visit>
  void with_vectors(const Solution&, const Visit& visit) const {
    visit(m_vectors);
  }
  template <class FieldType>
  FieldType owned(const FieldType& field) const {
    if constexpr (requires { m_model.num_owned(); }) {
      return first_columns(field, m_model.num_owned());
    }
    return field;
  }
  /// The entries of a vector that a sum is over.
  auto entries(const typename Model::vector_type& vector) const {
    if constexpr (requires { m_model.entries_of(vector); }) {
      return as_field(m_model.entries_of(vector));
    } else {
      return owned(as_field(vector));
    }
  }
  /// A vector that sweeps read.
  template <class Vector>
  static const Vector& input(const Vector& vector) {
    return vector;
  }

  /// u = x;  r = b - A u;  with a preconditioner also row n: <r, r>.
  template <class Space, class Step, class Rhs, class Solution>
  void start(const Space& space, const Step& step, const Rhs& b, const Solution& x,
             const Vectors& v) const {
    m_model.start(space, b, as_const_field(x), v.u, v.r);
    sum_residual(space, step, v.r);
  }
  /// u += along_p p;  r = b - A u;  with a preconditioner also row n: <r, r>.
  template <class Space, class Step, class Rhs, class Vector>
  void residual(const Space& space, const Step& step, const FusedEnd<scalar_type>& end,
                const Rhs& b, const Vector& p, const Vectors& v, const Vector& r) const {
    m_model.residual(space, end, b, p, v.u, r);
    sum_residual(space, step, r);
  }
  /// Sweep 1 of a pass.
  template <class Space>
  void precondition(const Space& space, const FusedSteps<typename Model::memory_space>& steps,
                    int pass, const Vectors& v) const {
    m_model.precondition(space, steps.step_to_complete(pass), v.r, v.z);
  }
  /// x = u + along_p p + along_z z.
  template <class Space, class Vector, class Solution>
  void finish(const Space& space, const FusedEnd<scalar_type>& end, const Vector& p,
              const Vector& z, const Vectors& v, const Solution& x) const {
    m_model.finish(space, end, p, z, v.u, x);
  }

 private:
  template <class Space, class Step, class Vector>
  void sum_residual(const Space& space, const Step& step, const Vector& r) const {
    if constexpr (requires { m_model.sum_residual(space, step, r); }) {
      m_model.sum_residual(space, step, r);
    }
  }

  Model m_model;
  Vectors m_vectors;
};

/// Of r, z and p.
template <class Model>
auto vector_precision() {
  if constexpr (requires { typename Model::vector_scalar_type; }) {
    return typename Model::vector_scalar_type();
  } else {
    return typename Model::scalar_type();
  }
}

/// Whether a field is in the layout of the sweeps.
template <class Space, class Layout>
inline constexpr bool is_in_layout = std::is_same_v<Layout, SweepLayout<Space>>;
/// Whether the vectors of a model may be packs of levels.
template <class Model, class Space>
inline constexpr bool may_be_in_packs = may_pack_levels<Model> && !runs_on_host<Space>;

/// A model whose vectors are fields like b and x. u is x itself, unless fields are brought to
/// `SweepLayout`, and on a device to an order of columns that the model has, or to packs of levels.
template <class Model>
class FieldForm {
 public:
  using scalar_type = typename Model::scalar_type;
  using memory_space = typename Model::memory_space;
  using vector_scalar = decltype(vector_precision<Model>());

  /// \param solver  named in messages
  template <class Space>
  FieldForm(const Space& space, const Model& model, const char* solver)
      : m_model(model), m_num_owned(model.num_owned()) {
    if constexpr (has_ranks<Model>) {
      m_ranks = model.decomposition();
      if constexpr (preconditions_halo<Model, Space>) {
        if (!m_ranks.halo.empty()) m_side.open(space);
      }
    }
    require_decomposition(solver, "model", "columns", m_ranks, model.num_owned(),
                          model.num_columns());
    int num_places = model.num_columns(), num_levels = model.num_levels();
    if constexpr (!runs_on_host<Space> && requires { m_model.pad_rows(space); }) {
      m_model.pad_rows(space);
    }
    if constexpr (has_column_order<Model>) {
      m_order = m_model.column_order();
      if (in_packs<Space>()) num_levels = m_order.packed_levels;
      if (!m_order.empty()) {
        num_places = static_cast<int>(m_order.columns.extent(0));
        m_num_owned = m_order.num_owned;
        m_ranks.halo = exchange_in_places(m_ranks.halo, m_order);
      }
    }
    m_fields = {num_places, num_levels};
    if (!m_order.empty() || in_packs<Space>()) m_fields.allocate_solution();
    if (!m_order.empty() && !m_ranks.halo.empty()) m_fields.clear_residual(space);
  }

  const Model& model() const { return m_model; }
  const GlobalReduction<memory_space>& reduction() const { return m_ranks.reduction; }
  template <class FieldType>
  void require_field(const char* function, const char* argument, const FieldType& field) const {
    Impl::require_field(function, argument, field, m_model.num_columns(), m_model.num_levels());
  }
  template <class Space, class Layout, class Visit>
  void with_vectors(const FieldView<scalar_type, Layout, memory_space>& x, const Visit& visit) {
    if constexpr (may_come_to_places<Space, Layout>) {
      if (comes_to_places<Space, Layout>()) {
        // In packs u has memory of its own, so that x passes through no buffer.
        scalar_type* const solution = m_fields.solution(x, m_order.empty() && !in_packs<Space>());
        if constexpr (may_be_in_packs<Model, Space>) {
          if (in_packs<Space>()) {
            return visit(m_fields.template vectors<Kokkos::LayoutRight>(solution));
          }
        }
        return visit(m_fields.template vectors<SweepLayout<Space>>(solution));
      }
    }
    if constexpr (may_stay<Space, Layout>) {
      auto in_place = m_fields.template vectors<Layout>(nullptr);
      in_place.u = x;
      visit(in_place);
    }
  }
  /// Of b or x.
  template <class FieldType>
  FieldType owned(const FieldType& field) const {
    return first_columns(field, m_model.num_owned());
  }
  template <class Vector>
  auto entries(const Vector& vector) const {
    return first_columns(as_field(vector), m_num_owned);
  }
  template <class Vector>
  static auto input(const Vector& vector) {
    return as_const_field(vector);
  }

  /// Brings b and x to the vectors;  r = b - A u;  row n: <r, r>.
  template <class Space, class Step, class Rhs, class Solution, class Vectors>
  void start(const Space& space, const Step& step, const Rhs& b, const Solution& x,
             const Vectors& v) const {
    using Layout = typename Solution::array_layout;
    if constexpr (may_come_to_places<Space, Layout>) {
      if (comes_to_places<Space, Layout>()) {
        bring_to_places(space, m_order, x, m_fields.buffer(v, v.p[1]), v.u);
      }
    }
    subtract_image(space, step, rhs(space, b, v, v.p[1]), v, v.r);
    clear_halo(space, v.z);
  }
  /// u += along_p p;  r = b - A u;  row n: <r, r>.
  template <class Space, class Step, class Rhs, class Vector, class Vectors>
  void residual(const Space& space, const Step& step, const FusedEnd<scalar_type>& end,
                const Rhs& b, const Vector& p, const Vectors& v, const Vector& r) const {
    add(space, end.along_p, p, v);
    subtract_image(space, step, rhs(space, b, v, p), v, r);
    clear_halo(space, v.z);
  }
  /// Sweep 1 of a pass. What halo columns need is done beside it: the direction of the pass before,
  /// and r and z of this one.
  template <class Space, class Vectors>
  void precondition(const Space& space, const FusedSteps<memory_space>& steps, int pass,
                    const Vectors& v) const {
    const auto step = steps.step_to_complete(pass);
    if constexpr (has_ranks<Model>) {
      const auto advance_halo = [&](const Space& instance) {
        // A pass that begins anew after r was recomputed has done it already.
        if (step.is_first || pass == steps.begin) return;
        const auto before = steps.step(pass - 1);
        const auto& p = before.is_first ? v.z : v.p[pass % 2];
        m_model.advance_halo(instance, before, as_const_field(v.z), as_const_field(p),
                             v.p[1 - pass % 2]);
      };
      if constexpr (!preconditions_halo<Model, Space>) {
        if (!m_ranks.halo.empty()) advance_halo(space);
      } else if (!m_ranks.halo.empty()) {
        const Space& side = m_side.after(space);
        const JoinAtEnd joins(m_side, space);
        m_ranks.halo.start(side, v.r);
        m_model.precondition(space, step, as_const_field(v.r), v.z);
        advance_halo(side);
        m_ranks.halo.finish(side);
        return m_model.precondition_halo(side, as_const_field(v.r), v.z);
      }
    }
    m_model.precondition(space, step, as_const_field(v.r), v.z);
  }
  /// x = u + along_p p + along_z z.
  template <class Space, class Vector, class Solution, class Vectors>
  void finish(const Space& space, const FusedEnd<scalar_type>& end, const Vector& p,
              const Vector& z, const Vectors& v, const Solution& x) const {
    add(space, end.along_p, p, v);
    add(space, end.along_z, z, v);
    using Layout = typename Solution::array_layout;
    if constexpr (may_come_to_places<Space, Layout>) {
      if (comes_to_places<Space, Layout>()) {
        bring_from_places(space, m_order, v.u, m_fields.buffer(v, p), x);
      }
    }
  }

 private:
  template <class Space>
  bool in_packs() const {
    return may_be_in_packs<Model, Space> && m_order.packed_levels > 0;
  }
  /// Whether fields of a layout may have to be copied for the sweeps, and whether they may be taken as they are.
  template <class Space, class Layout>
  static constexpr bool may_come_to_places = has_column_order<Model> &&
                                             (!runs_on_host<Space> || !is_in_layout<Space, Layout>);
  template <class Space, class Layout>
  static constexpr bool may_stay = !has_column_order<Model> || is_in_layout<Space, Layout> ||
                                   (may_be_in_packs<Model, Space> && levels_contiguous<Layout>);
  template <class Space, class Layout>
  bool comes_to_places() const {
    if (in_packs<Space>()) {
      return !levels_contiguous<Layout> || m_order.packed_levels != m_model.num_levels();
    }
    return !is_in_layout<Space, Layout> || !m_order.empty();
  }

  /// The right-hand side in the form of the vectors.
  /// \param p  see `FusedFields::buffer`
  template <class Space, class Layout, class Vectors, class Vector>
  auto rhs(const Space& space, const FieldView<const scalar_type, Layout, memory_space>& b,
           const Vectors& v, const Vector& p) const {
    using Own = typename decltype(v.u)::array_layout;
    using In = FieldView<const scalar_type, Own, memory_space>;
    if constexpr (std::is_same_v<Layout, Own>) {
      if (m_order.empty() && b.extent(1) == v.u.extent(1)) return In(b);
    }
    if constexpr (!may_come_to_places<Space, Layout>) {
      return In();  // not reached
    } else {
      const auto own = m_fields.buffer(v, p);
      to_places(space, m_order, b, own);
      return In(own);
    }
  }
  /// r = b - A u, after an exchange of the halo columns of u.
  template <class Space, class Step, class Rhs, class Vectors, class Vector>
  void subtract_image(const Space& space, const Step& step, const Rhs& b, const Vectors& v,
                      const Vector& r) const {
    if constexpr (has_ranks<Model>) exchange_halo(space, m_ranks.halo, v.u);
    m_model.residual(space, step, b, as_const_field(v.u), r);
  }
  /// Fills the halo places of z with zeros, where z comes by messages: sweeps multiply those that no message fills
  /// by 0. The right-hand side was in the memory of z, in mixed precision as doubles.
  template <class Space, class Vector>
  void clear_halo(const Space& space, const Vector& z) const {
    if constexpr (has_ranks<Model> && has_column_order<Model> &&
                  !preconditions_halo<Model, Space>) {
      if (m_order.empty() || m_ranks.halo.empty()) return;
      Kokkos::deep_copy(space, last_columns(z, m_num_owned), vector_scalar(0));
    }
  }
  /// u += factor p, in owned columns.
  template <class Space, class Vector, class Vectors>
  void add(const Space& space, scalar_type factor, const Vector& p, const Vectors& v) const {
    static_assert(
        std::is_same_v<typename Vector::array_layout, typename decltype(v.u)::array_layout>);
    if (factor == 0) return;
    const auto columns = static_cast<std::size_t>(m_num_owned);
    add_scaled("Lamina::FusedModel::add", space, factor, rows_of(as_const_field(p), columns),
               rows_of(v.u, columns));
  }

  Model m_model;
  Decomposition<memory_space> m_ranks;                          // of fields in the model's order
  SideInstance<typename memory_space::execution_space> m_side;  // for halo columns
  ColumnOrder<memory_space> m_order;
  FusedFields<scalar_type, vector_scalar, memory_space> m_fields;
  int m_num_owned;  // owned columns, or places in the model's order
};

template <class Model>
auto find_fused_form() {
  if constexpr (requires { typename Model::vector_type; }) {
    return std::type_identity<VectorForm<Model>>();
  } else {
    return std::type_identity<FieldForm<Model>>();
  }
}
template <class Model>
using FusedForm = typename decltype(find_fused_form<Model>())::type;

}  // namespace Lamina::Impl
