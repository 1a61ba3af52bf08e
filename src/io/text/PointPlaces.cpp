// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/io/PointPlaces.hpp>

#include <string>

namespace Lamina {

void Impl::require_point_values(const char* function, const PointPlaces& places, int num_components,
                                std::size_t num_values) {
  LAMINA_REQUIRE(num_components >= 1, function,
                 "argument num_components: expected >= 1, got " + std::to_string(num_components));
  const auto components = static_cast<std::size_t>(num_components);
  LAMINA_REQUIRE(num_values % components == 0, function,
                 "argument solution: expected a multiple of " + std::to_string(num_components) +
                     " values, got " + std::to_string(num_values));
  for (const std::size_t size : {places.coordinates.size(), places.tags.size()}) {
    LAMINA_REQUIRE(size == 0 || size == num_values / components, function,
                   "argument places: expected none or " + std::to_string(num_values / components) +
                       " points, got " + std::to_string(size));
  }
}

}  // namespace Lamina
