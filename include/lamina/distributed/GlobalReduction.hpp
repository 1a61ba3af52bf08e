// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/distributed/Transport.hpp>
#include <lamina/distributed/impl/TransportCalls.hpp>

#include <memory>
#include <string>

namespace Lamina {
namespace Impl {

/// sums[n] = parts[n]
struct CopyParts {
  const double* parts;
  double* sums;
  KOKKOS_FUNCTION void operator()(int n) const { sums[n] = parts[n]; }
};

}  // namespace Impl

/// Sums of some scalars over all ranks, in the memory of an execution space. A sum is one message to
/// each rank, whatever its length.
///
/// \par Equation
///
///   sums[n] = parts[n] of rank 0 + parts[n] of rank 1 + ...,  0 <= n < count
///
/// Summands are added in the order of the ranks. All ranks therefore hold the same bits, in every
/// run with as many ranks: they take the same decisions. Infinities and NaN reach all ranks.
///
/// \par Asynchrony
/// Enqueued, no allocation in a Kokkos memory space. Transports "mpi-host" and "mpi-device" block
/// the host until the parts of all ranks are there, and fence the instance where it is one of a
/// device. So does "peer" on CPU cores, without a fence.
template <MemorySpace Memory>
class GlobalReduction {
 public:
  using memory_space = Memory;
  /// Most values of one sum.
  static constexpr int max_values = 1024;

  /// One process: sums are parts.
  GlobalReduction() {}  // NOLINT(modernize-use-equals-default): see ColumnMesh
  /// Collective.
  /// \throws InvalidArgument for a transport of another memory space.
  explicit GlobalReduction(const Transport& transport);

  /// Whether this is one process.
  bool empty() const { return !m_sums; }

  /// Collective.
  /// \param parts,  sums  `count` values each, in `Memory`; the same or disjoint
  /// \throws InvalidArgument unless 0 <= count <= max_values.
  /// \throws TransportError where the parts of a rank do not come.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory>
  void sum(const Space& space, const double* parts, double* sums, int count) const;

 private:
  std::shared_ptr<RankSums> m_sums;
};

template <MemorySpace Memory>
GlobalReduction<Memory>::GlobalReduction(const Transport& transport) {
  if (transport.size() == 1) return;
  Impl::require_memory("GlobalReduction", transport, Memory::name());
  m_sums = transport.open_sums();
}

template <MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory>
void GlobalReduction<Memory>::sum(const Space& space, const double* parts, double* sums,
                                  int count) const {
  LAMINA_REQUIRE(
      count >= 0 && count <= max_values, "GlobalReduction::sum",
      "count: expected 0 to " + std::to_string(max_values) + ", got " + std::to_string(count));
  if (m_sums) {
    m_sums->sum(InstanceRef(space), parts, sums, count);
  } else if (parts != sums && count > 0) {
    Kokkos::parallel_for("Lamina::GlobalReduction::sum", Impl::range_of(space, count),
                         Impl::CopyParts{parts, sums});
  }
}

}  // namespace Lamina
