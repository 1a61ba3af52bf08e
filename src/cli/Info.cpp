// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/Version.hpp>
#include <lamina/io/PanelFile.hpp>

#include <fmt/format.h>

#include <cstdio>

#include "Commands.hpp"
#include "support/ExitStatus.hpp"
#include "support/machine/MemoryNeed.hpp"
#include "support/machine/Space.hpp"
#include "support/options/CommandLine.hpp"
#include "support/output/Text.hpp"

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

}  // namespace

int info_command(const Arguments& arguments) {
  CommandLine line("lamina info",
                   "Say what was built in, and what copy bandwidth its spaces reach");
  line.footer("Options --kokkos-* go to Kokkos, see --kokkos-help.");
  if (!line.parse(arguments.own)) return success;
  const KokkosSession session(arguments.kokkos);
  print("Lamina {}\n\n", LAMINA_VERSION_STRING);
  print("  {:<12}{}, Kokkos Kernels {}\n", "Kokkos", kokkos_version(),
        LAMINA_KOKKOS_KERNELS_VERSION);
  print("  {:<12}{}\n", "compiler", compiler());
  print("  {:<12}NetCDF {}\n", "files", netcdf_version());
  for (const Space& space : enabled_spaces()) {
    print("\n  {:<12}{}\n", space.name, space.describe());
    flush_output();
    const std::string shortage = copy_shortage(space);
    if (shortage.empty()) {
      print_copy(space.copy_bandwidth());
    } else {
      print("  {:<12}unknown: {}\n", "copy", shortage);
    }
  }
  return success;
}

}  // namespace Lamina::Cli
