// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/machine/MemoryNeed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "support/machine/HostMachine.hpp"
#include "support/machine/Space.hpp"
#include "support/options/InputError.hpp"
#include "support/ranks/Ranks.hpp"

namespace Lamina::Cli {
namespace {

std::string shortage(double needed, double available, std::string_view where) {
  if (needed <= available) return "";
  constexpr double gib = 1024.0 * 1024.0 * 1024.0;
  return fmt::format("needs {:.1f} GiB of {} memory, {:.1f} GiB are available", needed / gib, where,
                     available / gib);
}

}  // namespace

int sharers_of(const Ranks* ranks) { return ranks == nullptr ? 1 : ranks->num_on_host(); }

std::string shortage_of(const Space& space, double needed, double mirrored, int sharers) {
  const double on_host = sharers * (space.own_memory ? mirrored : needed);
  if (space.own_memory) {
    std::string here = shortage(needed, space.available_bytes(), space.name);
    if (!here.empty()) return here;
  }
  return shortage(on_host, HostMachine::available_bytes(), "host");
}

std::size_t copied_bytes(const Space& space, int sharers) {
  constexpr std::size_t least = 1024;  // with fewer, clocks see no time pass
  const char* const text = std::getenv("LAMINA_COPY_BYTES");
  if (text == nullptr) {
    // Copies that take much less would not run at the same time on all ranks.
    constexpr std::size_t least_of_rank = std::size_t(128) << 20;
    const std::size_t alone = space.copy_bandwidth_bytes();
    if (space.own_memory) return alone;
    return std::max(alone / static_cast<std::size_t>(sharers), std::min(alone, least_of_rank));
  }
  const std::string_view view(text);
  std::size_t bytes = 0;
  const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), bytes);
  if (error != std::errc() || end != view.data() + view.size() || bytes < least) {
    throw InputError(
        fmt::format("LAMINA_COPY_BYTES: expected a number of bytes, at least {}, got {}", least,
                    view.empty() ? "nothing" : view));
  }
  return bytes;
}

std::string copy_shortage(const Space& space, int sharers) {
  const auto bytes = static_cast<double>(copied_bytes(space, sharers));
  const std::string text = shortage_of(space, bytes, 0, sharers);
  return text.empty() ? "" : "measuring copy bandwidth " + text;
}

void require_copies_fit(const Space& space, int sharers) {
  const std::string text = copy_shortage(space, sharers);
  if (!text.empty()) throw InputError("--space: " + text);
}

std::vector<CopyMeasurement> measured_copies(const Space& space, bool wanted, Progress& progress,
                                             const Ranks* ranks) {
  if (!wanted) return {};
  const int sharers = sharers_of(ranks);
  run_agreed(ranks, [&] { require_copies_fit(space, sharers); });
  progress.show("measuring copy bandwidth");
  std::vector<CopyMeasurement> copies;
  run_agreed(ranks, [&] { copies = space.copy_bandwidth(copied_bytes(space, sharers)); });
  for (CopyMeasurement& copy : copies) copy.gb_per_s = sum_of_all(ranks, copy.gb_per_s);
  return copies;
}

}  // namespace Lamina::Cli
