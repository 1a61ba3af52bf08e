// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/distributed/impl/RequireSame.hpp>
#include <lamina/distributed/impl/TransportCalls.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>

namespace Lamina::Impl {
namespace {

std::string digits_of(double value) {
  std::ostringstream text;
  text.precision(std::numeric_limits<double>::digits10);
  text << value;
  return text.str();
}

}  // namespace

void require_same(const char* function, const Transport& transport,
                  const std::vector<SharedParameter>& parameters) {
  for (const SharedParameter& parameter : parameters) {
    const auto values = gather_values(transport, parameter.value);
    for (std::size_t rank = 1; rank < values.size(); ++rank) {
      // NaN is refused elsewhere.
      LAMINA_REQUIRE(
          std::bit_cast<std::uint64_t>(values[rank]) == std::bit_cast<std::uint64_t>(values[0]),
          function,
          std::string(parameter.name) + ": expected the same on all ranks, got " +
              digits_of(values[0]) + " on rank 0 and " + digits_of(values[rank]) + " on rank " +
              std::to_string(rank));
    }
  }
}

}  // namespace Lamina::Impl
