// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Block rows on CPU cores. Blocks are column-major: the entries of a column are contiguous. Lanes
// run over the rows of a block, and each column is multiplied by one value of x.
//
// A column need not fill its last vector. The lanes beyond it hold values of the next columns, and
// are never stored. Rows near the end of an array, where that would read beyond it, load copies of
// their columns. All rows therefore add up in the same order: the bits of a row do not depend on
// its place in the array, and so not on the number of ranks.
//
// Several right-hand sides have sums of their own, each in the order of one alone. A column is
// loaded and converted once for all of them.

#include <lamina/blocks/impl/Tuning.hpp>
#include <lamina/blocks/impl/rows/BlockColumns_Host.hpp>
#include <lamina/blocks/impl/rows/BlockRows.hpp>
#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/Lanes_Host.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

inline namespace LAMINA_LANES {

#if !LAMINA_DEVICE_PASS  // the device pass needs declarations only

/// A row of a matrix of blocks of one row: q[n max_padded_size] = factor (b - A x) of right-hand side n, with what
/// the task asks for.
template <int Sides, class Scalar, class OffDiagonal>
void multiply_scalar_row(const BlockRows<Scalar, OffDiagonal>& matrix, const RowTask<Scalar>& task,
                         std::int64_t i, Scalar* q) {
  Scalar sums[extent_of<Sides>] = {};
  if (task.off_diagonal) {
    for (std::int64_t k = matrix.offsets[i]; k < matrix.offsets[i + 1]; ++k) {
      const auto value = static_cast<Scalar>(matrix.off_diagonal[k]);
      const Scalar* const x = task.x.row(matrix.columns[k]);
      for (int side = 0; side < Sides; ++side) sums[side] += value * x[side];
    }
  }
  if (task.diagonal) {
    const Scalar value = matrix.diagonal[i];
    const Scalar* const x = task.x.row(i);
    for (int side = 0; side < Sides; ++side) sums[side] += value * x[side];
  }
  for (int side = 0; side < Sides; ++side, q += max_padded_size) {
    *q = (task.b.values != nullptr ? task.b.row(i)[side] : Scalar(0)) - sums[side];
    if (task.factors.values != nullptr) *q *= task.factors.values[i];
  }
}

/// Prefetches the x of a later block. The core prefetches blocks by itself, because they come in
/// order; but only the columns tell where x is.
template <int Size, int Sides, class Scalar, class OffDiagonal>
void prefetch_x(const BlockRows<Scalar, OffDiagonal>& matrix, const RowTask<Scalar>& task, int size,
                std::int64_t k) {
  using Tuning = BlockHostTuning;
  constexpr int line = 64;
  if constexpr (Size > 0 && (Size < Tuning::least_size_ahead || Size > Tuning::most_size_ahead)) {
    return;
  }
  if (size < Tuning::least_size_ahead || size > Tuning::most_size_ahead ||
      k + Tuning::blocks_ahead >= matrix.num_blocks) {
    return;
  }
  const Scalar* const x = task.x.row(matrix.columns[k + Tuning::blocks_ahead]);
  constexpr int step = line / static_cast<int>(sizeof(Scalar));
  const int values = Sides * size;
  for (int p = 0; p < values; p += step) prefetch_line(x + p);
  prefetch_line(x + values - 1);
}

/// Runs a task over rows for its first `Sides` right-hand sides, one row after the other. The last
/// stripe of a row has `Vectors` vectors, the others have `stripe_vectors`.
template <class Scalar, class OffDiagonal, int Bytes, int Vectors, int Size, int Sides>
class HostBlockRows {
 public:
  static constexpr int scratch_values = (2 * Sides + 1) * max_padded_size;

  HostBlockRows(const BlockRows<Scalar, OffDiagonal>& matrix, const RowTask<Scalar>& task,
                Scalar* scratch)
      : m_matrix(matrix),
        m_task(task),
        m_q(scratch),
        m_solution(m_q + Sides * max_padded_size),
        m_column(m_solution + Sides * max_padded_size),
        m_size(Size > 0 ? Size : matrix.size) {}

  /// \return the sum of squares, where the task takes one
  double run(std::int64_t begin, std::int64_t end) {
    double sum = 0;
    for (std::int64_t i = begin; i < end; ++i) {
      const Scalar* const results = in_scalars    ? scalar_results(i)
                                    : near_end(i) ? result<true>(i)
                                                  : result<false>(i);
      for (int side = 0; side < Sides; ++side) {
        use(i, results + side * max_padded_size, side * m_size, sum);
      }
    }
    return sum;
  }

 private:
  /// Stores q of one right-hand side from a component of row i on, and adds to the sum.
  void use(std::int64_t i, const Scalar* q, int component, double& sum) const {
    if (m_task.y.values != nullptr) {
      Scalar* const y = m_task.y.row(i) + component;
      for (int p = 0; p < m_size; ++p) y[p] = m_task.negate ? -q[p] : q[p];
    }
    if (m_task.sum_factor != 0) {
      for (int p = 0; p < m_size; ++p) {
        const double value = m_task.sum_factor * static_cast<double>(q[p]);
        add_product(sum, value, value);
      }
    }
  }

  /// q of a row, those of the sides `max_padded_size` apart. `AtEnd`: a vector might reach beyond an
  /// array.
  template <bool AtEnd>
  const Scalar* result(std::int64_t i) {
    products<AtEnd>(i);
    return m_task.factors.values != nullptr ? solve<AtEnd>(i) : m_q;
  }

  /// Blocks of one row are computed in scalars, at the end of an array and elsewhere: compilers contract vectors of
  /// them to multiply-add in some loops only, and results would differ.
  static constexpr bool in_scalars = Size == 1 && std::is_same_v<Scalar, OffDiagonal>;
  const Scalar* scalar_results(std::int64_t i) {
    multiply_scalar_row<Sides>(m_matrix, m_task, i, m_q);
    return m_q;
  }

  using V = RowVectors<Scalar, Bytes>;
  static constexpr int lanes = V::lanes;
  static constexpr int stripe_vectors = BlockHostTuning::stripe_vectors;
  static constexpr int full = stripe_vectors * lanes;
  template <int Count>
  using StripeOf = Stripe<Scalar, Bytes, Count, Sides>;

  std::int64_t block_values() const { return static_cast<std::int64_t>(m_size) * m_size; }

  /// Whether a vector that begins within row i might end beyond an array.
  bool near_end(std::int64_t i) const {
    return (m_matrix.num_rows - 1 - i) * m_size < lanes ||
           (m_task.off_diagonal &&
            (m_matrix.num_blocks - m_matrix.offsets[i + 1]) * block_values() < lanes);
  }

  /// Calls on_stripe(first row, number of vectors as a type) for each stripe of a block.
  template <class OnStripe>
  void for_each_stripe(const OnStripe& on_stripe) const {
    int row = 0;
    if constexpr (Size == 0) {
      for (; m_size - row > full; row += full) {
        on_stripe(row, std::integral_constant<int, stripe_vectors>{});
      }
    }
    on_stripe(row, std::integral_constant<int, Vectors>{});
  }

  /// Rows of a stripe that begins at a row of the block.
  template <class StripeType>
  int rows_of(int row) const {
    return std::min(StripeType::num_rows, m_size - row);
  }

  /// q = b - products
  template <bool AtEnd>
  void products(std::int64_t i) {
    for_each_stripe([&](int row, auto count) {
      using StripeType = StripeOf<count>;
      StripeType stripe;
      const int rows = rows_of<StripeType>(row);
      if (m_task.off_diagonal) {
        const std::int64_t end = m_matrix.offsets[i + 1];
        for (std::int64_t k = m_matrix.offsets[i]; k < end; ++k) {
          if (row == 0) prefetch_x<Size, Sides>(m_matrix, m_task, m_size, k);
          stripe.template add_block<Size, AtEnd>(m_size, rows,
                                                 m_matrix.off_diagonal + k * block_values() + row,
                                                 m_task.x.row(m_matrix.columns[k]), m_size);
        }
        if constexpr (row_scaled<OffDiagonal>) {
          with_vectors<AtEnd, StripeType>(row, m_matrix.row_scales + i * m_size + row,
                                          [&](const float* scales) { stripe.scale(scales); });
        }
      }
      if (m_task.diagonal) {
        stripe.template add_block<Size, AtEnd>(
            m_size, rows, m_matrix.diagonal + i * block_values() + row, m_task.x.row(i), m_size);
      }
      for (int side = 0; side < Sides; ++side) {
        const auto subtract = [&](const Scalar* b) {
          Scalar* const q = m_q + side * max_padded_size + row;
          for (int v = 0; v < count; ++v) {
            const typename V::type value =
                b != nullptr ? V::load(b + v * lanes) : typename V::type{};
            V::store(q + v * lanes, value - stripe.total(side, v));
          }
        };
        if (m_task.b.values == nullptr) {
          subtract(nullptr);
        } else {
          with_vectors<AtEnd, StripeType>(row, m_task.b.row(i) + side * m_size + row, subtract);
        }
      }
    });
  }
  /// Calls use(values) with those of the rows of a stripe, where whole vectors can be loaded.
  template <bool AtEnd, class StripeType, class Value, class Use>
  void with_vectors(int row, const Value* values, const Use& use) const {
    if constexpr (AtEnd) {
      use(WholeVectors<Value, StripeType::num_rows>(values, rows_of<StripeType>(row)).values);
    } else {
      use(values);
    }
  }

  /// \return D_i^-1 q, in scratch
  template <bool AtEnd>
  const Scalar* solve(std::int64_t i) {
    const Scalar* const factors = m_task.factors.values + i * block_values();
    if (m_task.factors.kind == BlockInverse::inverse) {
      multiply<AtEnd>(factors);
      return m_solution;
    }
    const bool pivoted = m_task.factors.kind == BlockInverse::lu_pivoted;
    for (int side = 0; side < Sides; ++side) {
      Scalar* const q = m_q + side * max_padded_size;
      Scalar* const x = pivoted ? m_solution + side * max_padded_size : q;
      if (pivoted) {
        const int* const pivots = m_task.factors.pivots + i * m_size;
        for (int p = 0; p < m_size; ++p) x[p] = q[pivots[p]];
      }
      solve_in_lanes<Bytes>(
          m_size,
          [&](int c) -> const Scalar* {
            const Scalar* const column = factors + static_cast<std::int64_t>(c) * m_size;
            if constexpr (!AtEnd) return column;
            std::copy_n(column, m_size, m_column);
            return m_column;
          },
          x);
    }
    return pivoted ? m_solution : m_q;
  }
  template <bool AtEnd>
  void multiply(const Scalar* inverse) {
    for_each_stripe([&](int row, auto count) {
      StripeOf<count> stripe;
      stripe.template add_block<Size, AtEnd>(m_size, rows_of<StripeOf<count>>(row), inverse + row,
                                             m_q, max_padded_size);
      for (int side = 0; side < Sides; ++side) {
        Scalar* const x = m_solution + side * max_padded_size + row;
        for (int v = 0; v < count; ++v) V::store(x + v * lanes, stripe.total(side, v));
      }
    });
  }

  BlockRows<Scalar, OffDiagonal> m_matrix;
  RowTask<Scalar> m_task;
  Scalar *m_q, *m_solution, *m_column;
  int m_size;
};

#endif

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
