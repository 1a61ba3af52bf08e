// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/helmholtz/HelmholtzOperator.hpp>
#include <lamina/helmholtz/impl/VerticalVectors.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace Lamina::Impl {

namespace {

void require_parameters(const HelmholtzParameters& parameters, std::size_t num_levels) {
  const double omega2 = parameters.omega2, lambda2 = parameters.lambda2;
  LAMINA_REQUIRE(std::isfinite(omega2) && omega2 > 0, "HelmholtzOperator",
                 "omega2: expected a positive value, got " + std::to_string(omega2));
  LAMINA_REQUIRE(std::isfinite(lambda2) && lambda2 >= 0, "HelmholtzOperator",
                 "lambda2: expected a value >= 0, got " + std::to_string(lambda2));
  const std::vector<double>& factors = parameters.stratification;
  LAMINA_REQUIRE(factors.empty() || factors.size() + 1 == num_levels, "HelmholtzOperator",
                 "stratification: expected a value for each of " + std::to_string(num_levels - 1) +
                     " interfaces, got " + std::to_string(factors.size()));
  for (std::size_t k = 0; k < factors.size(); ++k) {
    LAMINA_REQUIRE(std::isfinite(factors[k]) && factors[k] >= 0, "HelmholtzOperator",
                   "stratification above level " + std::to_string(k) +
                       ": expected a value >= 0, got " + std::to_string(factors[k]));
  }
}

}  // namespace

VerticalVectors::VerticalVectors(const VerticalGrid& grid, const HelmholtzParameters& parameters) {
  require_parameters(parameters, static_cast<std::size_t>(grid.num_levels()));
  const double omega2 = parameters.omega2;
  const auto levels = static_cast<std::size_t>(grid.num_levels());
  const auto& h = grid.thicknesses();
  // Flux through the interface above level k, over the volume of level `of`
  const auto coupling = [&](std::size_t k, std::size_t of) {
    const double factor = parameters.stratification.empty() ? 1 : parameters.stratification[k];
    return factor * parameters.lambda2 * grid.interface_area(static_cast<int>(k) + 1) /
           ((h[k] + h[k + 1]) / 2) / grid.volume(static_cast<int>(of));
  };
  for (std::size_t k = 0; k < levels; ++k) {
    mass.push_back(-1 / omega2);
    above.push_back(k + 1 < levels ? coupling(k, k) : 0);
    below.push_back(k > 0 ? coupling(k - 1, k) : 0);
    scale.push_back(-omega2 * grid.volume(static_cast<int>(k)));
    inverse_scale.push_back(1 / scale.back());
  }
}

}  // namespace Lamina::Impl
