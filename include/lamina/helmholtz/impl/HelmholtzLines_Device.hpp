// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The line preconditioner on a device. Columns on chip are solved by `LineSegments`, others by one thread
// each.

#include <lamina/columns/impl/LineRhs_Device.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/helmholtz/impl/HelmholtzKernels.hpp>
#include <lamina/helmholtz/impl/HelmholtzRows.hpp>
#include <lamina/lines/impl/LineSegments_Device.hpp>

#include <type_traits>

namespace Lamina::Impl {

// --- Columns on chip ---

/// `Lines` of `LineSegments` for z = M^-1 rhs.
///
/// With rows divided by d_k and |T|: unknowns carry |T|, right-hand sides are divided by d_k.
/// `ValueType`: the scalar, or a pack of it, whose columns a thread solves side by side.
template <class RightHandSide, class ScalarType, class LayoutType, class MemoryType, int Levels,
          class ValueType = ScalarType>
struct HelmholtzLines {
  using Scalar = ScalarType;
  using Value = ValueType;
  using Layout = LayoutType;
  using Memory = MemoryType;
  static constexpr int num_sums = RightHandSide::num_sums, levels = Levels;
  /// Short segments need no more than the 64 registers a thread that two teams leave.
  static constexpr unsigned min_teams =
      Levels * sizeof(Value) <= 64 ? line_teams<RightHandSide>() : 1;
  static constexpr bool combines = RightHandSide::combines;
  using Level = LevelCoefficients<Scalar>;

  TensorSystem<Scalar, Memory> system;
  RightHandSide rhs;
  FieldView<Scalar, Layout, Memory> z;

  KOKKOS_FUNCTION int num_columns() const { return system.topology.num_owned; }
  KOKKOS_FUNCTION int num_levels() const { return system.topology.num_levels; }
  const auto& solution() const { return z; }
  KOKKOS_FUNCTION bool active() const { return rhs.active(); }
  /// `FusedPcg` of many ranks brings halo columns up to date beside a fused solve.
  bool leaves_room() const {
    return num_sums > 0 && !combines && !SmoothsColumns<RightHandSide> &&
           system.topology.num_columns > system.topology.num_owned;
  }

  /// Levels of a segment in the table. Segments are a level apart: the threads of a warp may read the
  /// same level of each.
  static constexpr int table_levels = Levels + 1;
  KOKKOS_FUNCTION static std::size_t table_size(const SegmentShape& shape) {
    return static_cast<std::size_t>(shape.segments * table_levels) * sizeof(Level) / sizeof(Scalar);
  }
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void stage(const Member& member, const SegmentShape& shape,
                                         Scalar* tables) const {
    auto* const table = reinterpret_cast<Level*>(tables);
    for (int k = member.team_rank(); k < shape.segments * Levels; k += shape.team_size()) {
      table[k + k / Levels] = k < num_levels() ? system.coefficients.levels(k) : Level{};
    }
  }

  /// The levels of a segment.
  KOKKOS_FORCEINLINE_FUNCTION static const Level* table_of(const Scalar* tables, int segment) {
    return reinterpret_cast<const Level*>(tables) + segment * table_levels;
  }

  /// Cells that a thread loads and stores.
  struct Cells {
    typename RightHandSide::template Thread<Value> rhs;
    ColumnCells<Scalar, Value> z;  // from the last level down

    KOKKOS_FORCEINLINE_FUNCTION void load(int, bool exists, Value& a, Value& b) {
      rhs.load(exists, a, b);
    }
    KOKKOS_FORCEINLINE_FUNCTION Value value(const Value& a, const Value& b, bool inside) {
      return rhs.value(a, b, inside);
    }
    KOKKOS_FORCEINLINE_FUNCTION void store(int, bool wanted, const Value& x) {
      if (wanted) z.store(x);
      z.go_down();
    }
    KOKKOS_FORCEINLINE_FUNCTION void add_sums(double energy, double* sums) const {
      rhs.add_sums(energy, sums);
    }
  };

  /// What a thread holds of a line: its segment. `ThreadCells`: what it loads and stores.
  template <class ThreadCells>
  struct Line {
    ThreadCells cells;
    const Level* table;
    Value row_sum, inverse_area;
    SumsOf<Value> energies = {};

    KOKKOS_FORCEINLINE_FUNCTION void load(int i, bool exists, Value& a, Value& b) {
      cells.load(i, exists, a, b);
    }
    KOKKOS_FORCEINLINE_FUNCTION Value right_hand_side(int i, const Value& a, const Value& b,
                                                      bool inside) {
      const Value value = cells.value(a, b, inside);
      return SmoothsColumns<RightHandSide> ? value : table[i].inverse_scale * value;
    }
    KOKKOS_FORCEINLINE_FUNCTION DifferenceRow<Value> row(int i, bool) const {
      return {spread<Value>(table[i].below), row_sum, spread<Value>(table[i].above)};
    }
    KOKKOS_FORCEINLINE_FUNCTION void weigh(int i, const Value& remainder, const Value& value) {
      if constexpr (num_sums > 0 && !SmoothsColumns<RightHandSide>) {
        add_product(energies, table[i].scale * remainder, value);
      }
    }
    KOKKOS_FORCEINLINE_FUNCTION void store(int i, bool wanted, const Value& x) {
      cells.store(i, wanted, inverse_area * x);
    }
    KOKKOS_FORCEINLINE_FUNCTION void add_sums(double* sums) const {
      double energy = 0;
      add_product(energy, energies, inverse_area);
      cells.add_sums(energy, sums);
    }
  };
  KOKKOS_FORCEINLINE_FUNCTION Value weighted(const Value& inverse_area) const {
    if constexpr (SmoothsColumns<RightHandSide>) {
      return rhs.weight * inverse_area;
    } else {
      return inverse_area;
    }
  }
  template <class ThreadCells>
  KOKKOS_FORCEINLINE_FUNCTION Line<ThreadCells> line_of(const ThreadCells& cells, int column,
                                                        int segment, const Scalar* tables) const {
    return {cells, table_of(tables, segment),
            system.coefficients.mass(0) - read<Value>(system.coefficients.diffusion, column),
            weighted(reciprocal(read<Value>(system.coefficients.area, column)))};
  }
  KOKKOS_FORCEINLINE_FUNCTION auto line(int column, int first, const Scalar* tables) const {
    return line_of(Cells{rhs.template begin<Value>(column, first), {z, column, first + Levels - 1}},
                   column, first / Levels, tables);
  }
};

// --- Columns off chip ---

/// One thread takes a column; factors travel through memory.
// traffic: reads and writes 2n more than on chip
template <class RightHandSide, class Scalar, class Layout, class Memory>
struct HelmholtzThreadLines {
  static constexpr int num_sums = RightHandSide::num_sums;

  TensorSystem<Scalar, Memory> system;
  RightHandSide rhs;
  FieldView<Scalar, Layout, Memory> z, factors;
  TeamParts<Memory> parts;
  double* result;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    solve_thread_lines(member, system.topology.num_owned, rhs, parts, result,
                       [&](int column, double* sums) { solve(column, sums); });
  }

 private:
  KOKKOS_FUNCTION void solve(int column, double* sums) const {
    auto thread = begin_rhs<Scalar>(rhs, system, column, 0);
    const Scalar diffusion = system.coefficients.diffusion(column),
                 inverse_area = reciprocal(system.coefficients.area(column));
    Scalar carry = 0, previous = 0;
    double energy = 0;
    for (int k = 0; k < system.topology.num_levels; ++k) {
      const auto row = helmholtz_row(system.coefficients, diffusion, k);
      const auto eliminated = eliminate(row, carry);
      Scalar a = 0, b = 0;
      thread.load(true, a, b);
      const Scalar scale = SmoothsColumns<RightHandSide> ? 1 : system.coefficients.inverse_scale(k);
      const Scalar remainder = thread.value(a, b, true) * scale - row.lower * previous;
      previous = remainder * eliminated.inverse;
      add_product(energy, remainder * system.coefficients.scale(k), previous);
      z(column, k) = previous;
      factors(column, k) = eliminated.factor;
    }
    previous = 0;
    for (int k = system.topology.num_levels - 1; k >= 0; --k) {
      previous = z(column, k) - factors(column, k) * previous;
      Scalar x = previous * inverse_area;
      if constexpr (SmoothsColumns<RightHandSide>) {
        x = rhs.after(rhs.template before<Scalar>(column, k), rhs.weight * x);
        rhs.weigh(x, sums, [&] { return rhs.template f_at<Scalar>(column, k); });
      }
      z(column, k) = x;
    }
    if constexpr (!SmoothsColumns<RightHandSide>) {
      thread.add_sums(energy * static_cast<double>(inverse_area), sums);
    }
  }
};

// --- Launch ---

/// See `SmoothingLines_Device.hpp`, which those with such right-hand sides include.
template <class RightHandSide, class Scalar, class Layout, class Memory, int Levels, class Value>
struct SmoothingLines;

/// The lines for a right-hand side: `SmoothingLines` for a smoothing step.
template <int Levels, class Value, class Scalar, class Layout, class Memory, class RightHandSide>
auto lines_of(const TensorSystem<Scalar, Memory>& system, const RightHandSide& rhs,
              const FieldView<Scalar, Layout, Memory>& z) {
  using Lines = HelmholtzLines<RightHandSide, Scalar, Layout, Memory, Levels, Value>;
  if constexpr (SmoothsColumns<RightHandSide>) {
    return SmoothingLines<RightHandSide, Scalar, Layout, Memory, Levels, Value>{
        Lines{system, rhs, z}};
  } else {
    return Lines{system, rhs, z};
  }
}

/// Columns on chip, in segments of `Levels`.
template <int Levels, class Space, class Scalar, class Layout, class Memory, class RightHandSide>
void run_helmholtz_segments(const char* label, const Space& space,
                            const TensorSystem<Scalar, Memory>& system, const RightHandSide& rhs,
                            const FieldView<Scalar, Layout, Memory>& z,
                            const LineWorkspace<Scalar, Memory>& workspace,
                            const TeamParts<Memory>& parts, double* result) {
  const auto run = [&](const auto& lines) {
    run_line_segments(label, space, lines, workspace.carries(), parts, result);
  };
  // In single precision a thread has registers for two columns.
  constexpr int width = static_cast<int>(sizeof(double) / sizeof(Scalar));
  if constexpr (width > 1 && !levels_contiguous<Layout>) {
    using Value = Pack<Scalar, width>;
    if (system.topology.num_owned % width == 0 && rhs.template in_packs<width>() &&
        packs_aligned<Scalar, width>(z)) {
      return run(lines_of<Levels, Value>(system, rhs, z));
    }
  }
  run(lines_of<Levels, Scalar>(system, rhs, z));
}

/// z = M^-1 rhs over all owned columns; what is summed up goes to `result`.
template <class Space, class Scalar, class Layout, class Memory, class RightHandSide>
void run_device_lines(const char* label, const Space& space,
                      const TensorSystem<Scalar, Memory>& system, const RightHandSide& rhs,
                      const FieldView<Scalar, Layout, Memory>& z,
                      const LineWorkspace<Scalar, Memory>& workspace,
                      const TeamParts<Memory>& parts, double* result) {
  const auto on_chip = [&]<int Levels>(std::integral_constant<int, Levels>) {
    run_helmholtz_segments<Levels>(label, space, system, rhs, z, workspace, parts, result);
  };
  const int levels = workspace.carries().cut.levels;
  if (levels == long_helmholtz_segment) {
    on_chip(std::integral_constant<int, long_helmholtz_segment>());
  } else if (levels == short_helmholtz_segment) {
    on_chip(std::integral_constant<int, short_helmholtz_segment>());
  } else {
    using Kernel = HelmholtzThreadLines<RightHandSide, Scalar, Layout, Memory>;
    const int teams = teams_at_once(
        ceil_divide(system.topology.num_owned, ThreadLineTuning::threads),
        teams_that_fit(space, ThreadLineTuning::threads, ThreadLineTuning::least_teams));
    const auto factors =
        workspace.template as_field<Layout>(system.topology.num_owned, system.topology.num_levels);
    launch_summing<ThreadLineTuning::threads, ThreadLineTuning::least_teams>(
        label, space, teams, Kernel{system, rhs, z, factors, parts, result});
  }
}

}  // namespace Lamina::Impl
