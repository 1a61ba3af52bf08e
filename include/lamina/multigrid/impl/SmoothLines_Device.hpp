// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Smoothing steps on a device: the right-hand sides of its line solves, see
// `HelmholtzLines_Device.hpp`. A thread forms the residual of its part of a column while it loads, and
// adds the solution to x: no field is stored on the way.

#include <lamina/device/impl/HostWork.hpp>
#include <lamina/helmholtz/impl/HelmholtzLines_Device.hpp>
#include <lamina/multigrid/impl/CycleLevel.hpp>
#include <lamina/multigrid/impl/CycleSources.hpp>
#include <lamina/sweeps/Sources.hpp>
#include <lamina/sweeps/impl/Stencils_Device.hpp>

#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

/// weight r
template <class Scalar, class Layout, class Memory>
struct WeightedRhs {
  static constexpr int num_sums = 0;
  static constexpr bool combines = false;
  CycleGuard<Memory> guard;
  Scalar weight;
  FieldView<const Scalar, Layout, Memory> r;

  template <class Value>
  struct Thread {
    ColumnCells<const Scalar, Value> r;
    Scalar weight;

    KOKKOS_FORCEINLINE_FUNCTION void load(bool exists, Value& a, Value&) {
      if (exists) a = r.load();
      r.go_up();
    }
    KOKKOS_FORCEINLINE_FUNCTION Value value(const Value& a, const Value&, bool) const {
      return weight * a;
    }
    KOKKOS_FORCEINLINE_FUNCTION void add_sums(double, double*) const {}
  };
  template <int Count>
  bool in_packs() const {
    return packs_aligned<Scalar, Count>(r);
  }
  KOKKOS_FUNCTION bool active() const { return guard.active(); }
  template <class Value>
  KOKKOS_FUNCTION Thread<Value> begin(int column, int level) const {
    return {{r, column, level}, weight};
  }
};

/// The levels of a source from some level on, in 32-bit offsets where columns are contiguous; and the
/// level that is its level 0.
template <class Layout, class Source>
KOKKOS_FORCEINLINE_FUNCTION auto source_from(const Source& source, int level) {
  if constexpr (levels_contiguous<Layout>) {
    return source;
  } else {
    return source.from(level);
  }
}
template <class Layout>
KOKKOS_FORCEINLINE_FUNCTION int base_level(int level) {
  return levels_contiguous<Layout> ? 0 : level;
}

/// weight (f - A x), with x from a source. What is stored is x + the solution; with `WithEnergy` sums
/// <f, that>.
///
/// `Slots`: neighbours of a column that a thread holds in registers.
template <class Scalar, class LayoutType, class Memory, class Source, int Slots, bool WithEnergy>
struct ResidualRhs {
  using Layout = LayoutType;
  using Field = FieldView<const Scalar, Layout, Memory>;
  using System = TensorSystem<Scalar, Memory>;
  static constexpr int num_sums = WithEnergy ? 1 : 0;
  static constexpr bool combines = false;
  static constexpr bool is_plain = std::is_same_v<Source, FieldSource<Field>>;
  /// The tables of few neighbours leave room for two teams.
  static constexpr unsigned residual_teams = is_plain && Slots == few_slots ? 2 : 1;

  CycleGuard<Memory> guard;
  Scalar weight;
  Field f;
  Source source;
  bool all_in_packs;  ///< columns of the mesh

  template <class Value>
  class Thread {
    using Rows = decltype(source_from<Layout>(std::declval<const Source&>(), 0));
    using Stencil =
        std::conditional_t<is_pack<Value>, PackStencil<Scalar, Memory, value_width<Value>>,
                           ColumnStencil<TensorCoefficients<Scalar, Memory>, Slots>>;

   public:
    KOKKOS_FORCEINLINE_FUNCTION Thread(const ResidualRhs& rhs, const System& system, int column,
                                       int level)
        : m_system(system),
          m_stencil(system, column / value_width<Value>),
          m_source(source_from<Layout>(rhs.source, base_level<Layout>(level))),
          m_f(rhs.f, column, level),
          m_weight(rhs.weight),
          m_column(column),
          m_base(base_level<Layout>(level)),
          m_level(level) {
      // Segments may begin beyond the top.
      if (level < num_levels()) {
        m_x = value_at(level);
        m_below = level > 0 ? value_at(level - 1) : m_x;
      }
    }

    KOKKOS_FORCEINLINE_FUNCTION void load(bool exists, Value& a, Value&) {
      if (exists) {
        const Value above = m_level + 1 < num_levels() ? value_at(m_level + 1) : m_x;
        const Value image =
            m_stencil.image(m_system, m_source, m_level - m_base, m_level, m_x, above, m_below);
        a = m_weight * (m_f.load() - image);
        m_below = m_x;
        m_x = above;
      }
      m_f.go_up();
      ++m_level;
    }
    KOKKOS_FORCEINLINE_FUNCTION Value value(const Value& a, const Value&, bool) const { return a; }
    /// Called once for each level, from the last one that was loaded down.
    KOKKOS_FORCEINLINE_FUNCTION Value finish(bool wanted, const Value& solution) {
      --m_level;
      m_f.go_down();
      if (!wanted) return solution;
      const Value x = value_at(m_level) + solution;
      if constexpr (WithEnergy) add_product(m_energy, m_f.load(), x);
      return x;
    }
    KOKKOS_FORCEINLINE_FUNCTION void add_sums(double, double* sums) const {
      if constexpr (WithEnergy) sums[0] += m_energy;
    }

   private:
    KOKKOS_FORCEINLINE_FUNCTION int num_levels() const { return m_system.topology.num_levels; }
    KOKKOS_FORCEINLINE_FUNCTION Value value_at(int level) const {
      return m_source.template value<Value>(m_column, level - m_base);
    }

    const System& m_system;
    Stencil m_stencil;
    Rows m_source;
    ColumnCells<const Scalar, Value> m_f;
    Scalar m_weight;
    int m_column, m_base, m_level;
    Value m_x = spread<Value>(Scalar(0)), m_below = spread<Value>(Scalar(0));
    double m_energy = 0;
  };
  template <int Count>
  bool in_packs() const {
    if constexpr (is_plain) {
      return all_in_packs && packs_aligned<Scalar, Count>(f, source.x);
    } else {
      return false;
    }
  }
  KOKKOS_FUNCTION bool active() const { return guard.active(); }
  template <class Value>
  KOKKOS_FUNCTION Thread<Value> begin(const System& system, int column, int level) const {
    return Thread<Value>(*this, system, column, level);
  }
};

/// A step of `CycleKernels`.
/// \param prolongs  whether x + P c takes the place of x
template <class Space, class Scalar, class Memory, class Step>
void run_device_step(const char* label, const Space& space, const CycleLevel<Scalar, Memory>& level,
                     const CycleGuard<Memory>& guard, const TeamParts<Memory>& parts,
                     const Step& step, bool prolongs) {
  using Layout = typename decltype(step.to)::array_layout;
  using Field = FieldView<const Scalar, Layout, Memory>;
  const auto& packs = level.system.coefficients.packs;
  const bool all_in_packs = !packs.empty() && packs.rest.extent(0) == 0;
  const auto run = [&]<int Slots, bool WithEnergy, class Source>(const Source& source) {
    using Rhs = ResidualRhs<Scalar, Layout, Memory, Source, Slots, WithEnergy>;
    run_device_lines(label, space, level.system,
                     Rhs{guard, step.weight, step.f, source, all_in_packs}, step.to, level.lines,
                     WithEnergy ? parts : TeamParts<Memory>(), step.energy);
  };
  const auto run_slots = [&]<int Slots, class Source>(const Source& source) {
    if (step.energy != nullptr) {
      run.template operator()<Slots, true>(source);
    } else {
      run.template operator()<Slots, false>(source);
    }
  };
  const Field x = step.x;
  if (prolongs) {
    return run_slots.template operator()<few_slots>(
        ProlongedSource<Field, Scalar, Memory>{x, step.c, level.prolongation});
  }
  if (level.system.topology.neighbours.extent(1) <= few_slots) {
    return run_slots.template operator()<few_slots>(FieldSource<Field>{x});
  }
  run_slots.template operator()<many_slots>(FieldSource<Field>{x});
}

/// x += P c
template <class Scalar, class Layout, class Memory>
struct ProlongCells {
  CycleGuard<Memory> guard;
  ProlongedSource<FieldView<const Scalar, Layout, Memory>, Scalar, Memory> source;
  FieldView<Scalar, Layout, Memory> x;

  KOKKOS_FUNCTION void operator()(std::int64_t column, std::int64_t level) const {
    if (!guard.active()) return;
    x(column, level) = source.template value<Scalar>(column, static_cast<int>(level));
  }
};

template <class Layout, class Space, class Scalar, class Memory>
void run_device_prolongation(const char* label, const Space& space,
                             const CycleLevel<Scalar, Memory>& level,
                             const CycleGuard<Memory>& guard,
                             const FieldView<const Scalar, Layout, Memory>& c,
                             const FieldView<Scalar, Layout, Memory>& x) {
  constexpr auto along = levels_contiguous<Layout> ? Kokkos::Iterate::Right : Kokkos::Iterate::Left;
  using Policy =
      Kokkos::MDRangePolicy<Space, Kokkos::Rank<2, along, along>, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for(label,
                       Policy(space, {0, 0},
                              {static_cast<std::int64_t>(level.prolongation.columns.extent(0)),
                               static_cast<std::int64_t>(level.system.topology.num_levels)}),
                       ProlongCells<Scalar, Layout, Memory>{guard, {x, c, level.prolongation}, x});
}

}  // namespace Lamina::Impl
