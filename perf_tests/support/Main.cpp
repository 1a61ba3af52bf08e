// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/Version.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>

#include "Runner.hpp"

namespace {

/// Takes `--tiny` out of the arguments.
bool take_tiny(int& argc, char* argv[]) {
  const auto end = std::remove_if(argv + 1, argv + argc, [](const char* argument) {
    return std::strcmp(argument, "--tiny") == 0;
  });
  const bool found = end != argv + argc;
  *end = nullptr;
  argc = static_cast<int>(end - argv);
  return found;
}

}  // namespace

// Exits with 1 where a benchmark reports an error, and with 2 where the arguments ask for nothing that
// there is.
int main(int argc, char* argv[]) try {
  Lamina::Perf::tiny_run() = take_tiny(argc, argv);
  Lamina::Perf::register_benchmarks();
  Kokkos::initialize(argc, argv);  // takes --kokkos-* out of the arguments
  benchmark::Initialize(&argc, argv);
  std::size_t matches = 0;
  if (!benchmark::ReportUnrecognizedArguments(argc, argv)) {
    benchmark::AddCustomContext("lamina_version", LAMINA_VERSION_STRING);
    benchmark::AddCustomContext("kokkos_version", std::to_string(KOKKOS_VERSION));
    matches = benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
  }
  Lamina::Perf::current_subject().reset();
  Kokkos::finalize();
  if (matches == 0) return 2;
  return Lamina::Perf::any_failed() ? 1 : 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
