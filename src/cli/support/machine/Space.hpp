// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/CopyBandwidth.hpp>
#include <lamina/distributed/Transport.hpp>

#include <cstddef>
#include <string>
#include <typeindex>
#include <vector>

#include "support/options/Choices.hpp"

namespace Lamina::Cli {

/// An execution space of this build, and the machine behind it. What a model does there is called by `on_space`.
struct Space {
  std::type_index type;  ///< of the execution space
  std::string name;      ///< "openmp"
  Layout best_layout;    ///< the faster one for `helmholtz`, as measured
  bool own_memory;       ///< a device with memory of its own

  // To be called while Kokkos is initialised.
  std::string (*describe)();    ///< "2 threads, <processor>"
  double (*available_bytes)();  ///< of memory
  int (*concurrency)();         ///< threads that work at a time
  std::vector<CopyMeasurement> (*copy_bandwidth)(std::size_t bytes);  ///< of both arrays
  std::size_t (*copy_bandwidth_bytes)();                              ///< of a process alone
  std::vector<TransportReport::Candidate> (*transports)();            ///< between ranks. Collective
};

/// The spaces compiled in, the fastest first.
const std::vector<Space>& enabled_spaces();

/// The same as values of an option.
Choices<const Space*> space_choices();

}  // namespace Lamina::Cli
