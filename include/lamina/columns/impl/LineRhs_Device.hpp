// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Right-hand sides of line preconditioners on a device: what is solved for and what is summed up.
//
// `begin<Value>(column, level)` looks at the scalars of the solve in device memory and says what
// one thread does with the cells from there upwards, of one column or of a pack of columns: `load`
// fetches the next cell, if it exists, `value` gives the right-hand side of the next one, `add_sums`
// ends it. in_packs<Count>(): whether so many columns may be read at once.
//
// A right-hand side may be that of a smoothing step, see `SmoothsColumns`.

#include <lamina/columns/impl/Tuning.hpp>
#include <lamina/core/Concepts.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/Access.hpp>
#include <lamina/device/impl/KeptAddress.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/sweeps/Sources.hpp>

#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

/// The cells of a column, or of a pack of columns, one level after the other from some level on,
/// which may be beyond the top. `Element`: what the field holds.
template <class Element, class Value>
class ColumnCells {
 public:
  template <class FieldType>
  KOKKOS_FORCEINLINE_FUNCTION ColumnCells(const FieldType& field, int column, int level)
      : m_at(field.data() + column * static_cast<std::int64_t>(field.stride(0)) +
             level * static_cast<std::int64_t>(field.stride(1))),
        m_stride(static_cast<int>(field.stride(1))) {}  // columns are counted by an int

  KOKKOS_FORCEINLINE_FUNCTION Value load() const { return Impl::load<Value>(m_at); }
  KOKKOS_FORCEINLINE_FUNCTION void store(const Value& value) const { Impl::store(m_at, value); }
  KOKKOS_FORCEINLINE_FUNCTION void go_up() { m_at = stepped_address<1>(m_at, m_stride); }
  KOKKOS_FORCEINLINE_FUNCTION void go_down() { m_at = stepped_address<-1>(m_at, m_stride); }

 private:
  Element* m_at;
  int m_stride;
};

/// The levels of a field from some level on, of any column, in 32-bit offsets where columns are contiguous.
template <class FieldType>
using SegmentSource = std::conditional_t<levels_contiguous<typename FieldType::array_layout>,
                                         FieldSource<FieldType>, FieldSource<RowsOf<FieldType>>>;
template <class FieldType>
KOKKOS_FORCEINLINE_FUNCTION SegmentSource<FieldType> segment_source(const FieldType& x, int level) {
  if constexpr (levels_contiguous<typename FieldType::array_layout>) {
    return {x};
  } else {
    return FieldSource<FieldType>{x}.from(level);
  }
}

/// r
template <class Scalar, class Layout, class Memory>
struct PlainRhs {
  static constexpr int num_sums = 0;
  static constexpr bool combines = false;
  FieldView<const Scalar, Layout, Memory> r;

  template <class Value>
  struct Thread {
    ColumnCells<const Scalar, Value> r;

    KOKKOS_FORCEINLINE_FUNCTION void load(bool exists, Value& a, Value&) {
      if (exists) a = r.load();
      r.go_up();
    }
    KOKKOS_FORCEINLINE_FUNCTION Value value(const Value& a, const Value&, bool) const { return a; }
    KOKKOS_FORCEINLINE_FUNCTION void add_sums(double, double*) const {}
  };
  template <int Count>
  bool in_packs() const {
    return packs_aligned<Scalar, Count>(r);
  }
  KOKKOS_FUNCTION bool active() const { return true; }
  template <class Value>
  KOKKOS_FUNCTION Thread<Value> begin(int column, int level) const {
    return {{r, column, level}};
  }
};

/// weight r, where a guard lets it.
template <class Scalar, class Layout, class Memory, class Guard>
struct WeightedRhs {
  static constexpr int num_sums = 0;
  static constexpr bool combines = false;
  Guard guard;
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

/// r; sums <r, z>
template <class Scalar, class Layout, class Memory>
struct FusedRhs {
  static constexpr int num_sums = 1;
  static constexpr bool combines = false;
  FusedStep<Memory> step;
  FieldView<const Scalar, Layout, Memory> r;

  template <class Value>
  struct Thread {
    ColumnCells<const Scalar, Value> r;

    KOKKOS_FORCEINLINE_FUNCTION void load(bool exists, Value& a, Value&) {
      if (exists) a = r.load();
      r.go_up();
    }
    KOKKOS_FORCEINLINE_FUNCTION Value value(const Value& a, const Value&, bool) const { return a; }
    KOKKOS_FORCEINLINE_FUNCTION void add_sums(double energy, double* sums) const {
      sums[0] += energy;
    }
  };
  template <int Count>
  bool in_packs() const {
    return packs_aligned<Scalar, Count>(r);
  }
  KOKKOS_FUNCTION bool active() const { return step.preconditions(); }
  template <class Value>
  KOKKOS_FUNCTION Thread<Value> begin(int column, int level) const {
    return {{r, column, level}};
  }
};

/// r -= alpha q; sums <r, r>, <r, z>
template <class Scalar, class Layout, class Memory>
struct StoredRhs {
  static constexpr int num_sums = 2;
  static constexpr bool combines = true;
  FusedStep<Memory> step;
  FieldView<const Scalar, Layout, Memory> q;
  FieldView<Scalar, Layout, Memory> r;

  template <class Value>
  struct Thread {
    ColumnCells<const Scalar, Value> q, r;
    ColumnCells<Scalar, Value> updated_r;
    Scalar alpha;
    double residual2 = 0;

    KOKKOS_FORCEINLINE_FUNCTION void load(bool exists, Value& a, Value& b) {
      if (exists) {
        a = r.load();
        b = q.load();
      }
      r.go_up();
      q.go_up();
    }
    KOKKOS_FORCEINLINE_FUNCTION Value value(const Value& a, const Value& b, bool inside) {
      const Value updated = a - alpha * b;
      if (inside) {
        updated_r.store(updated);
        add_product(residual2, updated, updated);
      }
      updated_r.go_up();
      return updated;
    }
    KOKKOS_FORCEINLINE_FUNCTION void add_sums(double energy, double* sums) const {
      sums[0] += residual2;
      sums[1] += energy;
    }
  };
  template <int Count>
  bool in_packs() const {
    return packs_aligned<Scalar, Count>(q, r);
  }
  KOKKOS_FUNCTION bool active() const { return step.residual_step().proceed; }
  template <class Value>
  KOKKOS_FUNCTION Thread<Value> begin(int column, int level) const {
    return {{q, column, level},
            {r, column, level},
            {r, column, level},
            static_cast<Scalar>(step.residual_step().alpha)};
  }
};

/// Right-hand sides of smoothing steps keep x + weight M^-1 (f + N x), where N x is what enters a column from
/// its neighbours: `begin` takes the system first, and `load_levels(table, a, x, f)` of a thread gives f + N x
/// of the next levels, divided by the scales in `table`, x and f. `after(x, weight M^-1 (f + N x))` is stored,
/// and `weigh(that, sums, f)` sums up, where f() is that of the cell; `before` is x. Where columns are on chip, teams form them in
/// scratch before they solve. `smoothing_teams` is `min_teams` of short segments.
template <class RightHandSide>
concept SmoothsColumns = requires {
  RightHandSide::smoothing_teams;
};

/// What a thread does, for all kinds, from a level on.
template <class Value, class RightHandSide, class System>
KOKKOS_FORCEINLINE_FUNCTION auto begin_rhs(const RightHandSide& rhs, const System& system,
                                           int column, int level) {
  if constexpr (SmoothsColumns<RightHandSide>) {
    return rhs.template begin<Value>(system, column, level);
  } else {
    return rhs.template begin<Value>(column, level);
  }
}
template <class RightHandSide>
constexpr unsigned line_teams() {
  if constexpr (SmoothsColumns<RightHandSide>) {
    return RightHandSide::smoothing_teams;
  } else {
    return RightHandSide::combines ? 1 : 2;
  }
}

// --- Columns off chip ---

/// Calls solve(column, sums) for the columns of a thread while the right-hand side is active, and adds
/// up the sums of all threads.
template <class RightHandSide, class Member, class Parts, class Solve>
KOKKOS_FORCEINLINE_FUNCTION void solve_thread_lines(const Member& member, int num_columns,
                                                    const RightHandSide& rhs, const Parts& parts,
                                                    double* result, const Solve& solve) {
  constexpr int num_sums = RightHandSide::num_sums;
  double sums[extent_of<num_sums + 1>] = {};
  int column = member.league_rank() * ThreadLineTuning::threads + member.team_rank();
  for (; column < num_columns && rhs.active();
       column += member.league_size() * ThreadLineTuning::threads) {
    solve(column, sums);
  }
  if constexpr (num_sums > 0) {
    auto* const scratch = static_cast<double*>(member.scratch());
    parts.template add_up<num_sums>(member, scratch, sums, result);
  }
}

}  // namespace Lamina::Impl
