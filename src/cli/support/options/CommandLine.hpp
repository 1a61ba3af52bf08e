// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <CLI/CLI.hpp>

#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "support/options/Choices.hpp"
#include "support/options/InputError.hpp"

namespace Lamina::Cli {

/// The whole of `text` as a number, in the notation of C without sign `+`; none if it is anything
/// else.
template <class Number>
std::optional<Number> parse_number(const std::string& text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

/// The numbers that an option takes.
struct NumberRange {
  double lowest = 0;
  bool lowest_allowed = true;                              ///< >= or >
  double below = std::numeric_limits<double>::infinity();  ///< <
  std::string text() const;                                ///< "a number > 0"
  bool contains(double value) const;                       ///< and is finite
};

/// The options of one command: declared first, then parsed, then asked for by name. Every value
/// that is out of range ends in an `InputError` of one line: option, what was expected, what was
/// given.
class CommandLine {
 public:
  CommandLine(const std::string& command, const std::string& description);

  void flag(const std::string& name, const std::string& description);
  void option(const std::string& name, const std::string& type, const std::string& description,
              int num_values = 1);
  /// An option of `least` to `most` values: all words up to the next option.
  void list(const std::string& name, const std::string& type, const std::string& description,
            int least, int most);
  /// After the list of options in the help.
  void footer(const std::string& text) { m_app.footer(text); }

  /// \return false where help was asked for, and printed
  bool parse(std::vector<std::string> arguments);

  bool given(const std::string& name) const { return m_app.count(name) > 0; }
  std::string text(const std::string& name, const std::string& otherwise) const;
  /// All values; none where the option was not given.
  std::vector<std::string> texts(const std::string& name) const;
  double number(const std::string& name, double otherwise, const NumberRange& range) const;
  /// As many as the option takes, all in the range.
  std::vector<double> numbers(const std::string& name, std::vector<double> otherwise,
                              const NumberRange& range) const;
  int count(const std::string& name, int otherwise, int lowest, int highest) const;
  std::vector<std::int64_t> counts(const std::string& name, std::vector<std::int64_t> otherwise,
                                   std::int64_t lowest) const;
  /// None where the option was not given.
  template <class Value>
  std::optional<Value> choice(const std::string& name, const Choices<Value>& choices) const {
    if (!given(name)) return std::nullopt;
    const std::string got = text(name, "");
    for (const auto& choice : choices) {
      if (choice.name == got) return choice.value;
    }
    fail(name, list_names(choices), got);
  }

  [[noreturn]] static void fail(const std::string& name, const std::string& expected,
                                const std::string& got);

 private:
  std::vector<std::string> results(const std::string& name) const;

  CLI::App m_app;
};

}  // namespace Lamina::Cli
