// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>

#include <exception>
#include <memory>
#include <string>

#include "support/ranks/Ranks.hpp"

// How processes that a launcher started find each other. MpiRanks.cpp has it by MPI, and is the one
// file of the program that includes mpi.h; builds without MPI have NoRanks.cpp instead.

namespace Lamina::Cli {

/// Connects this process with the others of its launch, or returns the connection. Null for a process
/// that was started alone: then MPI is not started.
/// \throws InputError where that cannot be; all processes throw it
const Ranks* connect_ranks();

/// The same after work of each process alone. All hear of its failure.
/// \throws SharedError, or of one process what `before` throws
template <class Work>
const Ranks* connect_ranks_after(const Work& before) {
  std::exception_ptr failure;
  try {
    before();
  } catch (...) {
    failure = std::current_exception();
  }
  const Ranks* ranks = connect_ranks();
  run_agreed(ranks, [&] {
    if (failure) std::rethrow_exception(failure);
  });
  return ranks;
}

/// What `connect_ranks` returned; null before it was called.
const Ranks* connected_ranks();

/// Ends the connection, where there is one: all wait for each other here.
void disconnect_ranks();

/// Ranks that give up on another one do so at the same time. Gives those of lower rank the time to
/// tell, and to end all processes: then this one ends here.
void wait_for_turn();

/// Ends all processes of the launch, as this one cannot go on and others may wait for it. Prints a
/// line with the rank. Status 2.
[[noreturn]] void abort_ranks(const std::string& who, const std::string& message);

/// A transport for fields in the memory of a space. Collective; fails on all ranks or on none.
/// \param name  as `TransportOptions::name`
template <ExecutionSpace Space>
std::shared_ptr<const Transport> connect_memory(const Space& space, const std::string& name);

}  // namespace Lamina::Cli
