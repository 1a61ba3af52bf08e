// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The basis of a Krylov space in device memory and its orthogonalisation, for `Gmres`.
//
// Stored vectors u_i have a norm near 1. The basis vectors are v_i = u_i / |u_i|. The norm of
// u_{j+1} is predicted by Pythagoras' theorem before the update that computes the vector, and a
// power of two near it is divided out in that update. So no pass over a vector only normalises it,
// and scaling rounds nothing.
//
// The orthogonalisation is modified Gram-Schmidt in the inverse compact WY form. L is the strictly
// lower triangle of V^T V. The coefficients h of modified Gram-Schmidt solve (I + L) h = V^T w. The
// new row of L is V^T v_j; one pass over V computes both V^T v_j and V^T w. Source: Swirydowicz,
// Langou, Ananthan, Yang, Thomas, "Low synchronization Gram-Schmidt and generalized minimal
// residual algorithms", Numerical Linear Algebra with Applications 28 (2021).

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/Instantiate.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>

namespace Lamina::Impl {

/// Most basis vectors of a cycle, and most parts of a sum over a vector.
inline constexpr int max_basis = 256, max_basis_parts = 1024;

/// Sums of squares that neither overflow nor underflow over the whole range of double precision
/// (after Blue, "A portable Fortran program to find the Euclidean norm of a vector", ACM TOMS 4,
/// 1978). Three sums are taken at once: of the values, and of the values times a large and a small
/// power of two. Squares of floats need the first sum only.
struct SquareSums {
  static constexpr int count = 3;
  static constexpr double large = 0x1p700, small = 0x1p-700;

  double plain = 0, of_small = 0, of_large = 0;

  template <class Scalar>
  KOKKOS_FORCEINLINE_FUNCTION void add(Scalar scalar) {
    const double value = static_cast<double>(scalar);
    plain += value * value;
    if constexpr (sizeof(Scalar) == sizeof(double)) {
      const double up = value * large, down = value * small;
      of_small += up * up;
      of_large += down * down;
    }
  }
  template <class Scalar>
  KOKKOS_FORCEINLINE_FUNCTION static double norm(const double* sums) {
    if constexpr (sizeof(Scalar) == sizeof(double)) {
      if (sums[0] < 1e-270) return std::sqrt(sums[1]) * small;
      if (sums[0] * 0 != 0) return std::sqrt(sums[2]) * large;  // infinite or NaN
    }
    return std::sqrt(sums[0]);
  }
};

/// 2^floor(log2 x), and 1 where x is zero, subnormal or not finite.
KOKKOS_FORCEINLINE_FUNCTION double power_of_two_below(double x) {
  constexpr std::uint64_t exponent = 0x7ff0'0000'0000'0000;
  std::uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits &= exponent;
  if (bits == 0 || bits == exponent) return 1;
  double power;
  memcpy(&power, &bits, sizeof power);
  return power;
}

/// A user's field as a vector in the order of its memory, without padding.
template <class Scalar>
struct FlatField {
  Scalar* data;
  std::int64_t row_length, stride;

  KOKKOS_FORCEINLINE_FUNCTION Scalar& operator[](std::int64_t n) const {
    return n < row_length ? data[n] : data[n / row_length * stride + n % row_length];
  }
};
template <class FieldType>
FlatField<typename FieldType::value_type> flat(const FieldType& field) {
  constexpr bool right = levels_contiguous<typename FieldType::array_layout>;
  const auto length = static_cast<std::int64_t>(field.extent(right ? 1 : 0)),
             rows = static_cast<std::int64_t>(field.extent(right ? 0 : 1)),
             stride = static_cast<std::int64_t>(field.stride(right ? 0 : 1));
  return {field.data(), stride == length ? length * rows : length, stride};
}

/// The device memory of a cycle of at most `restart` iterations. Copies share it.
template <class Scalar>
struct KrylovBasis {
  Scalar* vectors;            ///< u_0, ..., u_restart, `stride` apart
  std::int64_t size, stride;  ///< of a vector
  int restart;
  double* scalars;  ///< records, see below
  double* lower;    ///< L, column by column
  double* update;   ///< [scale, c_0, c_1, ...] of u = scale (w - sum over i of c_i u_i)
  double* parts;    ///< of sums, see below

  KOKKOS_FORCEINLINE_FUNCTION Scalar* vector(int j) const { return vectors + j * stride; }
  KOKKOS_FORCEINLINE_FUNCTION double& lower_entry(int i, int k) const {
    return lower[static_cast<std::int64_t>(k) * restart + i];
  }

  // Records, which the host copies. The first one has norms: |b| and |u_0| to |u_restart|. The next
  // ones have column j of the Hessenberg matrix: h_0j to h_jj, |A M^-1 v_j|, and h_{j+1,j} /
  // |u_{j+1}|.
  static constexpr int num_records(int restart) { return restart + 1; }
  static constexpr int record_length(int restart) { return restart + 2; }
  KOKKOS_FORCEINLINE_FUNCTION double& rhs_norm() const { return scalars[0]; }
  KOKKOS_FORCEINLINE_FUNCTION double& norm(int j) const { return scalars[1 + j]; }
  KOKKOS_FORCEINLINE_FUNCTION double* column(int j) const {
    return scalars + static_cast<std::int64_t>(j + 1) * (restart + 2);
  }
  KOKKOS_FORCEINLINE_FUNCTION double& image_norm(int j) const { return column(j)[restart]; }
  KOKKOS_FORCEINLINE_FUNCTION double& below_scale(int j) const { return column(j)[restart + 1]; }

  // Sums over vectors. Each has a part of each team or worker.
  static constexpr int num_sums(int restart) { return 2 * restart + 7; }
  KOKKOS_FORCEINLINE_FUNCTION int image_sum(int i) const { return i; }               ///< <u_i, w>
  KOKKOS_FORCEINLINE_FUNCTION int previous_sum(int i) const { return restart + i; }  ///< <u_i, u_j>
  KOKKOS_FORCEINLINE_FUNCTION int square_sums() const { return 2 * restart; }        ///< of w, u_0
  KOKKOS_FORCEINLINE_FUNCTION int rhs_sums() const { return 2 * restart + 3; }
  KOKKOS_FORCEINLINE_FUNCTION int norm_sum() const { return 2 * restart + 6; }  ///< <u, u>
  KOKKOS_FORCEINLINE_FUNCTION double& part(int sum, int n) const {
    return parts[static_cast<std::int64_t>(sum) * max_basis_parts + n];
  }
};

/// How sums over vectors become those of all ranks; by default there is one process. Entries of halo
/// columns must be 0.
template <class Space>
struct BasisRanks {
  double* totals = nullptr;  ///< in device memory, num_sums(restart) values
  /// Makes the first `count` totals those of all ranks. Enqueued, as of `GlobalReduction`.
  std::function<void(const Space& space, int count)> sum{};
};

/// The kernels on a basis. All are enqueued on `space`: no allocation, and no fence but those of
/// sums over ranks. `start`, `orthogonalise` and `measure` are one such sum each.
template <class Space, class Scalar>
struct BasisKernels {
  using Basis = KrylovBasis<Scalar>;
  using Ranks = BasisRanks<Space>;

  /// u_0 = scale (b - q), |u_0|, |b|.  traffic: reads 2n, writes n; flops: 6n
  static void start(const Space& space, const Basis& basis, double scale,
                    const FlatField<const Scalar>& b, const Scalar* q, const Ranks& ranks = {});

  /// Column j of the Hessenberg matrix, and u_{j+1} from w = A M^-1 u_j, which is in the place of
  /// u_{j+1}. The norm of u_{j+1} is left in parts.
  /// traffic: two kernels: reads (j + 2)n; reads (j + 2)n, writes n; flops: 6n (j + 1) + 4n
  static void orthogonalise(const Space& space, const Basis& basis, int j, const Ranks& ranks = {});

  /// |u_{j+1}| after that, for the host. `orthogonalise` of the next vector computes it, too.
  static void measure(const Space& space, const Basis& basis, int j, const Ranks& ranks = {});

  /// u_count = -(sum over i < count of c_i u_i).  traffic: reads count n, writes n; flops: 2n count
  static void combine(const Space& space, const Basis& basis, int count);

  /// x += factor z.  traffic: reads 2n, writes n; flops: 2n
  static void add(const Space& space, std::int64_t size, double factor, const Scalar* z,
                  const FlatField<Scalar>& x);
};

#define LAMINA_EXTERN_BASIS(Space)                   \
  extern template struct BasisKernels<Space, float>; \
  extern template struct BasisKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_EXTERN_BASIS)
#undef LAMINA_EXTERN_BASIS

}  // namespace Lamina::Impl

#include <lamina/krylov/impl/basis/BasisKernels_Bodies.hpp>
