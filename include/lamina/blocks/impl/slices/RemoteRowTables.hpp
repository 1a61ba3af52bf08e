// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/impl/slices/RemoteRows_Device.hpp>
#include <lamina/device/impl/HostTable.hpp>
#include <lamina/distributed/impl/HaloWindow.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace Lamina::Impl {

/// Where rows of x are at other ranks, and those of others here: the tables of `RemoteRows`.
template <class Scalar, class Memory>
class RemoteRowTables {
 public:
  /// None.
  RemoteRowTables() {}  // NOLINT(modernize-use-equals-default): see ColumnMesh
  /// Makes none where rows are halo rows of their own rank, or where others are sent than those
  /// beside a cut. Not collective.
  /// \param first_rows  of the groups of each colour: rows beside a cut, then others; and their end
  RemoteRowTables(const HaloWindow<Memory>& window, const std::vector<int>& first_rows,
                  int num_halo, int size);

  bool exist() const { return m_first_copies.size() > 0; }
  /// For the kernel that does the next step of the window.
  RemoteRows<Scalar> of_step(const HaloWindow<Memory>& window) const {
    RemoteRows<Scalar> rows;
    rows.num_own = m_num_own;
    rows.halo = reinterpret_cast<const Scalar* const*>(m_halo.data());
    rows.first_copies = m_first_copies.data();
    rows.copies = reinterpret_cast<Scalar* const*>(m_copies.data());
    rows.awaited = window.awaited_flags();
    rows.raised = window.raised_flags();
    return rows;
  }

 private:
  template <class Value>
  using List = Kokkos::View<const Value*, Memory>;

  int m_num_own = 0;
  List<std::uint64_t> m_halo, m_copies;  // addresses
  List<int> m_first_copies;
};

template <class Scalar, class Memory>
RemoteRowTables<Scalar, Memory>::RemoteRowTables(const HaloWindow<Memory>& window,
                                                 const std::vector<int>& first_rows, int num_halo,
                                                 int size)
    : m_num_own(first_rows.back()) {
  const auto at = [](int n) { return static_cast<std::size_t>(n); };
  const std::size_t row_bytes = at(size) * sizeof(Scalar);
  std::vector<std::uint64_t> halo(at(num_halo), 0);  // 0: not sent by another rank
  for (const auto& [row, place] : window.own_places(row_bytes)) {
    if (row < m_num_own || row >= m_num_own + num_halo) return;
    halo[at(row - m_num_own)] = place;
  }
  if (std::find(halo.begin(), halo.end(), 0) != halo.end()) return;
  auto sent = window.places_at_peers(row_bytes);
  std::stable_sort(sent.begin(), sent.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<int> first_copies(at(m_num_own) + 1, 0);
  std::vector<std::uint64_t> copies;
  for (const auto& [row, place] : sent) {
    if (row >= m_num_own) return;
    const auto group = std::upper_bound(first_rows.begin(), first_rows.end(), row) - 1;
    if ((group - first_rows.begin()) % 2 != 0) return;
    ++first_copies[at(row) + 1];
    copies.push_back(place);
  }
  std::partial_sum(first_copies.begin(), first_copies.end(), first_copies.begin());
  m_halo = list_of<Memory>("Lamina::PointImplicitSolver::halo_places", halo);
  m_copies = list_of<Memory>("Lamina::PointImplicitSolver::places_at_peers", copies);
  m_first_copies = list_of<Memory>("Lamina::PointImplicitSolver::first_places", first_copies);
}

}  // namespace Lamina::Impl
