// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/machine/Space.hpp"

#include <lamina/device/impl/Instantiate.hpp>

#include <cctype>
#include <type_traits>

#include "support/machine/DeviceMachine.hpp"
#include "support/machine/HostMachine.hpp"
#include "support/ranks/TransportTrial.hpp"

namespace Lamina::Cli {
namespace {

template <ExecutionSpace Execution>
Space make_space() {
  constexpr bool on_host = runs_on_host<Execution>;
  using Machine = std::conditional_t<on_host, HostMachine, DeviceMachine>;
  std::string name = Execution::name();
  for (char& letter : name) letter = static_cast<char>(std::tolower(letter));
  return {.type = typeid(Execution),
          .name = name,
          .best_layout = on_host ? Layout::right : Layout::left,
          .own_memory = !on_host,
          .describe = [] { return Machine::describe(Execution().concurrency()); },
          .available_bytes = Machine::available_bytes,
          .concurrency = [] { return static_cast<int>(Execution().concurrency()); },
          .copy_bandwidth =
              [](std::size_t bytes) { return measure_copy_bandwidth(Execution(), bytes / 2); },
          .copy_bandwidth_bytes = copy_bandwidth_bytes<Execution>,
          .transports = try_transports<Execution>};
}

}  // namespace

const std::vector<Space>& enabled_spaces() {
#define LAMINA_MAKE_SPACE(Execution) make_space<Execution>(),
  static const std::vector<Space> slowest_first{LAMINA_FOR_EACH_SPACE(LAMINA_MAKE_SPACE)};
#undef LAMINA_MAKE_SPACE
  static const std::vector<Space> spaces(slowest_first.rbegin(), slowest_first.rend());
  return spaces;
}

Choices<const Space*> space_choices() {
  Choices<const Space*> choices;
  for (const Space& space : enabled_spaces()) choices.push_back({space.name, &space});
  return choices;
}

}  // namespace Lamina::Cli
