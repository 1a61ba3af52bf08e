// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What the cycle of a tensor product takes on a device where columns are in no packs: packs of levels, see
// `LevelPacks_Device.hpp`.

#include <lamina/core/Concepts.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/multigrid/impl/CyclePacks_Device.hpp>
#include <lamina/multigrid/impl/LevelPacks_Device.hpp>
#include <lamina/multigrid/impl/LevelTables.hpp>
#include <lamina/sweeps/TensorCoefficients.hpp>
#include <lamina/sweeps/impl/TensorImage.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace Lamina::Impl {

/// Whether the columns of a grid may be in no packs, so that a cycle takes packs of levels: of rows this short most are
/// beside packs.
template <class Space>
bool may_cycle_in_packs(const ColumnGridSize& size) {
  constexpr std::int64_t long_row = 12;
  return !runs_on_host<Space> && size.row_length < long_row;
}

/// Tables of a level. Empty where the cycle takes packs of columns, or single ones.
template <class Scalar, class Memory>
struct TensorTables {
  Kokkos::View<Scalar**, Kokkos::LayoutRight, Memory> inverses;  // of pivots; (owned column, level)
  // (owned column, slot): neighbours and alpha, without those that are 0; whole batches
  Kokkos::View<const WeightedRow<Scalar>**, Kokkos::LayoutRight, Memory> links;
  PackedRestriction<Scalar, Memory> restriction;    // empty on the last level
  PackedProlongation<Scalar, Memory> prolongation;  // likewise

  bool empty() const { return links.extent(1) == 0; }
};

/// Some links of a column, which a thread loads together.
template <class Scalar>
struct alignas(16) LinkedRows {
  static constexpr int count = LevelPackTuning::neighbours<Scalar>;
  WeightedRow<Scalar> of[extent_of<count>];
};

/// The inverse pivots of the line of a column, 0 at levels whose coefficients are 0.
template <class Scalar, class Memory>
struct InvertTensorPivots {
  TensorSystem<Scalar, Memory> system;
  Kokkos::View<Scalar**, Kokkos::LayoutRight, Memory> inverses;

  KOKKOS_FUNCTION void operator()(int column) const {
    const auto& of = system.coefficients;
    Scalar carry = 0;
    for (int k = 0; k < system.topology.num_levels; ++k) {
      const Scalar scale = -of.scale(k) * of.area(column);
      if (scale == 0) {
        inverses(column, k) = 0;
        continue;
      }
      const LineRow<Scalar> row{-scale * of.below(k), scale * (of.diffusion(column) - of.mass(k)),
                                -scale * of.above(k)};
      inverses(column, k) = eliminate(row, carry).inverse;
    }
  }
};

/// Inverse pivots and links of a system, whose fields hold whole packs.
template <class Space, class Scalar, class Memory>
TensorTables<Scalar, Memory> make_tensor_tables(const Space& space,
                                                const TensorSystem<Scalar, Memory>& system) {
  const auto neighbours =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), system.topology.neighbours);
  const auto couplings =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), system.coefficients.couplings);
  const std::size_t columns = neighbours.extent(0);
  TensorTables<Scalar, Memory> tables;
  tables.inverses = Kokkos::View<Scalar**, Kokkos::LayoutRight, Memory>(
      Kokkos::view_alloc("Lamina::MultigridPreconditioner::inverse_pivots",
                         Kokkos::WithoutInitializing),
      columns, static_cast<std::size_t>(system.topology.num_levels));
  tables.links = weighted_rows<Scalar, Memory>("Lamina::MultigridPreconditioner::links", neighbours,
                                               couplings, LinkedRows<Scalar>::count);
  Kokkos::parallel_for("Lamina::MultigridPreconditioner::invert_pivots",
                       range_of(space, system.topology.num_owned),
                       InvertTensorPivots<Scalar, Memory>{system, tables.inverses});
  space.fence();
  return tables;
}

/// Lines and neighbours, see `StoredLinePacks`.
template <class ScalarType, class MemoryType>
struct TensorLines {
  using Scalar = ScalarType;
  using Memory = MemoryType;
  using Links = LinkedRows<Scalar>;

  TensorSystem<Scalar, Memory> system;
  Kokkos::View<const Scalar**, Kokkos::LayoutRight, Memory> inverses;
  Kokkos::View<const WeightedRow<Scalar>**, Kokkos::LayoutRight, Memory> table;

  KOKKOS_FORCEINLINE_FUNCTION int num_owned() const { return system.topology.num_owned; }
  KOKKOS_FORCEINLINE_FUNCTION int num_levels() const { return system.topology.num_levels; }
  KOKKOS_FORCEINLINE_FUNCTION int end(int) const { return num_levels(); }
  KOKKOS_FORCEINLINE_FUNCTION Links links(int column, int begin = 0) const {
    return *reinterpret_cast<const Links*>(level_address(table, column, begin));
  }
  KOKKOS_FORCEINLINE_FUNCTION PackedLine<Scalar> matrix(int column, int first) const {
    const auto& of = system.coefficients;
    const Scalar area = -of.area(column);
    const auto scale = read<LevelPack<Scalar>>(of.scale, first);
    return {load_levels(inverses, column, first),
            area * (scale * read<LevelPack<Scalar>>(of.above, first)),
            area * scale[0] * of.below(first)};
  }
  template <class Field>
  KOKKOS_FORCEINLINE_FUNCTION void add_inflow(const Links& links, const Field& x, int column,
                                              int first, LevelPack<Scalar>& to) const {
    to = to - read<LevelPack<Scalar>>(system.coefficients.scale, first) *
                  flux<false>(links, x, column, first, LevelPack<Scalar>{});
  }
  /// sum_s alpha_s (x_s - own), or without `Differences` sum_s alpha_s x_s.
  template <bool Differences, class Field>
  KOKKOS_FORCEINLINE_FUNCTION LevelPack<Scalar> flux(Links links, const Field& x, int column,
                                                     int first,
                                                     const LevelPack<Scalar>& own) const {
    const PackRows<Field> values(x, first);
    constexpr int together = Links::count;
    const int slots = static_cast<int>(table.extent(1));
    LevelPack<Scalar> sum{};
    for (int begin = 0; begin < slots; begin += together) {
      // The next ones are asked for before the values of these.
      Links next{};
      if (begin + together < slots) next = this->links(column, begin + together);
      LevelPack<Scalar> other[extent_of<together>];
      LAMINA_DEVICE_UNROLL()
      for (int n = 0; n < together; ++n) other[n] = values(links.of[n].row);
      LAMINA_DEVICE_UNROLL()
      for (int n = 0; n < together; ++n) {
        sum = sum + links.of[n].weight * beside<Differences>(other[n], own);
      }
      links = next;
      if (links.of[0].weight == 0) break;
    }
    return sum;
  }
};

/// r = f - A x
template <class Scalar, class Memory>
struct TensorResidual {
  using Levels = LevelPack<Scalar>;
  static constexpr int levels = LevelPackTuning::levels;

  TensorLines<Scalar, Memory> lines;
  CycleGuard<Memory> guard;
  PackField<const Scalar, Memory> f, x;
  PackField<Scalar, Memory> r;
  ColumnLanes lanes;

  KOKKOS_FUNCTION int num_rows() const { return lines.num_owned(); }
  KOKKOS_FUNCTION int num_levels() const { return lines.num_levels(); }

  struct Prepared {
    typename TensorLines<Scalar, Memory>::Links links;
    Scalar area, boundary;
  };
  KOKKOS_FORCEINLINE_FUNCTION Prepared prepare(int column) const {
    const auto& of = lines.system.coefficients;
    return {lines.links(column), of.area(column), of.boundary(column)};
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Prepared& prepared, int column,
                                              int first) const {
    const auto& of = lines.system.coefficients;
    // Beyond either end the coupling is 0: any finite value will do.
    const Scalar* const at = level_address(x, column, first);
    const Scalar x_below = at[first > 0 ? -1 : 0],
                 x_above = at[first + levels < num_levels() ? levels : 0];
    const auto own = load<Levels>(at);
    const Levels rhs = load_levels(f, column, first);
    Levels below, above;
    LAMINA_DEVICE_UNROLL()
    for (int i = 0; i < levels; ++i) {
      below[i] = i > 0 ? own[i > 0 ? i - 1 : 0] : x_below;
      above[i] = i + 1 < levels ? own[i + 1 < levels ? i + 1 : i] : x_above;
    }
    const Levels flux =
        lines.template flux<true>(prepared.links, x, column, first, own) - prepared.boundary * own;
    const Levels image = tensor_image<Levels>(
        prepared.area, of.mass(0), read<Levels>(of.above, first), read<Levels>(of.below, first),
        read<Levels>(of.scale, first), own, above, below, flux);
    store_levels(r, column, first, rhs - image);
  }
};

}  // namespace Lamina::Impl
