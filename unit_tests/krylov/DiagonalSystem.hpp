// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Systems that the model problem cannot offer: indefinite, badly conditioned, or not finite at
// will.

#include <lamina/core/Concepts.hpp>
#include <lamina/krylov/FusedStep.hpp>

#include <support/TestField.hpp>

namespace LaminaTest {
// Each unit has classes of its own: where units of one program share a function with an extended
// lambda, code of nvcc 13 calls address 0 when the lambda is destroyed.
namespace {

/// A diagonal matrix as an operator for `Pcg`, and as a model for `FusedPcg` and
/// `FusedPcgStored` without preconditioner. One thread does everything: rounding does not depend on the space.
template <class Scalar, class Layout>
class DiagonalSystem {
 public:
  using scalar_type = Scalar;
  using memory_space = Memory;
  using Step = Lamina::FusedStep<Memory>;

  explicit DiagonalSystem(const Values& diagonal)
      : m_diagonal(static_cast<int>(diagonal.size()), 1, diagonal) {}

  int num_owned() const { return num_columns(); }
  int num_columns() const { return static_cast<int>(m_diagonal.view().extent(0)); }
  int num_levels() const { return 1; }

  KOKKOS_FUNCTION static double product(Scalar a, Scalar b) {
    return static_cast<double>(a) * static_cast<double>(b);
  }

  template <class In, class Out>
  void apply(const TEST_SPACE& space, const In& x, const Out& y) const {
    const int size = num_columns();
    const auto diagonal = m_diagonal.view();
    Kokkos::parallel_for(
        "LaminaTest::apply", Kokkos::RangePolicy<TEST_SPACE>(space, 0, size),
        KOKKOS_LAMBDA(int i) { y(i, 0) = diagonal(i, 0) * x(i, 0); });
  }
  template <class In, class Out>
  void residual(const TEST_SPACE& space, const Step& step, const In& b, const In& x,
                const Out& r) const {
    const int size = num_columns();
    const auto diagonal = m_diagonal.view();
    Kokkos::parallel_for(
        "LaminaTest::residual", Kokkos::RangePolicy<TEST_SPACE>(space, 0, 1), KOKKOS_LAMBDA(int) {
          double sum = 0;
          for (int i = 0; i < size; ++i) {
            r(i, 0) = b(i, 0) - diagonal(i, 0) * x(i, 0);
            sum += product(r(i, 0), r(i, 0));
          }
          step.now[Step::residual2] = sum;
        });
  }

  // The sweeps of `FusedPcg`
  template <class In, class Out>
  void precondition(const TEST_SPACE& space, const Step& step, const In& r, const Out& z) const {
    const int size = num_columns();
    Kokkos::parallel_for(
        "LaminaTest::precondition", Kokkos::RangePolicy<TEST_SPACE>(space, 0, 1),
        KOKKOS_LAMBDA(int) {
          double sum = 0;
          for (int i = 0; i < size && step.preconditions(); ++i) {
            z(i, 0) = r(i, 0);
            sum += product(r(i, 0), z(i, 0));
          }
          step.now[Step::energy] = sum;
        });
  }
  template <class In>
  void measure(const TEST_SPACE& space, const Step& step, const In& z) const {
    const int size = num_columns();
    const auto diagonal = m_diagonal.view();
    Kokkos::parallel_for(
        "LaminaTest::measure", Kokkos::RangePolicy<TEST_SPACE>(space, 0, 1), KOKKOS_LAMBDA(int) {
          double sum = 0;
          for (int i = 0; i < size && step.measures(); ++i) {
            sum += product(z(i, 0), diagonal(i, 0) * z(i, 0));
          }
          step.now[Step::line_curvature] = sum;
        });
  }
  template <class In, class Out>
  void advance(const TEST_SPACE& space, const Step& step, bool update, const In& z, const In& p,
               const Out& new_p, const Out& r, const Out& u) const {
    const int size = num_columns();
    const auto diagonal = m_diagonal.view();
    Kokkos::parallel_for(
        "LaminaTest::advance", Kokkos::RangePolicy<TEST_SPACE>(space, 0, 1), KOKKOS_LAMBDA(int) {
          const auto iteration = step.iteration();
          const auto alpha = static_cast<Scalar>(iteration.alpha);
          const auto before = static_cast<Scalar>(iteration.alpha_before);
          double sum = 0;
          for (int i = 0; i < size && iteration.proceed; ++i) {
            new_p(i, 0) = z(i, 0) + static_cast<Scalar>(iteration.beta) * p(i, 0);
            if (update) u(i, 0) += before * p(i, 0) + alpha * new_p(i, 0);
            r(i, 0) -= alpha * diagonal(i, 0) * new_p(i, 0);
            sum += product(r(i, 0), r(i, 0));
          }
          step.now[Step::curvature] = iteration.curvature;
          step.next[Step::residual2] = sum;
        });
  }

  // The sweeps of `FusedPcgStored`
  template <class In, class Out>
  void precondition(const TEST_SPACE& space, const Step& step, const In& q, const Out& r,
                    const Out& z) const {
    const int size = num_columns();
    Kokkos::parallel_for(
        "LaminaTest::precondition", Kokkos::RangePolicy<TEST_SPACE>(space, 0, 1),
        KOKKOS_LAMBDA(int) {
          const auto residual = step.residual_step();
          double sum = 0;
          for (int i = 0; i < size && residual.proceed; ++i) {
            r(i, 0) -= static_cast<Scalar>(residual.alpha) * q(i, 0);
            z(i, 0) = r(i, 0);
            sum += product(r(i, 0), r(i, 0));
          }
          step.now[Step::residual2] = sum;
          step.now[Step::energy] = sum;
        });
  }
  template <class In, class Out>
  void advance(const TEST_SPACE& space, const Step& step, const In& z, const Out& u, const Out& p,
               const Out& q) const {
    const int size = num_columns();
    const auto diagonal = m_diagonal.view();
    Kokkos::parallel_for(
        "LaminaTest::advance", Kokkos::RangePolicy<TEST_SPACE>(space, 0, 1), KOKKOS_LAMBDA(int) {
          const auto direction = step.direction_step();
          const Scalar beta = static_cast<Scalar>(direction.beta);
          double sum = 0;
          for (int i = 0; i < size && direction.proceed; ++i) {
            u(i, 0) += static_cast<Scalar>(direction.alpha) * p(i, 0);
            p(i, 0) = z(i, 0) + beta * p(i, 0);
            q(i, 0) = diagonal(i, 0) * z(i, 0) + beta * q(i, 0);
            sum += product(p(i, 0), q(i, 0));
          }
          step.now[Step::curvature] = sum;
        });
  }

 private:
  TestField<Scalar, Layout> m_diagonal;
};

/// Positive definite systems, for some of which rounding makes <p, A p> of the recurrence negative
/// before the tolerance is met; which of them depends on the compiler.
template <class Scalar>
std::vector<Values> brittle_diagonals() {
  constexpr bool is_double = std::is_same_v<Scalar, double>;
  const double condition = is_double ? 1e14 : 1e6;
  std::vector<Values> diagonals;
  for (const int size : {5, 8, 12, 16, 20, 30, 60}) {
    Values clusters, line;
    for (int i = 0; i < size; ++i) {
      clusters.push_back((i < size / 2 ? 1 : condition) * (1 + 1e-3 * i));
      line.push_back(1 + (condition - 1) * i / (size - 1));
    }
    diagonals.push_back(rounded<Scalar>(clusters));
    if (!is_double) diagonals.push_back(rounded<Scalar>(line));
  }
  return diagonals;
}

/// The same as a model without `precondition`: z is r, which has two vectors.
template <class Scalar, class Layout>
class PlainDiagonalSystem {
 public:
  using scalar_type = Scalar;
  using memory_space = Memory;
  using Step = Lamina::FusedStep<Memory>;

  explicit PlainDiagonalSystem(const Values& diagonal)
      : m_system(diagonal), m_diagonal(static_cast<int>(diagonal.size()), 1, diagonal) {}

  int num_owned() const { return num_columns(); }
  int num_columns() const { return m_system.num_columns(); }
  int num_levels() const { return 1; }

  template <class In, class Out>
  void residual(const TEST_SPACE& space, const Step& step, const In& b, const In& x,
                const Out& r) const {
    m_system.residual(space, step, b, x, r);
  }
  template <class In>
  void measure(const TEST_SPACE& space, const Step& step, const In& r) const {
    const int size = num_columns();
    const auto diagonal = m_diagonal.view();
    Kokkos::parallel_for(
        "LaminaTest::measure", Kokkos::RangePolicy<TEST_SPACE>(space, 0, 1), KOKKOS_LAMBDA(int) {
          double square = 0, line = 0;
          for (int i = 0; i < size && step.formed_residual(); ++i) {
            square += static_cast<double>(r(i, 0)) * static_cast<double>(r(i, 0));
            line += static_cast<double>(r(i, 0)) * static_cast<double>(diagonal(i, 0) * r(i, 0));
          }
          step.now[Step::residual2] = step.now[Step::energy] = square;
          step.now[Step::line_curvature] = line;
        });
  }
  template <class In, class Out>
  void advance(const TEST_SPACE& space, const Step& step, bool update, const In& r, const In& p,
               const Out& new_p, const Out& new_r, const Out& u) const {
    const int size = num_columns();
    const auto diagonal = m_diagonal.view();
    Kokkos::parallel_for(
        "LaminaTest::advance", Kokkos::RangePolicy<TEST_SPACE>(space, 0, 1), KOKKOS_LAMBDA(int) {
          const auto iteration = step.iteration();
          const auto alpha = static_cast<Scalar>(iteration.alpha);
          const auto before = static_cast<Scalar>(iteration.alpha_before);
          for (int i = 0; i < size && iteration.proceed; ++i) {
            new_p(i, 0) = r(i, 0) + static_cast<Scalar>(iteration.beta) * p(i, 0);
            if (update) u(i, 0) += before * p(i, 0) + alpha * new_p(i, 0);
            new_r(i, 0) = r(i, 0) - alpha * diagonal(i, 0) * new_p(i, 0);
          }
          step.now[Step::curvature] = iteration.curvature;
        });
  }

 private:
  DiagonalSystem<Scalar, Layout> m_system;
  TestField<Scalar, Layout> m_diagonal;
};

/// z = factor r
template <class Scalar>
struct ScalingPreconditioner {
  Scalar factor;

  template <class In, class Out>
  void solve(const TEST_SPACE& space, const In& r, const Out& z) const {
    const Scalar f = factor;
    Kokkos::parallel_for(
        "LaminaTest::scaling",
        Kokkos::RangePolicy<TEST_SPACE>(space, 0, static_cast<int>(r.extent(0))),
        KOKKOS_LAMBDA(int i) {
          for (int k = 0; k < static_cast<int>(r.extent(1)); ++k) z(i, k) = f * r(i, k);
        });
  }
};

}  // namespace
}  // namespace LaminaTest
