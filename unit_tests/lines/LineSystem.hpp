// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/lines/LineSolver.hpp>

#include <reference/Tridiagonal.hpp>
#include <support/TestField.hpp>

#include <cstddef>
#include <vector>

namespace LaminaTest {

/// Coefficients of a tridiagonal matrix per column, and what solves it.
struct LineSystem {
  int num_columns, num_levels;
  Values lower, diagonal, upper, row_sum, rhs;

  std::size_t size() const { return diagonal.size(); }

  /// Well conditioned: dominant by half of the off-diagonal at least, of either sign.
  template <class Scalar>
  static LineSystem dominant(int num_columns, int num_levels) {
    const auto size = static_cast<std::size_t>(num_columns) * static_cast<std::size_t>(num_levels);
    LineSystem system{num_columns,
                      num_levels,
                      rounded<Scalar>(random_values(size, 1)),
                      random_values(size, 2),
                      rounded<Scalar>(random_values(size, 3)),
                      Values(size),
                      rounded<Scalar>(random_values(size, 4))};
    for (double& value : system.diagonal) value += value < 0 ? -3 : 3;
    system.diagonal = rounded<Scalar>(system.diagonal);
    return system;
  }

  /// off_diagonal(k) couples k and k + 1.
  template <class Scalar>
  static LineSystem symmetric(int num_columns, int num_levels) {
    LineSystem system = dominant<Scalar>(num_columns, num_levels);
    for (std::size_t i = 0; i < system.size(); ++i) {
      system.lower[i] = i % static_cast<std::size_t>(num_levels) > 0 ? system.upper[i - 1] : 0;
    }
    return system;
  }

  /// Row sums of one sign, couplings of the other, `stiffness` times larger.
  template <class Scalar>
  static LineSystem difference(int num_columns, int num_levels, double stiffness) {
    LineSystem system = dominant<Scalar>(num_columns, num_levels);
    const auto n = static_cast<std::size_t>(num_levels);
    for (std::size_t i = 0; i < system.size(); ++i) {
      system.lower[i] = i % n > 0 ? stiffness * (1.5 + system.lower[i]) : 0;
      system.upper[i] = i % n + 1 < n ? stiffness * (1.5 + system.upper[i]) : 0;
      system.row_sum[i] = -1.5 + 0.5 * system.rhs[i];
    }
    system.lower = rounded<Scalar>(system.lower);
    system.upper = rounded<Scalar>(system.upper);
    system.row_sum = rounded<Scalar>(system.row_sum);
    for (std::size_t i = 0; i < system.size(); ++i) {
      system.diagonal[i] = system.row_sum[i] - system.lower[i] - system.upper[i];
    }
    return system;
  }

  Values solution() const {
    return solution_by([](const auto&... part) { return Reference::thomas<long double>(part...); });
  }
  Values cyclic_solution() const {
    return solution_by(
        [](const auto&... part) { return Reference::cyclic_thomas<long double>(part...); });
  }

  /// Sets the couplings with levels beyond the ends, which have no effect.
  void set_ends(double value) {
    const auto n = static_cast<std::size_t>(num_levels);
    for (std::size_t first = 0; first < size(); first += n) {
      lower[first] = upper[first + n - 1] = value;
    }
  }

 private:
  template <class Solve>
  Values solution_by(const Solve& solve) const {
    Values x;
    const auto n = static_cast<std::size_t>(num_levels);
    for (std::size_t first = 0; first < size(); first += n) {
      const auto part = [&](const Values& values) {
        return std::vector<long double>(values.begin() + static_cast<std::ptrdiff_t>(first),
                                        values.begin() + static_cast<std::ptrdiff_t>(first + n));
      };
      for (const long double value : solve(part(lower), part(diagonal), part(upper), part(rhs))) {
        x.push_back(static_cast<double>(value));
      }
    }
    return x;
  }
};

/// The coefficients of a system on the test space.
template <class Scalar, class Layout>
struct LineFields {
  using Field = TestField<Scalar, Layout>;
  Field lower, diagonal, upper, row_sum;

  explicit LineFields(const LineSystem& system, const Padding& padding = {},
                      const Padding& diagonal_padding = {})
      : lower(system.num_columns, system.num_levels, system.lower, padding),
        diagonal(system.num_columns, system.num_levels, system.diagonal, diagonal_padding),
        upper(system.num_columns, system.num_levels, system.upper),
        row_sum(system.num_columns, system.num_levels, system.row_sum) {}

  auto general() const {
    return Lamina::GeneralTridiagonal{lower.const_view(), diagonal.const_view(),
                                      upper.const_view()};
  }
  auto symmetric() const {
    return Lamina::SymmetricTridiagonal{diagonal.const_view(), upper.const_view()};
  }
  auto difference() const {
    return Lamina::DifferenceTridiagonal{lower.const_view(), row_sum.const_view(),
                                         upper.const_view()};
  }
};

}  // namespace LaminaTest
