// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Require.hpp>
#include <lamina/core/StoppingCriteria.hpp>

#include <cmath>
#include <string>

namespace Lamina::Impl {

/// \throws InvalidArgument for criteria out of range.
inline void require_criteria(const char* function, const StoppingCriteria& criteria,
                             int max_check_every) {
  const auto valid = [](double value) { return std::isfinite(value) && value >= 0; };
  LAMINA_REQUIRE(
      valid(criteria.tolerance), function,
      "criteria.tolerance: expected a value >= 0, got " + std::to_string(criteria.tolerance));
  LAMINA_REQUIRE(valid(criteria.absolute_tolerance), function,
                 "criteria.absolute_tolerance: expected a value >= 0, got " +
                     std::to_string(criteria.absolute_tolerance));
  LAMINA_REQUIRE(criteria.max_iterations >= 0, function,
                 "criteria.max_iterations: expected a value >= 0, got " +
                     std::to_string(criteria.max_iterations));
  LAMINA_REQUIRE(criteria.check_every >= 0 && criteria.check_every <= max_check_every, function,
                 "criteria.check_every: expected 0 to " + std::to_string(max_check_every) +
                     ", got " + std::to_string(criteria.check_every));
}

}  // namespace Lamina::Impl
