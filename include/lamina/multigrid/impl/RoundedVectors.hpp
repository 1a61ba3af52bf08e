// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/KernelRecord.hpp>
#include <lamina/krylov/impl/OwnedColumns.hpp>
#include <lamina/multigrid/impl/RoundedFields.hpp>

#include <array>
#include <cstddef>

namespace Lamina::Impl {

/// r and z in single precision, for a cycle beside vectors in double precision.
template <class Memory>
class RoundedVectors {
 public:
  RoundedVectors() = default;
  /// \param num_levels  of r and z, at most
  RoundedVectors(int num_owned, int num_columns, int num_levels)
      : m_num_owned(num_owned),
        m_num_columns(static_cast<std::size_t>(num_columns)),
        m_num_levels(static_cast<std::size_t>(num_levels)),
        m_r("Lamina::MultigridHelmholtz::rounded_r", m_num_columns * m_num_levels),
        m_z("Lamina::MultigridHelmholtz::rounded_z", m_num_columns * m_num_levels) {}

  static double required_bytes(double num_cells) { return 2 * num_cells * sizeof(float); }

  /// z = what cycle(r, z) does with them rounded, also in halo columns, and <r, z> of r as it was rounded.
  template <class Space, class In, class Out, class Cycle>
  void precondition(const Space& space, const CycleGuard<Memory>& guard, const In& r, const Out& z,
                    const Cycle& cycle) const {
    using Layout = typename Out::array_layout;
    const FieldView<float, Layout, Memory> rounded_r(m_r.data(), m_num_columns, r.extent(1)),
        rounded_z(m_z.data(), m_num_columns, r.extent(1));
    // Halo columns of r hold anything.
    RoundedFields<Space, Layout>::round(space, guard, first_columns(r, m_num_owned),
                                        first_columns(rounded_r, m_num_owned));
    cycle(FieldView<const float, Layout, Memory>(rounded_r), rounded_z);
    RoundedFields<Space, Layout>::widen(space, guard, rounded_z, z);
  }

  std::array<KernelCost, 2> kernel_costs() const {
    const double bytes_per_column =
        static_cast<double>(m_num_levels) * (sizeof(double) + sizeof(float));
    return {{{round_label, m_num_owned * bytes_per_column, 0},
             {widen_label, static_cast<double>(m_num_columns) * bytes_per_column, 0}}};
  }

 private:
  int m_num_owned = 0;
  std::size_t m_num_columns = 0, m_num_levels = 0;
  Kokkos::View<float*, Memory> m_r, m_z;
};

}  // namespace Lamina::Impl
