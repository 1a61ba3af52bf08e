// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/krylov/Pcg.hpp>
#include <lamina/poisson/FusedPoisson.hpp>
#include <lamina/poisson/PoissonOperator.hpp>

#include <gtest/gtest.h>
#include <reference/ConjugateGradients.hpp>
#include <reference/Poisson.hpp>
#include <support/FieldTypes.hpp>
#include <support/TestField.hpp>

#include <utility>
#include <vector>

namespace LaminaTest {

using Lamina::Rectangle;
using Lamina::StencilMemory;

/// Sides of the square: below, at and beyond vectors, packs, tiles and their multiples.
inline constexpr int poisson_sizes[] = {1, 2, 3, 5, 7, 8, 15, 16, 17, 31, 63, 64, 65, 130, 257};
inline constexpr StencilMemory all_memories[] = {StencilMemory::global, StencilMemory::texture1d,
                                                 StencilMemory::texture2d, StencilMemory::shared,
                                                 StencilMemory::automatic};

/// Squares of all sizes, and narrow, flat and other rectangles.
inline std::vector<Rectangle> poisson_rectangles() {
  std::vector<Rectangle> all{{1, 5},  {5, 1},  {2, 64},   {64, 2},
                             {7, 16}, {17, 3}, {130, 31}, {31, 257}};
  for (const int n : poisson_sizes) all.push_back(Rectangle::square(n));
  return all;
}

inline Values random_field(const Rectangle& rectangle, std::uint64_t seed) {
  return random_values(static_cast<std::size_t>(rectangle.cells()), seed);
}
inline Values random_square(int n, std::uint64_t seed) {
  return random_field(Rectangle::square(n), seed);
}

/// A solve of the twin.
inline Reference::Solution poisson_twin(const Rectangle& rectangle, const Values& b,
                                        const Values& guess, double tolerance, int max_iterations) {
  const auto [nx, ny] = rectangle;
  return Reference::pcg(
      [nx = nx, ny = ny](const Values& x) { return Reference::poisson(nx, ny, x); },
      [](const Values& r) { return r; }, b, guess, tolerance, max_iterations);
}

template <class Scalar, class Layout>
struct PoissonCase {
  using Field = TestField<Scalar, Layout>;
  using Operator = Lamina::PoissonOperator<Scalar, Memory>;

  struct Solved {
    Lamina::SolveReport report;
    Values x;
  };

  static auto plain(const Operator& op) {
    return Lamina::Pcg(TEST_SPACE(), op, Lamina::IdentityPreconditioner());
  }
  static auto fused(const Operator& op) {
    return Lamina::FusedPcg(TEST_SPACE(), Lamina::FusedPoisson<Scalar, Memory>(TEST_SPACE(), op));
  }
  /// Launches each sweep, also on a device.
  static auto swept(const Operator& op) {
    using Model = Lamina::FusedPoisson<Scalar, Memory>;
    return Lamina::FusedPcg(TEST_SPACE(), Model(TEST_SPACE(), op, Lamina::OnChip::never));
  }
  template <class Plan>
  static Solved solve(Plan plan, int n, const Values& b, const Lamina::StoppingCriteria& criteria,
                      const Values& guess = {}) {
    return solve(std::move(plan), Rectangle::square(n), b, criteria, guess);
  }
  template <class Plan>
  static Solved solve(Plan plan, const Rectangle& rectangle, const Values& b,
                      const Lamina::StoppingCriteria& criteria, const Values& guess = {}) {
    const auto [nx, ny] = rectangle;
    const Field b_field(nx, ny, b), x(nx, ny, guess.empty() ? Values(b.size(), 0.0) : guess);
    const auto report = plan.solve(TEST_SPACE(), b_field.const_view(), x.view(), criteria);
    return {report, x.get()};
  }
};

}  // namespace LaminaTest
