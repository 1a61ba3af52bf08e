// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/machine/Space.hpp"

#include <lamina/device/impl/Instantiate.hpp>

namespace Lamina::Cli {

// Each in a file of its own: Space_<Name>.cpp.
#define LAMINA_DECLARE_SPACE(Execution) \
  template <>                           \
  Space make_space<Execution>();
LAMINA_FOR_EACH_SPACE(LAMINA_DECLARE_SPACE)

const std::vector<Space>& enabled_spaces() {
#define LAMINA_MAKE_SPACE(Execution) make_space<Execution>(),
  static const std::vector<Space> slowest_first{LAMINA_FOR_EACH_SPACE(LAMINA_MAKE_SPACE)};
  static const std::vector<Space> spaces(slowest_first.rbegin(), slowest_first.rend());
  return spaces;
}

Choices<const Space*> space_choices() {
  Choices<const Space*> choices;
  for (const Space& space : enabled_spaces()) choices.push_back({space.name, &space});
  return choices;
}

}  // namespace Lamina::Cli
