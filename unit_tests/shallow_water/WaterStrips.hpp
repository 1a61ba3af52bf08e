// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Shallow water over strips, by any transport.

#include <lamina/shallow_water/WaterStrip.hpp>

#include <distributed/AwkwardStrips.hpp>
#include <shallow_water/WaterCase.hpp>

#include <cstddef>
#include <limits>

namespace LaminaTest {

/// The part of a rank of values (i, j) of the whole rectangle, in the order i * ny + j.
inline Values lines_of_rank(const Lamina::WaterStrip<Memory>& strip, const Values& whole) {
  const auto [nx, ny] = strip.owned();
  Values values;
  for (int i = 0; i < nx; ++i) {
    const auto begin =
        whole.begin() + static_cast<std::ptrdiff_t>(i) * strip.whole().ny + strip.first_line();
    values.insert(values.end(), begin, begin + ny);
  }
  return values;
}
inline WaterState lines_of_rank(const Lamina::WaterStrip<Memory>& strip, const WaterState& whole) {
  return {lines_of_rank(strip, whole.height), lines_of_rank(strip, whole.u),
          lines_of_rank(strip, whole.v)};
}

/// A state of the lines of a rank.
template <class Scalar>
Lamina::ShallowWaterState<Scalar, Memory> state_of_rank(const Lamina::WaterStrip<Memory>& strip,
                                                        const WaterState& whole) {
  using Field = typename WaterCase<Scalar>::Field;
  const Lamina::ShallowWaterState<Scalar, Memory> state(strip);
  const auto y = lines_of_rank(strip, whole);
  const auto [nx, ny] = strip.owned();
  const Field height(nx, ny, y.height), u(nx, ny, y.u), v(nx, ny, y.v);
  state.set(TEST_SPACE(), height.const_view(), u.const_view(), v.const_view());
  Kokkos::fence();
  return state;
}

/// Steps over all ranks are those of one process.
template <class Scalar, template <class, class> class Plan, class... Options>
void expect_one_run(const Lamina::Transport& transport, const Rectangle& whole, int steps,
                    const Options&... options) {
  using Case = WaterCase<Scalar>;
  const auto y = rounded_water<Scalar>(random_water(whole, 31));
  const double dt = 0.1 / whole.nx;
  auto alone = Case::make(whole, y);
  Plan<Scalar, Memory> plan_alone(whole, dt, coriolis, options...);
  const auto expected_report = run_steps(plan_alone, alone, steps);
  const WaterState expected = Case::get(alone);
  for (const auto& [name, lines] : awkward_strips(whole.ny, transport.size())) {
    SCOPED_TRACE(testing::Message()
                 << text_of(whole) << ", " << name << ", " << transport.size() << " ranks");
    const Lamina::WaterStrip<Memory> strip(transport, whole, lines);
    auto state = state_of_rank<Scalar>(strip, y);
    Plan<Scalar, Memory> plan(strip, dt, coriolis, options...);
    const auto report = run_steps(plan, state, steps);
    EXPECT_EQ(report.status, Lamina::SolveStatus::completed);
    EXPECT_EQ(report.mass_iterations, expected_report.mass_iterations);
    EXPECT_EQ(report.newton_iterations, expected_report.newton_iterations);
    EXPECT_EQ(report.cg_iterations, expected_report.cg_iterations);
    // Solves along y end with other roundings near cuts: 1e-14 a step in double precision.
    const double tolerance = 50 * std::numeric_limits<Scalar>::epsilon() * steps;
    expect_water_near(Case::get(state), lines_of_rank(strip, expected), tolerance);
  }
}

}  // namespace LaminaTest
