// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/machine/MemoryNeed.hpp"

#include <fmt/format.h>

#include <string_view>

#include "support/machine/HostMachine.hpp"
#include "support/machine/Space.hpp"
#include "support/options/InputError.hpp"

namespace Lamina::Cli {
namespace {

std::string shortage(double needed, double available, std::string_view where) {
  if (needed <= available) return "";
  constexpr double gib = 1024.0 * 1024.0 * 1024.0;
  return fmt::format("needs {:.1f} GiB of {} memory, {:.1f} GiB are available", needed / gib, where,
                     available / gib);
}

}  // namespace

std::string shortage_of(const Space& space, double needed, double mirrored) {
  std::string here =
      shortage(needed, space.available_bytes(), space.own_memory ? space.name : "host");
  if (!here.empty() || !space.own_memory) return here;
  return shortage(mirrored, HostMachine::available_bytes(), "host");
}

std::string copy_shortage(const Space& space) {
  const std::string text = shortage_of(space, static_cast<double>(space.copy_bandwidth_bytes()));
  return text.empty() ? "" : "measuring copy bandwidth " + text;
}

void require_copies_fit(const Space& space) {
  const std::string text = copy_shortage(space);
  if (!text.empty()) throw InputError("--space: " + text);
}

std::vector<CopyMeasurement> measured_copies(const Space& space, bool wanted, Progress& progress) {
  if (!wanted) return {};
  require_copies_fit(space);
  progress.show("measuring copy bandwidth");
  return space.copy_bandwidth();
}

}  // namespace Lamina::Cli
