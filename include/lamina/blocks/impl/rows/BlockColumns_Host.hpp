// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The columns of a block in the vectors of CPU cores: how many vectors a column has, stripes of it that
// add up in registers, and solves with a diagonal block. See BlockRows_Host.hpp.

#include <lamina/blocks/impl/Tuning.hpp>
#include <lamina/blocks/impl/rows/BlockRows.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/HalfLanes_Host.hpp>
#include <lamina/device/impl/Lanes_Host.hpp>

#include <cstdint>

namespace Lamina::Impl {

/// A block row of scratch, rounded up to vectors.
inline constexpr int max_padded_size = max_block_size + 16;

inline namespace LAMINA_LANES {

/// Bytes of the vectors for blocks of a size: the longest vectors, except where a short one holds a
/// column.
template <class Scalar>
constexpr int row_vector_bytes(int size) {
  constexpr int bytes = BlockHostTuning::short_vector_bytes;
  const bool fits = size * static_cast<int>(sizeof(Scalar)) <= bytes;
  return fits && bytes < vector_bytes ? bytes : vector_bytes;
}

#if !LAMINA_DEVICE_PASS  // the device pass needs declarations only

/// Short vectors of `Bytes` bytes. Operators work element by element, also with a scalar.
template <class Scalar, int Bytes>
struct RowVectors {
  static constexpr int lanes = Bytes / static_cast<int>(sizeof(Scalar));
  typedef Scalar type __attribute__((vector_size(Bytes)));

  /// Loads a stored value for each lane, from any address, and converts it to `Scalar`.
  template <class Stored>
  static type load(const Stored* from) {
    typedef Stored Values
        __attribute__((vector_size(lanes * sizeof(Stored)), aligned(alignof(Stored)), may_alias));
    typedef Stored Aligned __attribute__((vector_size(lanes * sizeof(Stored))));
    const Aligned values = *reinterpret_cast<const Values*>(from);
    type result;
    widen(values, result);
    return result;
  }
  static type load(const Half* from) {
    type result;
    widen(FloatsOfHalves<lanes>::load(from), result);
    return result;
  }
  static void store(Scalar* to, const type& values) {
    typedef Scalar Values __attribute__((vector_size(Bytes), aligned(alignof(Scalar)), may_alias));
    *reinterpret_cast<Values*>(to) = values;
  }
  static type fill(Scalar value) { return type{} + value; }
  /// 0, 1, 2, ..., to select lanes by comparison.
  static type numbers() {
    type result{};
    for (int lane = 0; lane < lanes; ++lane) result[lane] = static_cast<Scalar>(lane);
    return result;
  }
};

/// A copy of some values, from which whole vectors can be loaded. The compiler must not see the
/// zeros behind them: it would compute products of a few values without the instructions that whole
/// vectors take, and round differently.
template <class Value, int Room>
struct WholeVectors {
  Value values[extent_of<Room>];

  WholeVectors(const Value* from, int count) { copy(from, count, values); }

 private:
  [[gnu::noinline]] static void copy(const Value* from, int count, Value* to) noexcept {
    std::fill(std::copy_n(from, count, to), to + extent_of<Room>, Value(0.0f));
  }
};

/// q of some rows of a block for `Sides` right-hand sides, in lanes. Columns are added to several
/// sums in turn: the addition of the next column need not wait for this one.
template <class Scalar, int Bytes, int Vectors, int Sides>
struct Stripe {
  using V = RowVectors<Scalar, Bytes>;
  static constexpr int chains = BlockHostTuning::chains(Vectors);
  static constexpr int num_rows = Vectors * V::lanes;
  typename V::type sums[extent_of<Sides>][extent_of<chains>][extent_of<Vectors>] = {};

  /// `x` is that of the first side, and `apart` values before that of the next one.
  template <class Stored>
  [[gnu::always_inline]] void add_column(int chain, const Stored* column, const Scalar* x,
                                         int apart) {
    for (int v = 0; v < Vectors; ++v) {
      const typename V::type values = V::load(column + v * V::lanes);
      for (int side = 0; side < Sides; ++side) sums[side][chain][v] += values * x[side * apart];
    }
  }
  /// Adds block times x. `column` is the stripe's part of the first column. `Size` is that of the
  /// block, or 0 where only the run time knows it. `AtEnd`: of each column `rows` values are read.
  template <int Size, bool AtEnd, class Stored>
  [[gnu::always_inline]] void add_block(int size, int rows, const Stored* column, const Scalar* x,
                                        int apart) {
    const auto add = [&](int chain, int c) __attribute__((always_inline)) {
      const Stored* const here = column + static_cast<std::int64_t>(c) * (Size > 0 ? Size : size);
      if constexpr (AtEnd) {
        const WholeVectors<Stored, num_rows> whole(here, rows);
        add_column(chain, whole.values, x + c, apart);
      } else {
        add_column(chain, here, x + c, apart);
      }
    };
    if constexpr (Size > 0) {
      for (int c = 0; c < Size; ++c) add(c % chains, c);
    } else {
      int c = 0;
      for (; c + chains <= size; c += chains) {
        for (int chain = 0; chain < chains; ++chain) add(chain, c + chain);
      }
      for (; c < size; ++c) add(0, c);
    }
  }
  /// Multiplies the sums by a factor for each row.
  void scale(const float* factors) {
    for (auto& side : sums) {
      for (auto& chain : side) {
        for (int v = 0; v < Vectors; ++v) chain[v] *= V::load(factors + v * V::lanes);
      }
    }
  }
  typename V::type total(int side, int v) const {
    typename V::type sum = sums[side][0][v];
    for (int chain = 1; chain < chains; ++chain) sum += sums[side][chain][v];
    return sum;
  }
};

/// `solve_block` with lanes along the columns of the factors, column_of(c). q is scratch, rounded
/// up to vectors. Only whole vectors of it are written: a load never waits for several stores to
/// the same vector.
template <int Bytes, class Scalar, class Column>
inline void solve_in_lanes(int size, const Column& column_of, Scalar* q) {
  using V = RowVectors<Scalar, Bytes>;
  constexpr int lanes = V::lanes;
  const typename V::type numbers = V::numbers();
  const auto last = (size - 1) / lanes;
  for (int c = 0; c + 1 < size; ++c) {
    const Scalar* const column = column_of(c);
    const Scalar y = q[c];
    const int v = c / lanes;
    const typename V::type before = V::load(q + v * lanes);
    V::store(q + v * lanes, numbers > V::fill(static_cast<Scalar>(c % lanes))
                                ? before - V::load(column + v * lanes) * y
                                : before);
    for (int w = v + 1; w <= last; ++w) {
      V::store(q + w * lanes, V::load(q + w * lanes) - V::load(column + w * lanes) * y);
    }
  }
  for (int c = size - 1; c >= 0; --c) {
    const Scalar* const column = column_of(c);
    const Scalar x = q[c] * column[c];
    const int v = c / lanes;
    for (int w = 0; w < v; ++w) {
      V::store(q + w * lanes, V::load(q + w * lanes) - V::load(column + w * lanes) * x);
    }
    const typename V::type before = V::load(q + v * lanes),
                           here = V::fill(static_cast<Scalar>(c % lanes));
    const typename V::type above =
        numbers < here ? before - V::load(column + v * lanes) * x : before;
    V::store(q + v * lanes, numbers == here ? V::fill(x) : above);
  }
}

#endif

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
