// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The line preconditioner on a device: what is solved for and what is summed up. Columns on chip
// are solved by `LineSegments`, others by one thread each.

#include <lamina/core/impl/Access.hpp>
#include <lamina/core/impl/HostWork.hpp>
#include <lamina/helmholtz/impl/HelmholtzKernels.hpp>
#include <lamina/helmholtz/impl/HelmholtzRows.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/lines/impl/LineSegments_Device.hpp>

#include <algorithm>
#include <cstdint>

namespace Lamina::Impl {

// --- Right-hand sides ---
// `begin(column, level)` looks at the scalars of the solve in device memory and says what one thread
// does with the cells from there upwards: `load` fetches cell i, `value` gives its right-hand side,
// `add_sums` ends it.

/// The cells of a column from some level upwards, which may be beyond the top.
template <class Value>
struct ColumnCells {
  Value* first;
  std::int64_t stride;

  template <class FieldType>
  KOKKOS_FORCEINLINE_FUNCTION ColumnCells(const FieldType& field, int column, int level)
      : first(field.data() + column * static_cast<std::int64_t>(field.stride(0)) +
              level * static_cast<std::int64_t>(field.stride(1))),
        stride(static_cast<std::int64_t>(field.stride(1))) {}
  KOKKOS_FORCEINLINE_FUNCTION Value& operator[](int i) const { return first[i * stride]; }
};

/// r
template <class Scalar, class Layout, class Memory>
struct PlainRhs {
  static constexpr int num_sums = 0;
  static constexpr bool combines = false;
  FieldView<const Scalar, Layout, Memory> r;

  struct Thread {
    ColumnCells<const Scalar> r;

    KOKKOS_FORCEINLINE_FUNCTION void load(int i, Scalar& a, Scalar&) const { a = r[i]; }
    KOKKOS_FORCEINLINE_FUNCTION Scalar value(int, Scalar a, Scalar, bool) const { return a; }
    KOKKOS_FORCEINLINE_FUNCTION void add_sums(double, double*) const {}
  };
  KOKKOS_FUNCTION bool active() const { return true; }
  KOKKOS_FUNCTION Thread begin(int column, int level) const { return {{r, column, level}}; }
};

/// r; sums <r, z>
template <class Scalar, class Layout, class Memory>
struct FusedRhs {
  static constexpr int num_sums = 1;
  static constexpr bool combines = false;
  FusedStep<Memory> step;
  FieldView<const Scalar, Layout, Memory> r;

  struct Thread {
    ColumnCells<const Scalar> r;

    KOKKOS_FORCEINLINE_FUNCTION void load(int i, Scalar& a, Scalar&) const { a = r[i]; }
    KOKKOS_FORCEINLINE_FUNCTION Scalar value(int, Scalar a, Scalar, bool) const { return a; }
    KOKKOS_FORCEINLINE_FUNCTION void add_sums(double energy, double* sums) const {
      sums[0] += energy;
    }
  };
  KOKKOS_FUNCTION bool active() const { return step.residual_left(step.now); }
  KOKKOS_FUNCTION Thread begin(int column, int level) const { return {{r, column, level}}; }
};

/// r -= alpha q; sums <r, r>, <r, z>
template <class Scalar, class Layout, class Memory>
struct StoredRhs {
  static constexpr int num_sums = 2;
  static constexpr bool combines = true;
  FusedStep<Memory> step;
  FieldView<const Scalar, Layout, Memory> q;
  FieldView<Scalar, Layout, Memory> r;

  struct Thread {
    ColumnCells<const Scalar> q;
    ColumnCells<Scalar> r;
    Scalar alpha;
    double residual2 = 0;

    KOKKOS_FORCEINLINE_FUNCTION void load(int i, Scalar& a, Scalar& b) const {
      a = r[i];
      b = q[i];
    }
    KOKKOS_FORCEINLINE_FUNCTION Scalar value(int i, Scalar a, Scalar b, bool inside) {
      const Scalar updated = a - alpha * b;
      if (inside) {
        r[i] = updated;
        add_product(residual2, updated, updated);
      }
      return updated;
    }
    KOKKOS_FORCEINLINE_FUNCTION void add_sums(double energy, double* sums) const {
      sums[0] += residual2;
      sums[1] += energy;
    }
  };
  KOKKOS_FUNCTION bool active() const { return step.residual_step().proceed; }
  KOKKOS_FUNCTION Thread begin(int column, int level) const {
    return {
        {q, column, level}, {r, column, level}, static_cast<Scalar>(step.residual_step().alpha)};
  }
};

// --- Columns on chip ---

/// `Lines` of `LineSegments` for z = M^-1 rhs.
///
/// With rows divided by d_k and |T|: unknowns carry |T|, right-hand sides are divided by d_k.
template <class RightHandSide, class ScalarType, class LayoutType, class MemoryType, int Levels>
struct HelmholtzLines {
  using Scalar = ScalarType;
  using Layout = LayoutType;
  using Memory = MemoryType;
  static constexpr int num_sums = RightHandSide::num_sums, levels = Levels;
  /// Short segments need no more than the 64 registers a thread that two teams leave.
  static constexpr unsigned min_teams =
      !RightHandSide::combines && Levels * sizeof(Scalar) <= 64 ? 2 : 1;
  static constexpr bool combines = RightHandSide::combines;
  using Level = LevelCoefficients<Scalar>;

  HelmholtzData<Scalar, Memory> data;
  RightHandSide rhs;
  FieldView<Scalar, Layout, Memory> z;

  KOKKOS_FUNCTION int num_columns() const { return data.num_owned; }
  KOKKOS_FUNCTION int num_levels() const { return data.num_levels; }
  KOKKOS_FUNCTION bool active() const { return rhs.active(); }

  KOKKOS_FUNCTION static std::size_t table_size(const SegmentShape& shape) {
    return static_cast<std::size_t>(shape.segments * Levels) * sizeof(Level) / sizeof(Scalar);
  }
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void stage(const Member& member, const SegmentShape& shape,
                                         Scalar* tables) const {
    auto* const table = reinterpret_cast<Level*>(tables);
    for (int k = member.team_rank(); k < shape.segments * Levels; k += shape.team_size()) {
      table[k] = data.levels(k);
    }
  }

  struct Line {
    typename RightHandSide::Thread rhs;
    ColumnCells<Scalar> z;
    const Level* table;
    Scalar row_sum, inverse_area;
    double energy = 0;

    KOKKOS_FORCEINLINE_FUNCTION void load(int i, Scalar& a, Scalar& b) const { rhs.load(i, a, b); }
    KOKKOS_FORCEINLINE_FUNCTION Scalar right_hand_side(int i, Scalar a, Scalar b, bool inside) {
      return rhs.value(i, a, b, inside) * table[i].inverse_scale;
    }
    KOKKOS_FORCEINLINE_FUNCTION DifferenceRow<Scalar> row(int i, bool) const {
      return {table[i].below, row_sum, table[i].above};
    }
    KOKKOS_FORCEINLINE_FUNCTION void weigh(int i, Scalar remainder, Scalar value) {
      if constexpr (num_sums > 0) {
        add_product(energy, remainder * table[i].scale, value);
      }
    }
    KOKKOS_FORCEINLINE_FUNCTION void store(int i, Scalar x) const { z[i] = x * inverse_area; }
    KOKKOS_FORCEINLINE_FUNCTION void add_sums(double* sums) const {
      rhs.add_sums(energy * static_cast<double>(inverse_area), sums);
    }
  };
  KOKKOS_FORCEINLINE_FUNCTION Line line(int column, int first, const Scalar* tables) const {
    return {rhs.begin(column, first),
            {z, column, first},
            reinterpret_cast<const Level*>(tables) + first,
            data.mass(0) - data.diffusion(column),
            Scalar(1) / data.area(column)};
  }
};

// --- Columns off chip ---

/// One thread takes a column; factors travel through memory.
// traffic: reads and writes 2n more than on chip
template <class RightHandSide, class Scalar, class Layout, class Memory>
struct HelmholtzThreadLines {
  static constexpr int team_size = 128, min_teams = 8, num_sums = RightHandSide::num_sums;

  HelmholtzData<Scalar, Memory> data;
  RightHandSide rhs;
  FieldView<Scalar, Layout, Memory> z, factors;
  TeamParts<Memory> parts;
  double* result;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    double sums[num_sums + 1] = {};
    int column = member.league_rank() * team_size + member.team_rank();
    for (; column < data.num_owned && rhs.active(); column += member.league_size() * team_size) {
      solve(column, sums);
    }
    if constexpr (num_sums > 0) {
      auto* const scratch = static_cast<double*>(member.scratch());
      parts.template add_up<num_sums>(member, scratch, sums, result);
    }
  }

 private:
  KOKKOS_FUNCTION void solve(int column, double* sums) const {
    auto thread = rhs.begin(column, 0);
    const Scalar diffusion = data.diffusion(column), inverse_area = Scalar(1) / data.area(column);
    Scalar carry = 0, previous = 0;
    double energy = 0;
    for (int k = 0; k < data.num_levels; ++k) {
      const auto row = helmholtz_row(data, diffusion, k);
      const auto eliminated = eliminate(row, carry);
      Scalar a = 0, b = 0;
      thread.load(k, a, b);
      const Scalar remainder =
          thread.value(k, a, b, true) * data.inverse_scale(k) - row.lower * previous;
      previous = remainder * eliminated.inverse;
      add_product(energy, remainder * data.scale(k), previous);
      z(column, k) = previous;
      factors(column, k) = eliminated.factor;
    }
    previous = 0;
    for (int k = data.num_levels - 1; k >= 0; --k) {
      previous = z(column, k) - factors(column, k) * previous;
      z(column, k) = previous * inverse_area;
    }
    thread.add_sums(energy * static_cast<double>(inverse_area), sums);
  }
};

// --- Launch ---

/// z = M^-1 rhs over all owned columns; what is summed up goes to `result`.
template <class Space, class Scalar, class Layout, class Memory, class RightHandSide>
void run_device_lines(const char* label, const Space& space,
                      const HelmholtzData<Scalar, Memory>& data, const RightHandSide& rhs,
                      const FieldView<Scalar, Layout, Memory>& z,
                      const LineWorkspace<Scalar, Memory>& workspace,
                      const TeamParts<Memory>& parts, double* result) {
  const auto on_chip = [&](const auto& lines) {
    run_line_segments(label, space, lines, workspace.carries(), parts, result);
  };
  const int levels = workspace.carries().shape.levels;
  if (levels == long_helmholtz_segment) {
    using Lines = HelmholtzLines<RightHandSide, Scalar, Layout, Memory, long_helmholtz_segment>;
    on_chip(Lines{data, rhs, z});
  } else if (levels == short_helmholtz_segment) {
    using Lines = HelmholtzLines<RightHandSide, Scalar, Layout, Memory, short_helmholtz_segment>;
    on_chip(Lines{data, rhs, z});
  } else {
    using Kernel = HelmholtzThreadLines<RightHandSide, Scalar, Layout, Memory>;
    const int teams = teams_at_once(ceil_divide(data.num_owned, Kernel::team_size),
                                    teams_that_fit(space, Kernel::team_size, Kernel::min_teams));
    const auto factors = workspace.template as_field<Layout>(data.num_owned, data.num_levels);
    launch_summing<Kernel::team_size, Kernel::min_teams>(
        label, space, teams, Kernel{data, rhs, z, factors, parts, result});
  }
}

}  // namespace Lamina::Impl
