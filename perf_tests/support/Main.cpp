// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/Version.hpp>

#include <benchmark/benchmark.h>

#include <cstdio>
#include <exception>

#include "Runner.hpp"

int main(int argc, char* argv[]) try {
  Lamina::Perf::register_benchmarks();
  Kokkos::initialize(argc, argv);  // takes --kokkos-* out of the arguments
  benchmark::Initialize(&argc, argv);
  const bool understood = !benchmark::ReportUnrecognizedArguments(argc, argv);
  if (understood) {
    benchmark::AddCustomContext("lamina_version", LAMINA_VERSION_STRING);
    benchmark::AddCustomContext("kokkos_version", std::to_string(KOKKOS_VERSION));
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
  }
  Lamina::Perf::current_subject().reset();
  Kokkos::finalize();
  return understood ? 0 : 2;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
