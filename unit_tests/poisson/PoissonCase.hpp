// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/krylov/FusedCg.hpp>
#include <lamina/krylov/Pcg.hpp>
#include <lamina/poisson/FusedPoisson.hpp>
#include <lamina/poisson/PoissonOperator.hpp>

#include <gtest/gtest.h>
#include <reference/ConjugateGradients.hpp>
#include <reference/Poisson.hpp>
#include <support/FieldTypes.hpp>
#include <support/TestField.hpp>

namespace LaminaTest {

using Lamina::StencilMemory;

/// Sides of the square: below, at and beyond vectors, packs, tiles and their multiples.
inline constexpr int poisson_sizes[] = {1, 2, 3, 5, 7, 8, 15, 16, 17, 31, 63, 64, 65, 130, 257};
inline constexpr StencilMemory all_memories[] = {StencilMemory::global, StencilMemory::texture1d,
                                                 StencilMemory::texture2d, StencilMemory::shared,
                                                 StencilMemory::automatic};

inline Values random_square(int n, std::uint64_t seed) {
  return random_values(static_cast<std::size_t>(n) * static_cast<std::size_t>(n), seed);
}

/// A solve of the twin.
inline Reference::Solution poisson_twin(int n, const Values& b, const Values& guess,
                                        double tolerance, int max_iterations) {
  return Reference::pcg([n](const Values& x) { return Reference::poisson(n, x); },
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
    return Lamina::FusedCg(TEST_SPACE(), Lamina::FusedPoisson<Scalar, Memory>(TEST_SPACE(), op));
  }
  /// Launches each sweep, also on a device.
  static auto swept(const Operator& op) {
    using Model = Lamina::FusedPoisson<Scalar, Memory>;
    return Lamina::FusedCg(TEST_SPACE(), Model(TEST_SPACE(), op, Lamina::OnChip::never));
  }
  template <class Plan>
  static Solved solve(Plan plan, int n, const Values& b, const Lamina::StoppingCriteria& criteria,
                      const Values& guess = {}) {
    const Field b_field(n, n, b), x(n, n, guess.empty() ? Values(b.size(), 0.0) : guess);
    const auto report = plan.solve(TEST_SPACE(), b_field.const_view(), x.view(), criteria);
    return {report, x.get()};
  }
};

}  // namespace LaminaTest
