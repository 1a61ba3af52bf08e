// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/distributed/HaloPattern.hpp>
#include <lamina/distributed/Transport.hpp>
#include <lamina/distributed/impl/HaloPlan.hpp>

#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace Lamina {

/// What an exchange takes: a writable field (item, level), or a vector with one value per item.
template <class V, class Memory>
concept HaloField = static_cast<bool>(Kokkos::is_view<V>::value) &&
                    (static_cast<int>(V::rank) == 1 || static_cast<int>(V::rank) == 2) &&
                    FieldScalar<typename V::value_type>&& FieldLayout<
                        typename V::array_layout>&& std::same_as<typename V::memory_space, Memory>;

/// Copies owned items of fields to where other ranks hold them as halo items.
///
/// \par Messages
/// All fields of an exchange travel in one message to each peer. One kernel packs all messages, and
/// one unpacks them. Fields may differ in their number of levels, precision and layout, but each
/// rank must give fields of the same kind in the same order.
///
/// \par Order of calls
/// `start`, then work that does not need the halo, then `finish`. Values are those at `start`. Halo
/// places of the fields belong to the exchange until `finish`, and the fields must live that long.
/// One exchange is in flight at a time; a program that needs two has two objects. All ranks call in
/// the same order, ranks without items too.
///
/// \par Workspace
/// The constructor allocates the buffers. Copies share them. For a pattern of several parts, the
/// transport "peer" has as many again, which sweeps of `PointImplicitSolver` work in.
///
/// \par Asynchrony
/// Packing and unpacking are enqueued on the given instance. Transports "mpi-host" and "mpi-device"
/// block the host in `finish` until all messages are there, and fence the instance where it is one
/// of a device. So does "peer" on CPU cores, without a fence.
///
/// \par Example
///
///   Lamina::HaloExchange<Memory> halo(*transport, pattern, num_levels * sizeof(double));
///   halo.start(space, u);
///   work_on_interior(space, u);
///   halo.finish(space);
template <MemorySpace Memory>
class HaloExchange {
 public:
  using memory_space = Memory;
  /// Most fields of one exchange.
  static constexpr int max_fields = Impl::HaloFields::max_fields;

  /// One process: nothing is exchanged, and fields may be of any length.
  HaloExchange() {}  // NOLINT(modernize-use-equals-default): see ColumnMesh

  /// Collective. Checks the pattern against those of the other ranks.
  /// \param most_bytes_per_item  most bytes of an item in all fields of an exchange together, for
  ///   example the number of levels times 8; the same on all ranks
  /// \throws InvalidArgument for a pattern out of range or one that does not fit those of its peers,
  ///   and for a transport of another memory space. On several ranks it is `RankFailure`, on all of
  ///   them.
  HaloExchange(const Transport& transport, const HaloPattern& pattern,
               std::size_t most_bytes_per_item);

  /// Whether this is one process.
  bool empty() const { return !m_plan; }
  /// Items of the fields, owned ones and those of the halo; 0 where this is one process.
  int num_items() const { return m_plan ? m_plan->num_local() : 0; }

  /// Sends owned items of the fields to all peers. Enqueued: no allocation.
  /// \param fields  of num_local items
  /// \throws InvalidArgument for wrong extents, more bytes per item than stated, and where an
  ///   exchange is in flight.
  template <ExecutionSpace Space, HaloField<Memory>... Fields>
  requires WorksIn<Space, Memory>
  void start(const Space& space, const Fields&... fields) const {
    start_table(space, Impl::HaloPlan<Memory>::all_parts, fields...);
  }

  /// The same for one part of the pattern, 0 to num_parts - 1.
  template <ExecutionSpace Space, HaloField<Memory>... Fields>
  requires WorksIn<Space, Memory>
  void start_part(const Space& space, int part, const Fields&... fields) const {
    start_table(space, part, fields...);
  }

  /// Work that is enqueued on `space` from now on sees the halo items of the fields. May block the
  /// host.
  /// \throws InvalidArgument where no exchange is in flight.
  /// \throws TransportError where a message does not come, or is not as long as it must be.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory>
  void finish(const Space& space) const;

  /// \cond
  // For solvers of the library.

  /// The exchange of fields whose items have other local numbers. Not collective: messages are those
  /// of this exchange, and one of both is in flight at a time.
  /// \param numbers    the new one of each item, or -1 for halo items that nobody reads
  /// \param num_items  of the fields
  HaloExchange renumbered(const std::vector<int>& numbers, int num_items) const;
  /// Where kernels may send the parts of one field themselves. Null where they may not: on all
  /// ranks.
  Impl::HaloWindow<Memory>* window() const { return m_plan ? m_plan->window() : nullptr; }
  /// \endcond

 private:
  template <class Space, class... Fields>
  void start_table(const Space& space, int part, const Fields&... fields) const;

  std::shared_ptr<Impl::HaloPlan<Memory>> m_plan;
};

}  // namespace Lamina

#include <lamina/distributed/impl/HaloExchange_Impl.hpp>
