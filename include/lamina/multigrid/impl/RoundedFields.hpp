// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/KernelRecord.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/multigrid/impl/CycleLevel.hpp>

#include <array>
#include <cstddef>

namespace Lamina::Impl {

/// Copies of fields from one precision to the other, for a cycle in single precision beside vectors in
/// double precision. They do nothing unless `guard` is active.  traffic: 12n bytes each
template <class Space, class Layout>
struct RoundedFields {
  using Memory = typename Space::memory_space;
  using Guard = CycleGuard<Memory>;
  template <class Scalar>
  using Input = FieldView<const Scalar, Layout, Memory>;
  template <class Scalar>
  using Output = FieldView<Scalar, Layout, Memory>;

  static constexpr const char *round_label = "Lamina::MultigridHelmholtz::round",
                              *widen_label = "Lamina::MultigridHelmholtz::widen";

  static void round(const Space& space, const Guard& guard, const Input<double>& from,
                    const Output<float>& to);
  static void widen(const Space& space, const Guard& guard, const Input<float>& from,
                    const Output<double>& to);
};

#define LAMINA_EXTERN_ROUNDED(Space, Layout) extern template struct RoundedFields<Space, Layout>;
LAMINA_FOR_EACH_LAYOUT(LAMINA_EXTERN_ROUNDED)
#undef LAMINA_EXTERN_ROUNDED

/// r and z in single precision, for a cycle beside vectors in double precision.
template <class Memory>
class RoundedVectors {
 public:
  RoundedVectors() = default;
  RoundedVectors(int num_columns, int num_levels)
      : m_num_columns(static_cast<std::size_t>(num_columns)),
        m_num_levels(static_cast<std::size_t>(num_levels)),
        m_r("Lamina::MultigridHelmholtz::rounded_r", m_num_columns * m_num_levels),
        m_z("Lamina::MultigridHelmholtz::rounded_z", m_num_columns * m_num_levels) {}

  static double required_bytes(double num_cells) { return 2 * num_cells * sizeof(float); }

  /// z = what cycle(r, z) does with them rounded.
  template <class Space, class In, class Out, class Cycle>
  void precondition(const Space& space, const CycleGuard<Memory>& guard, const In& r, const Out& z,
                    const Cycle& cycle) const {
    using Layout = typename Out::array_layout;
    const FieldView<float, Layout, Memory> rounded_r(m_r.data(), m_num_columns, m_num_levels),
        rounded_z(m_z.data(), m_num_columns, m_num_levels);
    RoundedFields<Space, Layout>::round(space, guard, r, rounded_r);
    cycle(FieldView<const float, Layout, Memory>(rounded_r), rounded_z);
    RoundedFields<Space, Layout>::widen(space, guard, rounded_z, z);
  }

  std::array<KernelCost, 2> kernel_costs() const {
    using Fields = RoundedFields<typename Memory::execution_space, Kokkos::LayoutRight>;
    const double bytes =
        static_cast<double>(m_num_columns * m_num_levels) * (sizeof(double) + sizeof(float));
    return {{{Fields::round_label, bytes, 0}, {Fields::widen_label, bytes, 0}}};
  }

 private:
  std::size_t m_num_columns = 0, m_num_levels = 0;
  Kokkos::View<float*, Memory> m_r, m_z;
};

}  // namespace Lamina::Impl

#include <lamina/multigrid/impl/RoundedFields_Bodies.hpp>
