// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Tridiagonal systems that are singular or badly scaled, as operators for `Pcg`.

#include <support/TestField.hpp>

namespace LaminaTest {

/// Tridiagonal -1, 2, -1 with 1 at both ends: constants are in its kernel.
template <class Scalar>
struct NeumannSystem {
  using scalar_type = Scalar;
  using memory_space = Memory;
  int size;

  int num_owned() const { return size; }
  int num_columns() const { return size; }
  int num_levels() const { return 1; }

  template <class In, class Out>
  struct Apply {
    int size;
    In x;
    Out y;
    KOKKOS_FUNCTION void operator()(int i) const {
      Scalar sum = 0;
      if (i > 0) sum += x(i, 0) - x(i - 1, 0);
      if (i + 1 < size) sum += x(i, 0) - x(i + 1, 0);
      y(i, 0) = sum;
    }
  };
  template <class In, class Out>
  void apply(const TEST_SPACE& space, const In& x, const Out& y) const {
    Kokkos::parallel_for("LaminaTest::neumann", Kokkos::RangePolicy<TEST_SPACE>(space, 0, size),
                         Apply<In, Out>{size, x, y});
  }
};

/// D L D with L = tridiagonal -1, 2, -1, and its diagonal as a preconditioner.
template <class Scalar>
struct BadlyScaledSystem {
  using scalar_type = Scalar;
  using memory_space = Memory;
  Kokkos::View<const Scalar*, Memory> scales;

  int num_owned() const { return num_columns(); }
  int num_columns() const { return static_cast<int>(scales.extent(0)); }
  int num_levels() const { return 1; }

  template <class In, class Out>
  struct Kernel {
    Kokkos::View<const Scalar*, Memory> d;
    In x;
    Out y;
    struct Apply {};
    KOKKOS_FUNCTION void operator()(Apply, int i) const {
      Scalar sum = 2 * d(i) * x(i, 0);
      if (i > 0) sum -= d(i - 1) * x(i - 1, 0);
      if (i + 1 < static_cast<int>(d.extent(0))) sum -= d(i + 1) * x(i + 1, 0);
      y(i, 0) = d(i) * sum;
    }
    struct Solve {};
    KOKKOS_FUNCTION void operator()(Solve, int i) const { y(i, 0) = x(i, 0) / (2 * d(i) * d(i)); }
  };
  template <class In, class Out>
  void apply(const TEST_SPACE& space, const In& x, const Out& y) const {
    using Policy = Kokkos::RangePolicy<TEST_SPACE, typename Kernel<In, Out>::Apply>;
    Kokkos::parallel_for("LaminaTest::scaled", Policy(space, 0, num_columns()),
                         Kernel<In, Out>{scales, x, y});
  }
  template <class In, class Out>
  void solve(const TEST_SPACE& space, const In& r, const Out& z) const {
    using Policy = Kokkos::RangePolicy<TEST_SPACE, typename Kernel<In, Out>::Solve>;
    Kokkos::parallel_for("LaminaTest::jacobi", Policy(space, 0, num_columns()),
                         Kernel<In, Out>{scales, r, z});
  }
};

}  // namespace LaminaTest
