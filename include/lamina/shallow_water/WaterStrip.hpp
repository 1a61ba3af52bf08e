// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/distributed/GlobalReduction.hpp>
#include <lamina/distributed/HaloExchange.hpp>
#include <lamina/distributed/Partition.hpp>
#include <lamina/distributed/Transport.hpp>
#include <lamina/grids/Rectangle.hpp>
#include <lamina/shallow_water/impl/StateKernels.hpp>

#include <array>
#include <cstddef>
#include <memory>

namespace Lamina {

/// What is in the south and in the north of a rectangle of water, at j = 0 and j = ny. Along x it is
/// periodic.
enum class WaterSides {
  periodic,  ///< the lines of the other side
  walls      ///< walls along which water slips: a channel
};

/// The strip of a rectangle of water that one rank has: consecutive lines j, with all their cells i.
/// States and schemes are made from it. One process has the whole rectangle. It is periodic along x,
/// and along y periodic or a channel between walls.
///
/// \par Walls
/// V(i, 0) = 0 on the wall in the south; V(i, ny) = 0 on that in the north is not stored. Beyond a wall
/// there is a mirror: Phi, b and U are even there, and V is odd. So water slips freely, the vorticity
/// rot u is 0 on walls, and nothing flows through them. The mass matrix of V has lines 1 to ny - 1, with
/// 0 at both ends. At corners on a wall the potential vorticity is f / Phi, with f of that corner. The
/// schemes keep their orders. With `MassSolver::direct` alone.
///
/// \par Messages
/// Ghost lines of height, u and v travel in one message to each neighbour. A velocity mass solve
/// along y takes one more message, of one line to each neighbour, see `VelocityMass`. Where strips are
/// narrower than `CyclicToeplitzSolver::reach()` lines (32 in double precision, 16 in single), it
/// takes several of these.
///
/// \par Workspace
/// Copies share the buffers: one exchange runs at a time.
///
/// \par Example
///
///   Lamina::WaterStrip<Memory> strip(*transport, {nx, ny},
///                                    Lamina::Partition::blocks(ny, transport->size()));
///   Lamina::ShallowWaterState<double, Memory> state(strip);
///   Lamina::RungeKutta3<double, Memory> plan(strip, time_step, coriolis);
template <MemorySpace Memory>
class WaterStrip {
 public:
  using memory_space = Memory;

  /// One process.
  explicit WaterStrip(const Rectangle& whole, WaterSides sides = WaterSides::periodic)
      : m_whole(whole), m_owned(whole), m_sides(sides) {}
  /// Collective. A rank may have no lines.
  /// \param transport  `SemiImplicit` with multigrid, and `PeriodicMultigrid`, make more exchanges with it: it must
  ///   live until they are constructed
  /// \param lines  of whole.ny items, for example `Partition::blocks(ny, num_ranks)`
  /// \throws InvalidArgument for a rectangle without cells, a partition of another number of items or
  ///   ranks, and where the lines of a rank are not consecutive.
  WaterStrip(const Transport& transport, const Rectangle& whole, const Partition& lines,
             WaterSides sides = WaterSides::periodic);

  const Rectangle& whole() const { return m_whole; }  ///< of all ranks
  const Rectangle& owned() const { return m_owned; }  ///< of this rank
  /// The first line of this rank has this number in the whole rectangle.
  int first_line() const { return m_first; }
  /// Whether this is one process.
  bool is_whole() const { return !m_ranks; }
  WaterSides sides() const { return m_sides; }
  /// Whether the first line of this rank lies at a wall, or the last one.
  bool south_wall() const { return has_walls() && m_owned.ny > 0 && m_first == 0; }
  bool north_wall() const {
    return has_walls() && m_owned.ny > 0 && m_first + m_owned.ny == m_whole.ny;
  }

  /// \cond
  // For states and schemes of the library. Types of `Impl` may change at any time.

  bool has_walls() const { return m_sides == WaterSides::walls; }
  /// Fills the ghosts of a field, even at walls, or of the three of a state. There lines of V on walls
  /// become 0, too. Collective.
  template <ExecutionSpace Space, class Scalar>
  void exchange(const Space& space, const Impl::GridField<Scalar>& field) const;
  template <ExecutionSpace Space, class Scalar>
  void exchange(const Space& space, const Impl::StateFields<Scalar>& fields) const;
  /// Lines 2 and 3 become what the rank before has in line 1, and the rank behind in line 0.
  template <ExecutionSpace Space, class LineEnds>
  void start_ends(const Space& space, const LineEnds& ends) const {
    m_ranks->ends.start(space, ends);
  }
  template <ExecutionSpace Space>
  void finish_ends(const Space& space) const {
    m_ranks->ends.finish(space);
  }
  GlobalReduction<Memory> reduction() const {
    return m_ranks ? m_ranks->reduction : GlobalReduction<Memory>();
  }
  /// Null on one process.
  const Transport* transport() const { return m_ranks ? m_ranks->transport : nullptr; }
  /// The least number of lines of a rank that has any.
  int shortest() const { return m_ranks ? m_ranks->shortest : m_owned.ny; }
  /// Calls visit(values) with the values of each rank, in their order. Collective. Fences `space`
  /// where there are several ranks.
  using Values = std::array<double, 4>;
  template <ExecutionSpace Space, class Visit>
  void for_each_rank(const Space& space, const Values& mine, const Visit& visit) const;
  /// Runs work of this rank alone. All ranks throw where it throws on one of them: that one what it
  /// threw, the others `RankFailure`. Collective. Fences `space` where there are several ranks.
  template <ExecutionSpace Space, class Work>
  void run_agreed(const Space& space, const Work& work) const;

  friend bool operator==(const WaterStrip& a, const WaterStrip& b) {
    return a.m_whole == b.m_whole && a.m_owned == b.m_owned && a.m_first == b.m_first &&
           a.is_whole() == b.is_whole() && a.m_sides == b.m_sides;
  }
  /// \endcond

 private:
  /// What copies share.
  struct Ranks {
    const Transport* transport;
    HaloExchange<Memory> lines, ends;
    GlobalReduction<Memory> reduction;
    Kokkos::View<double*, Memory> values;
    int rank, size, shortest;
  };

  Rectangle m_whole, m_owned;
  int m_first = 0;
  WaterSides m_sides = WaterSides::periodic;
  std::shared_ptr<const Ranks> m_ranks;  // null on one process
};

}  // namespace Lamina

#include <lamina/shallow_water/impl/WaterStrip_Impl.hpp>
