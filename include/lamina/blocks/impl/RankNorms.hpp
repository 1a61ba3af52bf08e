// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/impl/SafeNorm.hpp>
#include <lamina/distributed/GlobalReduction.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <string>

namespace Lamina::Impl {

/// Norms over the block rows of all ranks, from those of each. Copies share a buffer.
template <class Memory>
class RankNorms {
 public:
  RankNorms() {}  // NOLINT(modernize-use-equals-default): see ColumnMesh
  explicit RankNorms(const GlobalReduction<Memory>& reduction) : m_reduction(reduction) {
    if (m_reduction.empty()) return;
    m_values =
        decltype(m_values)(Kokkos::view_alloc(std::string("Lamina::PointImplicitSolver::norms"),
                                              Kokkos::WithoutInitializing),
                           num_values);
  }

  /// The norm over all ranks, right over the whole range of double precision as `safe_norm` is. One
  /// sum over the ranks, which makes `flag` true on all of them where it is true on one. Fences.
  template <class Space>
  double combine(const Space& space, double own, bool& flag) const {
    if (m_reduction.empty()) return own;
    const auto square = [own](double factor) { return factor * own * (factor * own); };
    std::array<double, num_values> values{square(1), square(norm_scale), square(1 / norm_scale),
                                          flag ? 1.0 : 0.0};
    const Kokkos::View<double*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(
        values.data(), num_values);
    Kokkos::deep_copy(space, m_values, host);
    m_reduction.sum(space, m_values.data(), m_values.data(), num_values);
    Kokkos::deep_copy(space, host, m_values);
    space.fence();
    flag = values[3] > 0;
    return safe_norm([&](double factor) {
      return values[factor == 1 ? 0u : factor > 1 ? 1u : 2u];
    });
  }

 private:
  static constexpr int num_values = 4;
  GlobalReduction<Memory> m_reduction;
  Kokkos::View<double*, Memory> m_values;
};

}  // namespace Lamina::Impl
