// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Passes over a basis on CPU cores. A worker takes tiles of w. A tile stays in the first-level
// cache while the columns of the basis stream past, a few at a time.

#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/Lanes_Host.hpp>
#include <lamina/krylov/impl/Tuning.hpp>
#include <lamina/krylov/impl/basis/KrylovBasis.hpp>

#include <algorithm>
#include <type_traits>

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

/// Loads consecutive values, and converts them to double precision.
template <class Scalar>
KOKKOS_FORCEINLINE_FUNCTION Lanes<double> widened(const Scalar* from) {
  if constexpr (std::is_same_v<Scalar, double>) {
    return load_lanes(from);
  } else {
    Lanes<double> lanes{};
    for (int i = 0; i < lane_count<double>; ++i) lanes[i] = static_cast<double>(from[i]);
    return lanes;
  }
}

template <class Scalar>
class HostBasis {
 public:
  using Basis = KrylovBasis<Scalar>;
  static constexpr std::int64_t tile = BasisTuning::tile;
  static constexpr int together = BasisTuning::host_columns;

  explicit HostBasis(const Basis& basis) : m_basis(basis) {}

  /// Worker n of `workers`: its part of the sums over w = u_{j+1}.
  void sum(int n, int workers, int j) const {
    double sums[2 * max_basis] = {};
    SquareSums squares;
    const Scalar *const w = m_basis.vector(j + 1), *const u = m_basis.vector(j);
    for_tiles(n, workers, [&](std::int64_t begin, std::int64_t end) {
      add_squares(w, begin, end, squares);
      int i = 0;
      for (; i + together <= j + 1; i += together) {
        add_products<together>(i, w, u, begin, end, sums + 2 * i);
      }
      for (; i <= j; ++i) add_products<1>(i, w, u, begin, end, sums + 2 * i);
    });
    for (int i = 0; i <= j; ++i) {
      m_basis.part(m_basis.image_sum(i), n) = sums[2 * i];
      if (i < j) m_basis.part(m_basis.previous_sum(i), n) = sums[2 * i + 1];
    }
    put(squares, m_basis.square_sums(), n);
  }

  /// u_count = scale (w - sum over i < count of c_i u_i), and its square. w is zero without
  /// `has_w`.
  void update(int n, int workers, int count, bool has_w) const {
    Scalar* const u = m_basis.vector(count);
    double square = 0;
    for_tiles(n, workers, [&](std::int64_t begin, std::int64_t end) {
      alignas(vector_bytes) double sums[tile];
      const std::int64_t size = end - begin;
      for (std::int64_t e = 0; e < size; ++e) {
        sums[e] = has_w ? static_cast<double>(u[begin + e]) : 0.0;
      }
      int i = 0;
      for (; i + together <= count; i += together) subtract<together>(i, begin, size, sums);
      for (; i < count; ++i) subtract<1>(i, begin, size, sums);
      square += store(sums, size, m_basis.update[0], u + begin);
    });
    m_basis.part(m_basis.norm_sum(), n) = square;
  }

  /// u_0 = scale (b - q)
  void start(int n, int workers, double scale, const FlatField<const Scalar>& b,
             const Scalar* q) const {
    Scalar* const u = m_basis.vector(0);
    SquareSums of_u, of_b;
    for_tiles(n, workers, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t e = begin; e < end; ++e) {
        const double value = static_cast<double>(b[e]);
        u[e] = static_cast<Scalar>(scale * (value - static_cast<double>(q[e])));
        of_u.add(u[e]);
        of_b.add(b[e]);
      }
    });
    put(of_u, m_basis.square_sums(), n);
    put(of_b, m_basis.rhs_sums(), n);
  }

 private:
  static constexpr int lanes = lane_count<double>;

  template <class Body>
  void for_tiles(int n, int workers, const Body& body) const {
    const WorkRange share = share_of(n, workers, ceil_divide(m_basis.size, tile));
    for (std::int64_t t = share.begin; t < share.end; ++t) {
      body(t * tile, std::min((t + 1) * tile, m_basis.size));
    }
  }
  void put(const SquareSums& squares, int sum, int n) const {
    m_basis.part(sum, n) = squares.plain;
    m_basis.part(sum + 1, n) = squares.of_small;
    m_basis.part(sum + 2, n) = squares.of_large;
  }

  static double total(const Lanes<double>& sums) {
    double total = 0;
    for (int i = 0; i < lanes; ++i) total += sums[i];
    return total;
  }

  static void add_squares(const Scalar* w, std::int64_t begin, std::int64_t end,
                          SquareSums& squares) {
    Lanes<double> plain{}, of_small{}, of_large{};
    std::int64_t e = begin;
    for (; e + lanes <= end; e += lanes) {
      const Lanes<double> value = widened(w + e);
      plain += value * value;
      if constexpr (std::is_same_v<Scalar, double>) {
        const Lanes<double> up = value * SquareSums::large, down = value * SquareSums::small;
        of_small += up * up;
        of_large += down * down;
      }
    }
    for (; e < end; ++e) squares.add(w[e]);
    squares.plain += total(plain);
    squares.of_small += total(of_small);
    squares.of_large += total(of_large);
  }

  /// sums[2 g] += <u_{i+g}, w>, sums[2 g + 1] += <u_{i+g}, u>
  template <int Count>
  void add_products(int i, const Scalar* w, const Scalar* u, std::int64_t begin, std::int64_t end,
                    double* sums) const {
    const Scalar* columns[extent_of<Count>];
    for (int g = 0; g < Count; ++g) columns[g] = m_basis.vector(i + g);
    Lanes<double> image[extent_of<Count>] = {}, previous[extent_of<Count>] = {};
    std::int64_t e = begin;
    for (; e + lanes <= end; e += lanes) {
      const Lanes<double> w_values = widened(w + e), u_values = widened(u + e);
      for (int g = 0; g < Count; ++g) {
        const Lanes<double> column = widened(columns[g] + e);
        image[g] += column * w_values;
        previous[g] += column * u_values;
      }
    }
    for (int g = 0; g < Count; ++g) {
      sums[2 * g] += total(image[g]);
      sums[2 * g + 1] += total(previous[g]);
      for (std::int64_t rest = e; rest < end; ++rest) {
        const double column = static_cast<double>(columns[g][rest]);
        sums[2 * g] += column * static_cast<double>(w[rest]);
        sums[2 * g + 1] += column * static_cast<double>(u[rest]);
      }
    }
  }

  template <int Count>
  void subtract(int i, std::int64_t begin, std::int64_t size, double* sums) const {
    const Scalar* columns[extent_of<Count>];
    double factors[extent_of<Count>];
    for (int g = 0; g < Count; ++g) {
      columns[g] = m_basis.vector(i + g) + begin;
      factors[g] = m_basis.update[1 + i + g];
    }
    std::int64_t e = 0;
    for (; e + lanes <= size; e += lanes) {
      Lanes<double> sum = load_lanes(sums + e);
      for (int g = 0; g < Count; ++g) sum = sum - factors[g] * widened(columns[g] + e);
      store_lanes(sums + e, sum);
    }
    for (; e < size; ++e) {
      for (int g = 0; g < Count; ++g) sums[e] -= factors[g] * static_cast<double>(columns[g][e]);
    }
  }

  /// u = scale sums. Returns the sum of its squares.
  static double store(const double* sums, std::int64_t size, double scale, Scalar* u) {
    Lanes<double> squares{};
    std::int64_t e = 0;
    for (; e + lanes <= size; e += lanes) {
      const Lanes<double> value = scale * load_lanes(sums + e);
      for (int i = 0; i < lanes; ++i) u[e + i] = static_cast<Scalar>(value[i]);
      squares += value * value;
    }
    double square = total(squares);
    for (; e < size; ++e) {
      u[e] = static_cast<Scalar>(scale * sums[e]);
      square += static_cast<double>(u[e]) * static_cast<double>(u[e]);
    }
    return square;
  }

  Basis m_basis;
};

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
