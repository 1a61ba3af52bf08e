// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <exception>
#include <string>
#include <vector>

#include "support/ranks/RankConnection.hpp"

namespace Lamina::Cli {

/// Tries all transports between connected ranks for fields in the memory of a space. Collective.
/// \throws TransportTimeout where a rank does not come
template <class Execution>
std::vector<TransportReport::Candidate> try_transports() {
  std::vector<TransportReport::Candidate> candidates;
  for (const std::string name : {"peer", "nccl", "mpi-device", "mpi-host"}) {
    try {
      candidates.push_back(connect_memory(Execution(), name)->report().candidates.back());
    } catch (const TransportTimeout&) {
      throw;
    } catch (const std::exception& error) {
      const std::string message = error.what(), before = "got " + name + ": ";
      const auto place = message.find(before);
      candidates.push_back(
          {.name = name,
           .reason = place == message.npos ? message : message.substr(place + before.size())});
    }
  }
  return candidates;
}

}  // namespace Lamina::Cli
