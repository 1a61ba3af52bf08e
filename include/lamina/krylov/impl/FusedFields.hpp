// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>

#include <Kokkos_Array.hpp>

#include <cstddef>
#include <string>

namespace Lamina::Impl {

/// The vectors of a solve. Without a preconditioner z is the residual of odd passes, and r that of
/// even ones.
template <class Vector, class Solution>
struct FusedVectors {
  Vector r, z;
  Kokkos::Array<Vector, 2> p;
  Solution u;
};

/// The memory of the vectors that are fields: r, z, both p, and u where it has some of its own.
///
/// \tparam Scalar        of u and b
/// \tparam VectorScalar  of r, z and p
template <class Scalar, class VectorScalar, class Memory>
class FusedFields {
 public:
  FusedFields() = default;
  FusedFields(int num_columns, int num_levels)
      : m_num_columns(static_cast<std::size_t>(num_columns)),
        m_num_levels(static_cast<std::size_t>(num_levels)),
        m_residual(allocate<VectorScalar>("residual", size())),
        m_others(allocate<VectorScalar>("preconditioned_and_directions", 3 * pitch())) {}

  /// The fields in a layout, with u at the given place.
  template <class Layout>
  auto vectors(Scalar* solution) const {
    const auto vector = [this](VectorScalar* values) {
      return field<VectorScalar, Layout>(values);
    };
    VectorScalar* const others = m_others.data();
    return FusedVectors<FieldView<VectorScalar, Layout, Memory>, FieldView<Scalar, Layout, Memory>>{
        vector(m_residual.data()),
        vector(others + pitch()),
        {vector(others), vector(others + 2 * pitch())},
        field<Scalar, Layout>(solution)};
  }
  /// A field of the precision of b in the memory of z and of the direction that is not `p`, which lies
  /// beside it: they hold nothing between two passes. (Models in mixed precision have a preconditioner.)
  template <class Vectors, class Vector>
  auto buffer(const Vectors& v, const Vector& p) const {
    using Layout = typename decltype(v.u)::array_layout;
    auto* const values = p.data() == v.p[0].data() ? v.z.data() : v.p[0].data();
    return field<Scalar, Layout>(reinterpret_cast<Scalar*>(values));
  }

  void allocate_solution() { m_solution = allocate<Scalar>("solution", size()); }
  /// Fills r with zeros: halo places that no message fills are read with packs, times 0. From r they get into
  /// z and p; u and b are 0 there. Fences.
  template <class Space>
  void clear_residual(const Space& space) {
    Kokkos::deep_copy(space, m_residual, VectorScalar(0));
    space.fence();
  }
  /// Memory of u: that of x where it may be and has the size, else its own.
  template <class Solution>
  Scalar* solution(const Solution& x, bool may_be_x) {
    if (may_be_x && x.span() == size()) return x.data();
    if (m_solution.extent(0) == 0) allocate_solution();
    return m_solution.data();
  }

 private:
  template <class Value>
  static auto allocate(const std::string& name, std::size_t count) {
    return Kokkos::View<Value*, Memory>(
        Kokkos::view_alloc("Lamina::FusedPcg::" + name, Kokkos::WithoutInitializing), count);
  }
  template <class Value, class Layout>
  FieldView<Value, Layout, Memory> field(Value* values) const {
    return FieldView<Value, Layout, Memory>(values, m_num_columns, m_num_levels);
  }
  std::size_t size() const { return m_num_columns * m_num_levels; }
  /// From one vector to the next in `m_others`: each begins with a cache line of a device.
  std::size_t pitch() const {
    constexpr std::size_t line = 128 / sizeof(VectorScalar);
    return (size() + line - 1) / line * line;
  }

  std::size_t m_num_columns = 0, m_num_levels = 0;
  Kokkos::View<VectorScalar*, Memory> m_residual, m_others;  // p, z and the other p
  Kokkos::View<Scalar*, Memory> m_solution;
};

}  // namespace Lamina::Impl
