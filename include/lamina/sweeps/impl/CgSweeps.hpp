// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The sweeps of conjugate gradients without a preconditioner, for models whose fields are `GridField`s.
// Each keeps r and p twice: other cells still read what is replaced. `Read` is how the field is read
// that the operator is applied to; it may be another type, such as a texture.

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/StreamingStore_X86.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/sweeps/FusedSweeps.hpp>
#include <lamina/sweeps/impl/GridSystem.hpp>

#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

/// r = b - A x;  with `Copy` also u = x. r may be b.
template <class Scalar, bool Copy>
struct StoreStart {
  static constexpr int num_sums = 0;
  static constexpr bool stores = true;
  GridField<const Scalar> b;
  GridField<Scalar> u, r;

  template <class Value, class Sums>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t i, int line, const Value& x,
                                              const Value& image, Sums&) const {
    const Value residual = read<Value>(b, i, line) - image;
    if constexpr (Copy) write(u, i, line, x);
    write(r, i, line, residual);
  }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(std::int64_t i, int line, std::int64_t ahead) const {
    prefetch_line(&b(i, line) + ahead);
    if constexpr (Copy) prefetch_written_line(&u(i, line) + ahead);
    prefetch_written_line(&r(i, line) + ahead);
  }
};

/// sums <x, x>, <x, A x>
struct MeasureBoth {
  static constexpr int num_sums = 2;
  static constexpr bool stores = false;
  template <class Value, class Sums>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t, int, const Value& x, const Value& image,
                                              Sums& sums) const {
    add_product(sums[0], x, x);
    add_product(sums[1], x, image);
  }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(std::int64_t, int, std::int64_t) const {}
};

/// p' = x;  r' = r - alpha A x;  with `Update` u += alpha_before p + alpha x. With `Stream` lanes of p'
/// and r' are stored past the caches. `FromZero`: a bool, or `std::false_type` where it never is true.
template <class Scalar, bool Update, bool Stream, class FromZero>
struct AdvanceBoth {
  static constexpr int num_sums = 0;
  static constexpr bool stores = true;
  GridField<const Scalar> r, p;
  GridField<Scalar> new_p, new_r, u;
  FromZero from_zero;  ///< u counts as zero
  Scalar alpha, alpha_before;

  template <class Value, class Sums>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t i, int line, const Value& x,
                                              const Value& image, Sums&) const {
    const Value residual = read<Value>(r, i, line) - alpha * image;
    if constexpr (Update) {
      Value solution{};
      if constexpr (std::is_same_v<FromZero, bool>) {
        if (!from_zero) solution = read<Value>(u, i, line);
      } else {
        solution = read<Value>(u, i, line);
      }
      write(u, i, line, solution + alpha_before * read<Value>(p, i, line) + alpha * x);
    }
    store_or_stream<Stream>(&new_p(i, line), x);
    store_or_stream<Stream>(&new_r(i, line), residual);
  }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(std::int64_t i, int line, std::int64_t ahead) const {
    if constexpr (Update) prefetch_line(&u(i, line) + ahead);
  }
};

/// y = A x
template <class Scalar, class Read>
struct CgApply {
  using array_layout = Kokkos::LayoutLeft;
  using read_type = Read;
  Read x;
  GridField<Scalar> y;
  KOKKOS_FORCEINLINE_FUNCTION auto begin(bool) const {
    return SweepPass<FieldSource<Read>, StoreImage<GridField<Scalar>>>{true, {x}, {y}};
  }
};

/// See `StoreStart`.
template <class Scalar, class Read, bool Copy>
struct CgStart {
  using array_layout = Kokkos::LayoutLeft;
  using read_type = Read;
  GridField<const Scalar> b;
  Read x;
  GridField<Scalar> u, r;
  KOKKOS_FORCEINLINE_FUNCTION auto begin(bool) const {
    return SweepPass<FieldSource<Read>, StoreStart<Scalar, Copy>>{true, {x}, {b, u, r}};
  }
};

/// Row n: <r, r> twice, <r, A r>;  zeros where no residual was formed.
template <class Read, class Memory>
struct CgMeasure {
  using array_layout = Kokkos::LayoutLeft;
  using read_type = Read;
  using Step = FusedStep<Memory>;
  static constexpr int num_entries = Step::row_length;
  Step step;
  Read r;

  double* sums() const { return step.now; }
  KOKKOS_FORCEINLINE_FUNCTION static int entries_of(int n) { return n == 0 ? 2 : 1; }
  KOKKOS_FORCEINLINE_FUNCTION static int entry_of(int n, int which) {
    if (n > 0) return Step::line_curvature;
    return which == 0 ? Step::residual2 : Step::energy;
  }
  KOKKOS_FORCEINLINE_FUNCTION auto begin(bool) const {
    return SweepPass<FieldSource<Read>, MeasureBoth>{step.formed_residual(), {r}, {}};
  }
};

/// See `AdvanceBoth`, whose x is r + beta p. Nothing unless the iteration proceeds.
template <class Scalar, class Read, class Memory, bool Update, bool Stream, class FromZero>
struct CgAdvance {
  using array_layout = Kokkos::LayoutLeft;
  using read_type = Read;
  FusedStep<Memory> step;
  Read r_read, p_read;
  GridField<const Scalar> r, p;
  GridField<Scalar> new_p, new_r, u;
  FromZero from_zero;

  KOKKOS_FORCEINLINE_FUNCTION auto begin(bool leader) const {
    const auto it = step.iteration();
    // Nobody reads this entry before the next kernel.
    if (leader) step.now[FusedStep<Memory>::curvature] = it.curvature;
    return SweepPass<DirectionSource<Read>, AdvanceBoth<Scalar, Update, Stream, FromZero>>{
        it.proceed,
        {r_read, p_read, static_cast<Scalar>(it.beta)},
        {r, p, new_p, new_r, u, from_zero, static_cast<Scalar>(it.alpha),
         static_cast<Scalar>(it.alpha_before)}};
  }
};

/// Where a solve by `FusedPcg` ends, computed where it is needed.
template <class Scalar>
struct CgSolution {
  FusedEnd<Scalar> end;
  GridField<const Scalar> p, r, u;
  bool with_u;  ///< false: u counts as zero

  /// u + along_p p + along_z r
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value at(std::int64_t i, std::int64_t j) const {
    Value x{};
    if (with_u) x = load<Value>(u.line(j) + i);
    if (end.along_p != 0) x = x + end.along_p * load<Value>(p.line(j) + i);
    if (end.along_z != 0) x = x + end.along_z * load<Value>(r.line(j) + i);
    return x;
  }
};

/// x = solution, where x has any strides. A kernel of `run_cells`.
template <class Scalar>
struct CgFinish {
  CgSolution<Scalar> solution;
  StridedCells<Scalar> x;
  KOKKOS_FORCEINLINE_FUNCTION void cell(std::int64_t i, std::int64_t j) const {
    x(i, j) = solution.template at<Scalar>(i, j);
  }
};

/// run(updates, streams) with constants for the best `CgAdvance`: stores go past the caches where the
/// fields do not fit into them.
template <class Space, class Scalar, class Run>
void choose_cg_advance(bool update, const GridTopology& grid, const GridField<const Scalar>& field,
                       const Run& run) {
  const auto run_update = [&](auto streams) {
    if (update) {
      run(std::true_type(), streams);
    } else {
      run(std::false_type(), streams);
    }
  };
  if constexpr (runs_on_host<Space>) {
    constexpr int fields = 5;
    const double bytes = static_cast<double>(grid.num_levels) * static_cast<double>(field.stride) *
                         static_cast<double>(fields * sizeof(Scalar));
    if (bytes > static_cast<double>(reachable_cache_bytes())) return run_update(std::true_type());
  }
  run_update(std::false_type());
}

}  // namespace Lamina::Impl
