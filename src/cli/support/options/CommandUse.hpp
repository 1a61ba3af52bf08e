// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>

#include "support/options/Choices.hpp"
#include "support/options/CommandLine.hpp"

namespace Lamina::Cli {

/// Whether options are those of a command, or of its comparison. Of a choice that was not given,
/// the command takes the best and the comparison all.
enum class CommandUse { one_solve, comparison };

/// Help on a choice: a list of names with the default in brackets.
template <class Value>
std::string choice_text(const std::string& what, const Choices<Value>& choices, CommandUse use,
                        const std::string& otherwise, bool with_auto = false) {
  const bool all = use == CommandUse::comparison;
  return fmt::format("{}: {}{} [{}]", what, list_names(choices), with_auto && !all ? "|auto" : "",
                     all ? "all" : otherwise);
}

/// A choice where `auto` leaves it to the command, like an option that is absent.
template <class Value>
std::optional<Value> choice_or_auto(const CommandLine& line, const std::string& name,
                                    const Choices<Value>& choices, CommandUse use) {
  const bool automatic = use == CommandUse::one_solve && line.text(name, "auto") == "auto";
  return automatic ? std::nullopt : line.choice(name, choices);
}

}  // namespace Lamina::Cli
