// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/CopyBandwidth.hpp>
#include <lamina/distributed/Transport.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "support/options/Choices.hpp"

namespace Lamina::Cli {

struct HelmholtzProblem;
struct HelmholtzTask;
struct HelmholtzResult;
struct PoissonResult;
struct HelmholtzVariant;
struct PointImplicitTask;
struct PointImplicitResult;
struct PoissonTask;
struct ShallowWaterTask;
struct ShallowWaterResult;

/// An execution space of this build as the commands see it: `space_of` makes one from the type.
struct Space {
  std::string_view name;  ///< "openmp"
  Layout best_layout;     ///< the faster one for `helmholtz`, as measured
  bool own_memory;        ///< a device with memory of its own

  // To be called while Kokkos is initialised.
  std::string (*describe)();    ///< "2 threads, <processor>"
  double (*available_bytes)();  ///< of memory
  int (*concurrency)();         ///< threads that work at a time
  std::vector<CopyMeasurement> (*copy_bandwidth)(std::size_t bytes);  ///< of both arrays
  std::size_t (*copy_bandwidth_bytes)();                              ///< of a process alone
  std::vector<TransportReport::Candidate> (*transports)();            ///< between ranks. Collective
  /// Bytes that such a solve allocates in the memory of the space, at most.
  double (*helmholtz_bytes)(const HelmholtzProblem& problem, const HelmholtzVariant& variant);
  // One for each model; `space_of` sets it.
  HelmholtzResult (*solve_helmholtz)(const HelmholtzTask& task);
  PointImplicitResult (*solve_point_implicit)(const PointImplicitTask& task);
  PoissonResult (*solve_poisson)(const PoissonTask& task);
  ShallowWaterResult (*solve_shallow_water)(const ShallowWaterTask& task);
};

/// One space; specialised in Space_<Name>.cpp.
template <class Execution>
Space make_space();

/// The spaces compiled in, the fastest first.
const std::vector<Space>& enabled_spaces();

/// The same as values of an option.
Choices<const Space*> space_choices();

}  // namespace Lamina::Cli
