// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/Version.hpp>
#include <lamina/io/PanelFile.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "Commands.hpp"
#include "support/ExitStatus.hpp"
#include "support/machine/MemoryNeed.hpp"
#include "support/machine/Space.hpp"
#include "support/options/CommandLine.hpp"
#include "support/output/Text.hpp"
#include "support/ranks/RankConnection.hpp"

namespace Lamina::Cli {
namespace {

std::string compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#elif defined(__GNUC__)
  return "gcc " __VERSION__;
#else
  return "unknown";
#endif
}

void print_ranks(const Ranks& ranks) {
  std::map<std::string, int> on_host;
  for (const std::string& host : ranks.hosts()) ++on_host[host];
  std::string hosts;
  for (const auto& [host, count] : on_host) {
    hosts += fmt::format("{}{} ({})", hosts.empty() ? "" : ", ", host, count);
  }
  print("  {:<12}{} on {} host{}: {}\n", "ranks", ranks.size(), on_host.size(),
        on_host.size() == 1 ? "" : "s", hosts);
}

void print_transports(const Space& space) {
  for (const auto& candidate : space.transports()) {
    if (candidate.usable) {
      print("  {:<12}exchange of 8 bytes {:.1f} us, sum {:.1f} us, {:.1f} GB/s\n", candidate.name,
            candidate.exchange_us, candidate.reduction_us, candidate.gb_per_s);
    } else {
      print("  {:<12}no: {}\n", candidate.name, candidate.reason);
    }
  }
}

void print_devices(const Space& space, const Ranks& ranks) {
  const auto devices = ranks.gather_at_first(space.describe());
  for (std::size_t n = 0; n < devices.size(); ++n) {
    print("  {:<12}{}\n", fmt::format("rank {}", n), devices[n]);
  }
}

/// The copy bandwidth is that of all ranks together.
void print_space_info(const Space& space, const Ranks* ranks) {
  print("\n  {:<12}{}\n", space.name, space.describe());
  if (ranks != nullptr && space.own_memory) print_devices(space, *ranks);
  flush_output();
  std::string shortage;
  run_agreed(ranks, [&] { shortage = copy_shortage(space, sharers_of(ranks)); });
  if (largest_of_all(ranks, shortage.empty() ? 0 : 1) == 0) {
    Progress none(false);
    print_copy(measured_copies(space, true, none, ranks));
  } else {
    print("  {:<12}unknown: {}\n", "copy", shortage);
  }
  if (ranks != nullptr) print_transports(space);
}

}  // namespace

int info_command(const Arguments& arguments) {
  CommandLine line("lamina info",
                   "Say what was built in, and what copy bandwidth its spaces reach");
  line.footer("Options --kokkos-* go to Kokkos, see --kokkos-help.");
  bool wanted = false;
  const Ranks* ranks = connect_ranks_after([&] { wanted = line.parse(arguments.own); });
  if (!wanted) return success;
  std::optional<KokkosSession> session;
  run_agreed(ranks, [&] { session.emplace(arguments.kokkos); });
  print("Lamina {}\n\n", LAMINA_VERSION_STRING);
  print("  {:<12}{}, Kokkos Kernels {}\n", "Kokkos", kokkos_version(),
        LAMINA_KOKKOS_KERNELS_VERSION);
  print("  {:<12}{}\n", "compiler", compiler());
  print("  {:<12}NetCDF {}\n", "files", netcdf_version());
  if (ranks != nullptr) print_ranks(*ranks);
  for (const Space& space : enabled_spaces()) print_space_info(space, ranks);
  return success;
}

}  // namespace Lamina::Cli
