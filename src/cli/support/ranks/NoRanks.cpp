// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/device/impl/Instantiate.hpp>

#include <cstdlib>

#include "support/ExitStatus.hpp"
#include "support/machine/Launcher.hpp"
#include "support/options/InputError.hpp"
#include "support/ranks/RankConnection.hpp"

namespace Lamina::Cli {

const Ranks* connect_ranks() {
  if (const auto launch = find_launch()) {
    throw InputError("expected one process, got " + std::to_string(launch->processes) + " by " +
                     launch->launcher + ": this program was built without MPI");
  }
  return nullptr;
}

const Ranks* connected_ranks() { return nullptr; }

void disconnect_ranks() {}

void wait_for_turn() {}

void abort_ranks(const std::string&, const std::string&) { std::_Exit(bad_input); }

template <ExecutionSpace Space>
std::shared_ptr<const Transport> connect_memory(const Space&, const std::string&) {
  return make_loopback_transport();
}

#define LAMINA_CONNECT_MEMORY(Space) \
  template std::shared_ptr<const Transport> connect_memory(const Space&, const std::string&);
LAMINA_FOR_EACH_SPACE(LAMINA_CONNECT_MEMORY)

}  // namespace Lamina::Cli
