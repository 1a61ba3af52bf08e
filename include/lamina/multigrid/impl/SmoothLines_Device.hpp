// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Smoothing steps on a device: the right-hand sides of its line solves, see
// `HelmholtzLines_Device.hpp`. A team forms those of a tile in scratch, and adds the solution to x there: no
// field is stored on the way.

#include <lamina/device/impl/HostWork.hpp>
#include <lamina/helmholtz/impl/SmoothingLines_Device.hpp>
#include <lamina/multigrid/impl/CycleLevel.hpp>
#include <lamina/sweeps/impl/PackStencils_Device.hpp>
#include <lamina/sweeps/impl/Stencils_Device.hpp>

#include <cstddef>
#include <type_traits>

namespace Lamina::Impl {

/// The right-hand side f + N x of a step keep x + weight M^-1 (f + N x), see `CycleKernels::Step`; without
/// `WithRhs` N x alone. With `WithEnergy` sums <f, what is stored>.
///
/// `Slots`: neighbours of a column that a thread holds in registers.
template <class Scalar, class LayoutType, class Memory, int Slots, bool WithRhs, bool WithEnergy>
struct SmoothingRhs {
  static_assert(WithRhs || !WithEnergy);
  using Layout = LayoutType;
  using Field = FieldView<const Scalar, Layout, Memory>;
  using System = TensorSystem<Scalar, Memory>;
  static constexpr int num_sums = WithEnergy ? 1 : 0;
  static constexpr bool combines = false;
  /// Teams on a multiprocessor, at least. Fewer teams leave registers for more loads in flight, which is
  /// faster where neighbouring columns are contiguous; see docs/developer/tuning.md.
  static constexpr unsigned smoothing_teams =
      levels_contiguous<Layout> && Slots == few_slots ? 2 : 1;

  CycleGuard<Memory> guard;
  Scalar keep, weight;
  Field f, x;
  bool all_in_packs;  ///< columns of the mesh

  /// Forms right-hand sides of one column from some level up.
  template <class Value>
  class Thread {
    using Stencil =
        std::conditional_t<is_pack<Value>, PackStencil<Scalar, Memory, value_width<Value>>,
                           ColumnStencil<TensorCoefficients<Scalar, Memory>, Slots>>;

   public:
    KOKKOS_FORCEINLINE_FUNCTION Thread(const SmoothingRhs& rhs, const System& system, int column,
                                       int level)
        : m_system(system),
          m_stencil(system, column / value_width<Value>),
          m_x_rows(segment_source(rhs.x, level)),
          m_f_rows(segment_source(WithRhs ? rhs.f : rhs.x, level)),
          m_column(column),
          m_base(levels_contiguous<Layout> ? 0 : level),
          m_level(level) {}

    /// Right-hand sides of the next levels, divided by the scales d_k in `table`, x, and f. Beyond the top
    /// they are 0, and x and f are those of the top. Nothing is branched upon: many loads are in flight at
    /// once.
    template <std::size_t Count>
    KOKKOS_FORCEINLINE_FUNCTION void load_levels(const LevelCoefficients<Scalar>* table,
                                                 Value (&a)[Count], Value (&x)[Count],
                                                 Value (&f)[Count]) {
      int k[Count];
      Value inflow[Count];
      LAMINA_DEVICE_UNROLL()
      for (std::size_t j = 0; j < Count; ++j) {
        k[j] = inside(m_level + static_cast<int>(j)) - m_base;
        x[j] = m_x_rows.template value<Value>(m_column, k[j]);
        if constexpr (WithRhs) f[j] = m_f_rows.template value<Value>(m_column, k[j]);
      }
      m_stencil.inflows(m_system, m_x_rows, k, x, inflow);
      LAMINA_DEVICE_UNROLL()
      for (std::size_t j = 0; j < Count; ++j) {
        a[j] = -inflow[j];
        if constexpr (WithRhs) a[j] = a[j] + table[j].inverse_scale * f[j];
        if (m_level + static_cast<int>(j) != k[j] + m_base) a[j] = spread<Value>(Scalar(0));
      }
      m_level += static_cast<int>(Count);
    }
    KOKKOS_FORCEINLINE_FUNCTION void load(bool exists, Value& a, Value&) {
      Value right_hand_side[1], x[1], f[1];
      load_levels(&m_system.coefficients.levels(inside(m_level)), right_hand_side, x, f);
      if (exists) a = right_hand_side[0];
    }
    KOKKOS_FORCEINLINE_FUNCTION Value value(const Value& a, const Value&, bool) const { return a; }

   private:
    /// A level, or the last one.
    KOKKOS_FORCEINLINE_FUNCTION int inside(int level) const {
      const int last = m_system.topology.num_levels - 1;
      return level < last ? level : last;
    }

    const System& m_system;
    Stencil m_stencil;
    SegmentSource<Field> m_x_rows, m_f_rows;
    int m_column, m_base, m_level;
  };
  template <int Count>
  bool in_packs() const {
    return all_in_packs && packs_aligned<Scalar, Count>(WithRhs ? f : x, x);
  }
  KOKKOS_FUNCTION bool active() const { return guard.active(); }
  template <class Value>
  KOKKOS_FUNCTION Thread<Value> begin(const System& system, int column, int level) const {
    return Thread<Value>(*this, system, column, level);
  }
  /// x where it was not kept.
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value before(int column, int level) const {
    return read<Value>(x, column, level);
  }
  /// What is stored. \param solved  weight M^-1 (f + N x)
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value after(const Value& before, const Value& solved) const {
    return keep * before + solved;
  }
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value f_at(int column, int level) const {
    return read<Value>(f, column, level);
  }
  /// Sums up for a cell that was solved for.
  template <class Value, class F>
  KOKKOS_FORCEINLINE_FUNCTION void weigh(const Value& stored, double* sums,
                                         const F& f_of_cell) const {
    if constexpr (WithEnergy) add_product(sums[0], f_of_cell(), stored);
  }
};

/// A step of `CycleKernels`.
template <class Space, class Scalar, class Memory, class Step>
void run_device_step(const char* label, const Space& space, const CycleLevel<Scalar, Memory>& level,
                     const CycleGuard<Memory>& guard, const TeamParts<Memory>& parts,
                     const Step& step) {
  using Layout = typename decltype(step.to)::array_layout;
  const auto& packs = level.system.coefficients.packs;
  const bool all_in_packs = !packs.empty() && packs.rest.extent(0) == 0;
  const auto run = [&]<int Slots, bool WithRhs, bool WithEnergy>() {
    using Rhs = SmoothingRhs<Scalar, Layout, Memory, Slots, WithRhs, WithEnergy>;
    run_device_lines(label, space, level.system,
                     Rhs{guard, step.keep, step.weight, step.f, step.x, all_in_packs}, step.to,
                     level.lines, WithEnergy ? parts : TeamParts<Memory>(), step.energy);
  };
  const auto run_slots = [&]<int Slots>() {
    if (step.energy != nullptr) {
      run.template operator()<Slots, true, true>();
    } else if (step.f.data() != nullptr) {
      run.template operator()<Slots, true, false>();
    } else {
      run.template operator()<Slots, false, false>();
    }
  };
  if (level.system.topology.neighbours.extent(1) <= few_slots) {
    run_slots.template operator()<few_slots>();
  } else {
    run_slots.template operator()<many_slots>();
  }
}

}  // namespace Lamina::Impl
